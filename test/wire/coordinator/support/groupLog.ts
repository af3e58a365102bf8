// What a coordinator wrote about a group, in words that do not depend on when or in which order of a hash.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { CoordinatorRecord } from '../../../../src/coordinator/ports.ts';
import {
  decodeCoordinatorRecord,
  groupRecordTypes,
} from '../../../../src/protocol/records/coordinatorRecordCodec.ts';
import { batches } from '../../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../../src/protocol/records/recordReader.ts';

/** The records that a real Kafka has in a partition of `__consumer_offsets`. */
export async function recordsOnDisk(
  dataDir: string,
  partition: number,
): Promise<CoordinatorRecord[]> {
  const folder = path.join(dataDir, `__consumer_offsets-${partition}`);
  const segments = (await readdir(folder)).filter((name) => name.endsWith('.log')).sort();
  const records: CoordinatorRecord[] = [];
  for (const segment of segments) {
    const bytes = await readFile(path.join(folder, segment));
    for (const batch of batches(bytes)) {
      for (const { key, value } of readRecords(batch)) if (key) records.push({ key, value });
    }
  }
  return records;
}

/** The group's own records, without its offsets. */
export function groupStory(records: readonly CoordinatorRecord[], groupId: string): string[] {
  return records.flatMap((record) => {
    const decoded = decodeCoordinatorRecord(groupRecordTypes, record);
    if (decoded === undefined || decoded.kind === 'offsetCommit') return [];
    const id = 'group' in decoded.key ? decoded.key.group : decoded.key.groupId;
    return id === groupId ? [JSON.stringify(decoded, plain)] : [];
  });
}

const times = new Set(['assignmentTimestamp', 'timestamp', 'currentStateTimestamp', 'version']);

function plain(key: string, value: unknown): unknown {
  if (times.has(key)) return value === 0n ? 'none' : 'some';
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  if (isOwned(value)) {
    const { partitions, assignmentEpochs } = value;
    const pairs = partitions.map((partition, index) => `${partition}@${assignmentEpochs[index]}`);
    return { ...value, partitions: pairs.sort(), assignmentEpochs: null };
  }
  if (!Array.isArray(value)) return value;
  const place = (item: unknown): string => JSON.stringify(item);
  return value.toSorted((a, b) => (place(a) < place(b) ? -1 : 1)) as unknown;
}

/** Partitions with the epochs at which they were assigned. */
function isOwned(value: unknown): value is { partitions: number[]; assignmentEpochs: number[] } {
  if (typeof value !== 'object' || value === null || !('assignmentEpochs' in value)) return false;
  return Array.isArray(value.assignmentEpochs);
}
