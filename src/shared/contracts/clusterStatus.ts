/** Whether the cluster of a panel can be reached, for a page that is open while that changes. */
import * as v from 'valibot';
import { userError } from './common.ts';

export const clusterStatus = v.object({
  state: v.picklist(['up', 'starting', 'down']),
  /** Why it is down, and what brings it up: it is started, or connected to again. */
  problem: v.optional(userError),
  remedy: v.optional(v.picklist(['start', 'connect'])),
});
export type ClusterStatus = v.InferOutput<typeof clusterStatus>;

/** Starts the cluster, or connects to it again; says by itself why it cannot. Served by the host. */
export const bringUp = { params: v.object({}), result: v.object({}) };
