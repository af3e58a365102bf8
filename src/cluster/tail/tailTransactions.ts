import { t } from '../../base/l10n.ts';
import type { FetchedBatch } from '../../client/fetchedPartition.ts';
import { decodeControlRecordKey } from '../../protocol/records/controlRecords.ts';

/** A transaction on one partition. `state` changes when its marker is read. */
export interface TailTransaction {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  state: 'open' | 'committed' | 'aborted';
}

/**
 * The transactions that a tail has met. A marker ends all that its producer has written to the partition
 * since the last one, so records learn their outcome after they were shown. [ProducerStateManager]
 */
export class TailTransactions {
  /** By partition and producer. */
  readonly #open = new Map<string, TailTransaction>();
  #ended = 0;

  /** How many were seen to end. */
  get ended(): number {
    return this.#ended;
  }

  /** The transaction that a batch of records belongs to. */
  of(partition: number, { header }: FetchedBatch): TailTransaction | undefined {
    if (!header.isTransactional) return undefined;
    const { producerId, producerEpoch } = header;
    const key = `${partition} ${producerId}`;
    const known = this.#open.get(key);
    if (known) return known;
    const transaction: TailTransaction = { producerId, producerEpoch, state: 'open' };
    this.#open.set(key, transaction);
    return transaction;
  }

  /** Takes note of a control batch. Answers with what it says, in words. */
  end(partition: number, batch: FetchedBatch): string {
    const { producerId, producerEpoch, isTransactional } = batch.header;
    const type = markerType(batch);
    if (!isTransactional || (type !== 'commit' && type !== 'abort')) {
      return t('control record of the broker: {0}', type ?? t('of an unknown type'));
    }
    const state = type === 'commit' ? 'committed' : 'aborted';
    const key = `${partition} ${producerId}`;
    const transaction = this.#open.get(key);
    if (transaction) {
      transaction.state = state;
      this.#open.delete(key);
      this.#ended++;
    }
    const producer = String(producerId);
    return state === 'committed'
      ? t('transaction of producer {0}, epoch {1}, committed', producer, producerEpoch)
      : t('transaction of producer {0}, epoch {1}, aborted', producer, producerEpoch);
  }
}

function markerType(batch: FetchedBatch): ReturnType<typeof decodeControlRecordKey> {
  try {
    const [record] = batch.records(0n);
    return record?.key ? decodeControlRecordKey(record.key) : undefined;
  } catch {
    return undefined;
  }
}
