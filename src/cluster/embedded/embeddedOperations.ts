import type { MaintenanceResult, MaintenanceTask } from '../../shared/maintenance.ts';
import { workbenchClientId } from '../../client/clientId.ts';
import type { Change } from '../activity/change.ts';
import { type ChangeLog, unlogged } from '../activity/changeLog.ts';
import type {
  ClusterTime,
  ConnectedClients,
  EmbeddedControl,
  ServedPosition,
} from './embeddedControl.ts';
import { embeddedProfile } from './embeddedProfile.ts';

interface EmbeddedOperationsOptions {
  /** Throws, in words, where the cluster does not run. */
  readonly control: () => EmbeddedControl;
  readonly changes?: ChangeLog | undefined;
}

/** What only the embedded cluster can do. Rejects where it does not run; what it changes is told. */
export class EmbeddedOperations {
  readonly #options: EmbeddedOperationsOptions;

  constructor(options: EmbeddedOperationsOptions) {
    this.#options = options;
  }

  /** Moves the cluster's clock forward; what takes a week is due at once. Rejects where it does not run. */
  async advanceClock(byMs: number): Promise<ClusterTime> {
    const control = this.#options.control();
    return this.#change({ kind: 'advanceClock', byMs }, () => control.advanceClock(byMs));
  }

  /** Runs now what the broker otherwise does every few minutes; says in words what came of it. */
  async runMaintenance(tasks: readonly MaintenanceTask[]): Promise<readonly MaintenanceResult[]> {
    const control = this.#options.control();
    const change: Change = { kind: 'runMaintenance', tasks: [...tasks] };
    return this.#change(change, () => control.runMaintenance(tasks));
  }

  /** How far clients have been sent the partitions of topics; noted from the first call on. */
  async servedPositions(topics: readonly string[]): Promise<ServedPosition[]> {
    return this.#options.control().servedPositions(topics);
  }

  /** Who is connected besides the workbench itself: what a stop would cut off. */
  async otherClients(): Promise<ConnectedClients> {
    const { clients, groups } = await this.#options.control().connectedClients();
    return { clients: clients.filter(({ clientId }) => clientId !== workbenchClientId), groups };
  }

  /** Removes every member of a group, so that a reset of its offsets is accepted. */
  async removeGroupMembers(groupId: string): Promise<{ readonly removed: number }> {
    const control = this.#options.control();
    const change = { kind: 'removeMembers', group: groupId } as const;
    return this.#change(change, () => control.removeGroupMembers(groupId));
  }

  #change<T>(change: Change, work: () => Promise<T>): Promise<T> {
    const { changes = unlogged } = this.#options;
    return changes.run({ cluster: embeddedProfile(), change }, work);
  }
}
