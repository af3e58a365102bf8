import { type RecordBatch } from '../protocol/records/recordBatch.ts';
import { readRecords } from '../protocol/records/recordReader.ts';

/** The control record that ends a transaction [EndTransactionMarker]. */
export interface TransactionMarker {
  readonly isAbort: boolean;
  readonly coordinatorEpoch: number;
  /** 2: the producer's epoch rises with every transaction (KIP-890); known only where the marker is sent. */
  readonly transactionVersion: number;
}

const abortType = 0;
const commitType = 1;

/** The marker in a control batch; undefined where it was cleaned away or is of another kind. */
export function readTransactionMarker(
  batch: RecordBatch,
  transactionVersion = 0,
): TransactionMarker | undefined {
  const [record] = readRecords(batch);
  // Key: int16 version, int16 type. Value: int16 version, int32 coordinator epoch.
  if (record?.key === null || record?.value === null || record === undefined) return undefined;
  if (record.key.length < 4 || record.value.length < 6) return undefined;
  const type = record.key.readInt16BE(2);
  if (type !== abortType && type !== commitType) return undefined;
  return {
    isAbort: type === abortType,
    coordinatorEpoch: record.value.readInt32BE(2),
    transactionVersion,
  };
}
