import { errorByCode, errorCodes } from '../protocol/errors.ts';
import type { MaintenanceResult, MaintenanceTask } from '../shared/maintenance.ts';
import type { BrokerNode } from './brokerNode.ts';
import type { ClusterClock } from './clusterClock.ts';
import { offsetsTopic } from './controller/topicNames.ts';
import type { ServedPosition } from './fetch/servedPositions.ts';
import { internalCaller } from './internalCaller.ts';
import { maintenance } from './maintenance.ts';
import { type ConnectedClientId, countedById } from './openConnections.ts';

/** Of both kinds of group. */
const statesWithMembers = [
  'Stable',
  'PreparingRebalance',
  'CompletingRebalance',
  'Assigning',
  'Reconciling',
];

/** What a person can do with an embedded cluster and with no other. Rejects in words. */
export class ClusterOperations {
  readonly #clock: ClusterClock;
  readonly #nodes: readonly BrokerNode[];

  constructor(clock: ClusterClock, nodes: readonly BrokerNode[]) {
    this.#clock = clock;
    this.#nodes = nodes;
  }

  /** How far the cluster's clock is ahead of the machine's. */
  get clockAheadMs(): number {
    return this.#clock.clock.aheadMs;
  }

  /** Moves the cluster's wall clock forward; sessions and deadlines do not notice. */
  async advanceClock(byMs: number): Promise<{ nowMs: number; clockAheadMs: number }> {
    await this.#clock.advance(byMs);
    return { nowMs: this.#clock.clock.nowMs(), clockAheadMs: this.clockAheadMs };
  }

  /** Runs tasks now, one after the other. */
  async runMaintenance(tasks: readonly MaintenanceTask[]): Promise<MaintenanceResult[]> {
    const done: MaintenanceResult[] = [];
    for (const task of tasks) {
      const run = maintenance[task];
      const summaries = await Promise.all(this.#nodes.map((node) => run(node)));
      done.push({ task, summary: summaries.join('; ') });
    }
    return done;
  }

  /** How far clients have been sent the partitions of topics; noted from the first look on. */
  servedPositions(topics: readonly string[]): ServedPosition[] {
    const wanted = new Set(topics);
    return this.#nodes.flatMap(({ served }) => served.look(wanted));
  }

  /** Who is connected, and the groups that have members. */
  async connectedClients(): Promise<{ clients: ConnectedClientId[]; groups: string[] }> {
    const clientIds = this.#nodes.flatMap((node) => [...node.openConnections.clientIds]);
    const listed = await Promise.all(
      this.#nodes.map(({ groupCoordinator }) =>
        groupCoordinator.reports.listGroups(
          { statesFilter: statesWithMembers, typesFilter: [] },
          internalCaller,
        ),
      ),
    );
    const groups = listed.flatMap((of) => (of.groups ?? []).map(({ groupId = '' }) => groupId));
    return { clients: countedById(clientIds), groups: groups.sort() };
  }

  /** Removes every member of a group; those that still run join again with their next heartbeat. */
  async removeGroupMembers(groupId: string): Promise<{ removed: number }> {
    const [node] = this.#nodes;
    if (!node) throw new Error('the cluster is not up');
    // The topic is made when a client looks for a coordinator first. Kafka's Admin does that here, and finds no group
    // then.
    const hasGroups = node.image.topic(offsetsTopic) !== undefined;
    const { errorCode: code, removed } = hasGroups
      ? await node.groupCoordinator.removeMembers(groupId, 'removed by hand')
      : { errorCode: errorCodes.GROUP_ID_NOT_FOUND, removed: 0 };
    if (code === errorCodes.NONE) return { removed };
    throw new Error(
      code === errorCodes.GROUP_ID_NOT_FOUND
        ? `there is no group "${groupId}"`
        : `the members of "${groupId}" cannot be removed now: ${errorByCode(code).name}. Try again in a moment.`,
    );
  }
}
