import type { EmulationName } from '../broker/emulation/emulationName.ts';
import type { MaintenanceResult, MaintenanceTask } from '../shared/maintenance.ts';

export interface EmbeddedOptions {
  /** Left out: a temporary directory, removed by `stop`. */
  readonly dataDir?: string | undefined;
  readonly host?: string | undefined;
  /** 0, the default: any free port. */
  readonly port?: number | undefined;
  /** Kafka's broker configs, such as `{ 'num.partitions': '3' }`. */
  readonly configs?: Readonly<Record<string, string>> | undefined;
  /** Behaves as another server: its APIs and versions, its features, what it refuses. Left out: Apache Kafka 4.4. */
  readonly emulate?: EmulationName | undefined;
}

/** What only an embedded cluster can do. Rejects in words. */
export interface EmbeddedControls {
  /** Address of the control channel, for other processes. */
  readonly address: string;
  /** Moves the cluster's clock forward by whole milliseconds: what takes a week is due at once. */
  advanceClock(byMs: number): Promise<{ readonly nowMs: number; readonly clockAheadMs: number }>;
  /**
   * Runs now what the broker otherwise does every few minutes, all of it where no tasks are named; says in words what
   * came of it.
   */
  runMaintenance(tasks?: readonly MaintenanceTask[]): Promise<readonly MaintenanceResult[]>;
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
