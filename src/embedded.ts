/** A cluster for people's tests: starts in this process, on a free port, in a temporary directory. */
import * as v from 'valibot';
import type { ClusterOperations } from './broker/clusterOperations.ts';
import type { EmulationName } from './broker/emulation/emulationName.ts';
import { launchCluster } from './broker/launch.ts';
import { controlBroker } from './shared/contracts/control.ts';
import type { MaintenanceResult, MaintenanceTask } from './shared/maintenance.ts';
import { version } from './version.ts';

export interface EmbeddedOptions {
  /** Left out: a temporary directory, removed by `stop`. */
  readonly dataDir?: string;
  readonly host?: string;
  /** 0, the default: any free port. */
  readonly port?: number;
  /** Kafka's broker configs, such as `{ 'num.partitions': '3' }`. */
  readonly configs?: Readonly<Record<string, string>>;
  /** Behaves as another server: its APIs and versions, its features, what it refuses. Left out: Apache Kafka 4.4. */
  readonly emulate?: EmulationName;
}

/** What only an embedded cluster can do. Rejects in words. */
export interface EmbeddedControls {
  /** Address of the control channel, for other processes. */
  readonly address: string;
  /** Moves the cluster's clock forward by whole milliseconds: what takes a week is due at once. */
  advanceClock(byMs: number): Promise<{ readonly nowMs: number; readonly clockAheadMs: number }>;
  /** Runs now what the broker otherwise does every few minutes; says in words what came of it. */
  runMaintenance(tasks: readonly MaintenanceTask[]): Promise<readonly MaintenanceResult[]>;
  /** Removes every member of a group, so that its offsets can be reset. */
  removeGroupMembers(groupId: string): Promise<{ readonly removed: number }>;
}

export interface EmbeddedKafka {
  /** What goes into `bootstrap.servers`. */
  readonly bootstrap: string;
  readonly brokers: readonly {
    readonly id: number;
    readonly host: string;
    readonly port: number;
  }[];
  /** What goes into `bootstrap.servers` at each listener of the config `listeners`, by its name. */
  readonly listeners: Readonly<Record<string, string>>;
  readonly control: EmbeddedControls;
  /** Stops cleanly; what was in a temporary directory is gone then. Safe to call twice. */
  stop(): Promise<void>;
}

/** Rejects, in words, where the port or the directory cannot be had or a config is wrong. */
export async function startCluster(options: EmbeddedOptions = {}): Promise<EmbeddedKafka> {
  const { dataDir = null, port = 0, ...rest } = options;
  let stopping: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopping ??= launched.stop('its owner stops it'));
  const launched = await launchCluster({
    ...rest,
    dataDir,
    port,
    version,
    onStopRequest: () => void stop(),
  });
  const { bootstrap, brokers, listeners, operations } = launched.cluster;
  const control = controlsOf(launched.control, operations);
  return { bootstrap, brokers, listeners, control, stop };
}

/** The same bounds as over the control channel. */
function controlsOf(address: string, operations: ClusterOperations): EmbeddedControls {
  const { advanceClock, runMaintenance, removeGroupMembers } = controlBroker;
  return {
    address,
    advanceClock: async (byMs) =>
      operations.advanceClock(v.parse(advanceClock.params, { byMs }).byMs),
    runMaintenance: async (tasks) =>
      operations.runMaintenance(v.parse(runMaintenance.params, { tasks }).tasks),
    removeGroupMembers: async (groupId) =>
      operations.removeGroupMembers(v.parse(removeGroupMembers.params, { groupId }).groupId),
  };
}
