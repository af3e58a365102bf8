/** The editor (or a test, or the command line) and the embedded cluster's process. */
import * as v from 'valibot';
import { maintenanceTasks } from '../maintenance.ts';
import { int64, partitionIndex } from './common.ts';

export const brokerAddress = v.object({ id: v.number(), host: v.string(), port: v.number() });

export const embeddedStatus = v.object({
  version: v.string(),
  pid: v.number(),
  bootstrap: v.string(),
  brokers: v.array(brokerAddress),
  /** Null: in memory. */
  dataDir: v.nullable(v.string()),
  startedAtMs: v.number(),
  /** Editor windows registered now. */
  windows: v.number(),
  keepRunning: v.boolean(),
  /** How far the cluster's clock is ahead of the machine's. */
  clockAheadMs: v.number(),
});
export type EmbeddedStatus = v.InferOutput<typeof embeddedStatus>;

const maintenanceTask = v.picklist(maintenanceTasks);

/** One hundred years: what a clock may be moved by at once. */
export const longestAdvanceMs = 100 * 365 * 24 * 3_600_000;

/** Served by the broker process. The first call must be `hello` with the lock file's token. */
export const controlBroker = {
  hello: {
    params: v.object({
      token: v.string(),
      /** A window keeps the cluster alive while it is connected; an observer does not. */
      role: v.picklist(['window', 'observer']),
    }),
    result: embeddedStatus,
  },
  status: { params: v.object({}), result: embeddedStatus },
  setKeepRunning: { params: v.object({ keepRunning: v.boolean() }), result: v.object({}) },
  /** Moves the cluster's clock forward, never back. Nothing else happens until a task is due or asked for. */
  advanceClock: {
    params: v.object({
      byMs: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(longestAdvanceMs)),
    }),
    result: v.object({ nowMs: v.number(), clockAheadMs: v.number() }),
  },
  /** Runs tasks now, in the order given, and says in words what each did. */
  runMaintenance: {
    params: v.object({ tasks: v.pipe(v.array(maintenanceTask), v.minLength(1), v.maxLength(8)) }),
    result: v.object({
      done: v.array(v.object({ task: maintenanceTask, summary: v.string() })),
    }),
  },
  /**
   * How far clients have been sent records of topics, connection by connection. Noted only for a minute after each
   * call, so the first one brings nothing.
   */
  servedPositions: {
    params: v.object({ topics: v.pipe(v.array(v.string()), v.maxLength(10_000)) }),
    result: v.object({
      positions: v.array(
        v.object({
          clientId: v.string(),
          clientHost: v.string(),
          topic: v.string(),
          partition: partitionIndex,
          /** The first that it has not been sent. */
          offset: int64,
        }),
      ),
    }),
  },
  /** Whose connections are open, those with the most first, and the groups that have members. */
  connectedClients: {
    params: v.object({}),
    result: v.object({
      clients: v.array(v.object({ clientId: v.string(), connections: v.number() })),
      groups: v.array(v.string()),
    }),
  },
  /** Removes every member of a group, so that its offsets can be reset; rejects, in words, where it cannot. */
  removeGroupMembers: {
    params: v.object({ groupId: v.pipe(v.string(), v.minLength(1), v.maxLength(32_767)) }),
    result: v.object({ removed: v.number() }),
  },
  /** Answers once the stop has begun; the socket closes when the process ends. */
  stop: { params: v.object({}), result: v.object({}) },
};

/** Served by the client of the control channel. */
export const controlClient = {
  stopping: { params: v.object({ reason: v.string() }) },
  status: { params: embeddedStatus },
};

/** `<data directory>/kafka-workbench.lock`, mode 0600, written by the process that holds the directory. */
export const lockFile = v.object({
  pid: v.number(),
  /** Control socket or named pipe. */
  control: v.string(),
  token: v.string(),
  bootstrap: v.string(),
  version: v.string(),
});
export type LockFile = v.InferOutput<typeof lockFile>;
