import { t } from '../base/l10n.ts';
import type { FetchedBatch } from '../client/fetchedPartition.ts';
import { ProtocolError } from '../protocol/protocolError.ts';
import type { KafkaRecord } from '../protocol/records/recordReader.ts';
import { ProblemError } from './problems.ts';

/** A batch's records. Throws a ProblemError, in words, for a batch that is damaged or is not what it says of itself. */
export function* recordsOf(
  { header, records }: Pick<FetchedBatch, 'header' | 'records'>,
  from: bigint,
): Generator<KafkaRecord, void, undefined> {
  try {
    yield* records(from);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    const offset = String(header.baseOffset);
    throw new ProblemError(
      t('The batch at offset {0} could not be read: {1}', offset, error.message),
    );
  }
}
