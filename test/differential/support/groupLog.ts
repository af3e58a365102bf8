import { batches, type RecordBatch } from '../../../src/protocol/records/recordBatch.ts';
import {
  decodeCoordinatorRecord,
  groupRecordTypes,
} from '../../../src/protocol/records/coordinatorRecordCodec.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { logsOf } from './logs.ts';
import type { Run } from './run.ts';

const topics = [{ name: '__consumer_offsets', partitions: 50 }];
const noKey = Buffer.alloc(0);

/** What the coordinator has written about groups, batch by batch; in objects, as the order counts. */
export function groupLog({ logFolder }: Run, ...groupIds: string[]): Record<string, unknown> {
  const logs = [...logsOf({ logFolder, topics }).values()];
  const all = logs.flatMap((log) => [...batches(log)]);
  const own = all.map((batch) => about(batch, groupIds)).filter((records) => records.length > 0);
  return numbered(own.map(numbered));
}

function about(batch: RecordBatch, groupIds: readonly string[]): unknown[] {
  if (batch.header.isControl) return [];
  const records = [...readRecords(batch)].map(({ key, value }) =>
    decodeCoordinatorRecord(groupRecordTypes, { key: key ?? noKey, value }),
  );
  const { isTransactional } = batch.header;
  return records
    .filter((record) => record && 'group' in record.key && groupIds.includes(record.key.group))
    .map((record) => ({ ...record, isTransactional }));
}

const numbered = (items: readonly unknown[]): Record<string, unknown> =>
  Object.fromEntries(items.map((item, i) => [`#${i}`, item]));
