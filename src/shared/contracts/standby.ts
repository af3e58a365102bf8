/** What stands in the place of a panel until its cluster runs, and its host. */
import * as v from 'valibot';
import { words } from './common.ts';

const standbyState = v.object({
  /** Of the panel that opens then. */
  title: words,
  cluster: v.picklist(['stopped', 'starting', 'crashed']),
  /** Why it does not run. */
  problem: v.optional(words),
});
export type StandbyState = v.InferOutput<typeof standbyState>;

/** Served by the host. */
export const standbyHost = {
  ready: { params: v.object({}), result: standbyState },
  /** Says by itself why it cannot. */
  start: { params: v.object({}), result: v.object({}) },
};

/** Served by the page. */
export const standbyView = {
  state: { params: standbyState },
};
