import type { TransactionEnd } from '../../coordinator/ports.ts';
import { encodeVersioned } from '../../protocol/messageCodec.ts';
import { encodeControlRecordKey, endTxnMarker } from '../../protocol/records/controlRecords.ts';
import { buildRecordBatch } from '../../protocol/records/recordBatchBuilder.ts';

/** The control batch that ends a producer's transaction in a partition. [MemoryRecords.withEndTransactionMarker] */
export function markerBatch(marker: TransactionEnd, nowMs: number): Buffer {
  const { producerId, producerEpoch, coordinatorEpoch, isCommit } = marker;
  return buildRecordBatch({
    producerId,
    producerEpoch,
    isTransactional: true,
    isControl: true,
    records: [
      {
        timestamp: BigInt(Math.floor(nowMs)),
        key: encodeControlRecordKey(isCommit ? 'commit' : 'abort'),
        value: encodeVersioned(endTxnMarker, 0, { coordinatorEpoch }),
      },
    ],
  });
}
