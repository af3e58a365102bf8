import type { ClusterProfile } from '../../cluster/model.ts';
import { exportedRecords, recordOfDetails } from '../../cluster/replay.ts';
import type { Tail } from '../../cluster/tails.ts';
import type { FileRecord } from '../../codec/fileRecord.ts';
import type { RecordDetails } from '../../shared/contracts/tail.ts';
import { counted, grouped } from '../text.ts';

/** What is written again. */
export interface ReplaySource {
  readonly cluster: ClusterProfile;
  /** Such as `1 record`; where rows may be no records, the most that they come to. */
  readonly count: string;
  readonly rows: number;
  /** Which they are, in a sentence. */
  readonly detail: string;
  readonly largestPartition: number;
  readonly records: AsyncIterable<FileRecord>;
}

export function recordSource(cluster: ClusterProfile, details: RecordDetails): ReplaySource {
  const { topic, partition, offset } = details;
  return {
    cluster,
    count: '1 record',
    rows: 1,
    detail: `It is the one at offset ${grouped(BigInt(offset))} of partition ${partition} of ${topic}.`,
    largestPartition: partition,
    records: each([recordOfDetails(details)]),
  };
}

/** The records that a tail shows now, as far as it holds them. Rejects where there are none. */
export async function shownSource(
  tail: Tail,
  what: Pick<ReplaySource, 'cluster' | 'largestPartition'> & { readonly topic: string },
): Promise<ReplaySource> {
  const { topic, ...where } = what;
  const pages = tail.exportRows('jsonl', false);
  const first = await pages.next();
  if (first.done || first.value.rows === 0) {
    throw new Error('No record is shown, so there is nothing to replay.');
  }
  const { rows } = first.value;
  const filtered = tail.progress.filter ? ' through the filter' : '';
  return {
    ...where,
    count: `up to ${counted(rows, 'record')}`,
    rows,
    detail: `They are the rows that the tail of ${topic} shows${filtered} now; rows that are no record are left out.`,
    records: exportedRecords(each([first.value], pages)),
  };
}

async function* each<T>(items: readonly T[], more?: AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
  if (more) yield* more;
}
