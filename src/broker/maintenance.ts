import type { MaintenanceTask } from '../shared/maintenance.ts';
import type { BrokerNode } from './brokerNode.ts';
import { internalCaller } from './internalCaller.ts';

/** Does a task at once and says in words what came of it. */
type Task = (node: BrokerNode) => Promise<string>;

/** What the broker otherwise does by itself now and then. */
export const maintenance: Readonly<Record<MaintenanceTask, Task>> = {
  /**
   * What `log.retention.check.interval.ms` times, and `producer.id.expiration.check.interval.ms`.
   * [LogManager.cleanupLogs, UnifiedLog.removeExpiredProducers]
   */
  async retention(node) {
    let segments = 0;
    let partitions = 0;
    for (const { log } of [...node.partitions()]) {
      await log.removeExpiredProducers();
      const deleted = await log.applyRetention();
      segments += deleted;
      partitions += deleted > 0 ? 1 : 0;
    }
    return segments === 0
      ? 'no segment is over its limits'
      : `deleted ${counted(segments, 'segment')} of ${counted(partitions, 'partition')}`;
  },

  /** What `log.cleaner.backoff.ms` times, whatever the dirty ratio, on a new segment. [LogCleaner] */
  async compaction(node) {
    const compacted = await node.compactNow();
    if (compacted.length === 0) return 'no compacted topic has anything to compact';
    const freed = compacted.reduce((sum, log) => sum + log.bytesBefore - log.bytesAfter, 0);
    return `compacted ${counted(compacted.length, 'partition')}, ${counted(freed, 'byte')} less`;
  },

  /** What `offsets.retention.check.interval.ms` times. [GroupCoordinatorShard.cleanupExpiredOffsets] */
  async offsets(node) {
    const before = await groupCount(node);
    await node.groupCoordinator.cleanExpired();
    const gone = Math.max(0, before - (await groupCount(node)));
    return `dropped what has expired of ${counted(before, 'group')}; ${gone} of them had nothing left and went`;
  },

  /** What the cleanup intervals of transactions time. [TransactionCoordinator.abortTimedOutTransactions] */
  async transactions({ transactions: { coordinator } }) {
    const aborted = await coordinator.abortTimedOut();
    const removed = await coordinator.removeExpired();
    return `aborted ${counted(aborted, 'transaction')} past ${aborted === 1 ? 'its' : 'their'} timeout; forgot ${counted(removed, 'transactional id')}`;
  },
};

async function groupCount(node: BrokerNode): Promise<number> {
  const everyGroup = { statesFilter: [], typesFilter: [] };
  const { groups } = await node.groupCoordinator.reports.listGroups(everyGroup, internalCaller);
  return groups?.length ?? 0;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
