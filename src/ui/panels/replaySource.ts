import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { exportedRecords, recordOfDetails } from '../../cluster/produce/replay.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { FileRecord } from '../../codec/fileRecord.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
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
    count: counted(1, 'record'),
    rows: 1,
    detail: t(
      'It is the one at offset {0} of partition {1} of {2}.',
      grouped(BigInt(offset)),
      partition,
      topic,
    ),
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
    throw new Error(t('No record is shown, so there is nothing to replay.'));
  }
  const { rows } = first.value;
  return {
    ...where,
    count: t('up to {0}', counted(rows, 'record')),
    rows,
    detail: tail.progress.filter
      ? t(
          'They are the rows that the tail of {0} shows through the filter now; rows that are no record are left out.',
          topic,
        )
      : t(
          'They are the rows that the tail of {0} shows now; rows that are no record are left out.',
          topic,
        ),
    records: exportedRecords(each([first.value], pages)),
  };
}

async function* each<T>(items: readonly T[], more?: AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
  if (more) yield* more;
}
