import { t } from '../../base/l10n.ts';
import type { Tail } from '../../cluster/tail/tails.ts';
import type { RecordDetails } from '../../shared/contracts/recordDetails.ts';
import type { RecordPlace } from '../../shared/contracts/tailRows.ts';

/** The whole record; rejects, in words, where it is gone. */
export async function readRecord(
  tail: Tail | undefined,
  { partition, offset }: RecordPlace,
  signal: AbortSignal,
): Promise<RecordDetails> {
  const record = await tail?.details(partition, BigInt(offset), signal);
  if (record) return record;
  throw new Error(t('The record is not there any more: retention or compaction took it.'));
}
