/** The editor (or a test, or the command line) and the embedded cluster's process. */
import * as v from 'valibot';

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
});
export type EmbeddedStatus = v.InferOutput<typeof embeddedStatus>;

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
