import type { MaintenanceTask } from '../shared/contracts/control.ts';
import type { BrokerNode } from './brokerNode.ts';
import { internalCaller } from './internalCaller.ts';

/** Does a task at once and says in words what came of it. */
type Task = (node: BrokerNode) => Promise<string>;

/** What the broker otherwise does by itself now and then. */
export const maintenanceTasks: Readonly<Record<MaintenanceTask, Task>> = {
  /** What `log.retention.check.interval.ms` times. [LogManager.cleanupLogs] */
  async retention(node) {
    let segments = 0;
    let partitions = 0;
    for (const { log } of [...node.partitions()]) {
      const deleted = await log.applyRetention();
      segments += deleted;
      partitions += deleted > 0 ? 1 : 0;
    }
    return segments === 0
      ? 'no segment is over its limits'
      : `deleted ${counted(segments, 'segment')} of ${counted(partitions, 'partition')}`;
  },

  /** What `log.cleaner.backoff.ms` times, however little is dirty. [LogCleaner] */
  async compaction(node) {
    const compacted = await node.compactNow();
    if (compacted.length === 0) return 'nothing is to be compacted';
    const saved = compacted.reduce((sum, log) => sum + log.bytesBefore - log.bytesAfter, 0);
    return `compacted ${counted(compacted.length, 'partition')}, by ${counted(saved, 'byte')}`;
  },

  /** What `offsets.retention.check.interval.ms` times. [GroupCoordinatorShard.cleanupExpiredOffsets] */
  async offsets(node) {
    const before = await groupCount(node);
    await node.groupCoordinator.cleanExpired();
    const gone = Math.max(0, before - (await groupCount(node)));
    return `dropped what has expired of ${counted(before, 'group')}; ${gone} of them had nothing left and went`;
  },

  /** What ends transactions that are open for too long, and forgets ids that are no longer used. [TransactionStateManager] */
  async transactions(node) {
    const before = transactionCounts(node);
    await node.transactions.coordinator.sweep();
    const after = transactionCounts(node);
    const ended = Math.max(0, before.open - after.open);
    const forgotten = Math.max(0, before.all - after.all);
    return `aborted ${counted(ended, 'transaction')}, forgot ${counted(forgotten, 'transactional id')}`;
  },
};

function transactionCounts(node: BrokerNode): { open: number; all: number } {
  const everyTransaction = {
    stateFilters: [],
    producerIdFilters: [],
    durationFilter: -1n,
    transactionalIdPattern: null,
  };
  const { coordinator } = node.transactions;
  const { transactionStates = [] } = coordinator.listTransactions(everyTransaction);
  const open = transactionStates.filter(({ transactionState }) => transactionState === 'Ongoing');
  return { open: open.length, all: transactionStates.length };
}

async function groupCount(node: BrokerNode): Promise<number> {
  const everyGroup = { statesFilter: [], typesFilter: [] };
  const { groups } = await node.groupCoordinator.listGroups(everyGroup, internalCaller);
  return groups?.length ?? 0;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
