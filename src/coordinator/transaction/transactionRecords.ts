import { decodeMessage, decodeVersioned, encodeVersioned } from '../../protocol/messageCodec.ts';
import { noProducerEpoch } from '../../protocol/records/recordBatch.ts';
import {
  transactionLogKey,
  transactionLogValue,
} from '../../protocol/records/transactionRecords.ts';
import type { Message } from '../../protocol/schema.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { PartitionSet } from './partitionSet.ts';
import { type Transaction, type TransactionState, transactionStates } from './transactionState.ts';

/** The int16 in front of a key says what record it is. [CoordinatorRecordType] */
const transactionRecordType = 0;
/** Before and since transaction.version 1, which has tagged fields. [TransactionVersion.transactionLogValueVersion] */
const valueVersions = { plain: 0, tagged: 1 } as const;
const keyVersion = 0;
const typeBytes = 2;

type LogValue = Message<typeof transactionLogValue>;

export type TransactionRecord =
  | {
      readonly type: 'transaction';
      readonly transactionalId: string;
      /** Null: the transactional id has expired. */
      readonly transaction: Transaction | null;
    }
  | { readonly type: 'unknown'; readonly recordType: number };

const stateById = new Map<number, TransactionState>(
  Object.entries(transactionStates).map(([name, { id }]) => [id, name as TransactionState]),
);

/**
 * By the level of transaction.version. A client that is ahead of its cluster has what only tagged fields can tell,
 * which Kafka fails over. [TransactionLog.valueToBytes]
 */
export function transactionRecord(
  transaction: Transaction,
  transactionVersion: number,
): CoordinatorRecord {
  const { previousProducerId, nextProducerId, clientTransactionVersion } = transaction;
  const hasTags = transactionVersion > 0 || clientTransactionVersion > 0;
  return {
    key: keyOf(transaction.transactionalId),
    value: encodeVersioned(transactionLogValue, valueVersions[hasTags ? 'tagged' : 'plain'], {
      producerId: transaction.producerId,
      ...(hasTags && { previousProducerId, nextProducerId, clientTransactionVersion }),
      producerEpoch: transaction.producerEpoch,
      transactionTimeoutMs: transaction.timeoutMs,
      transactionStatus: transactionStates[transaction.state].id,
      transactionPartitions:
        transaction.state === 'Empty'
          ? null
          : [...transaction.partitions].map(([topic, partitionIds]) => ({
              topic,
              partitionIds: [...partitionIds],
            })),
      transactionLastUpdateTimestampMs: transaction.lastUpdateTimestampMs,
      transactionStartTimestampMs: transaction.startTimestampMs,
    }),
  };
}

export function transactionTombstone(transactionalId: string): CoordinatorRecord {
  return { key: keyOf(transactionalId), value: null };
}

/** Throws a ProtocolError for a transaction's record that cannot be read. [TransactionLog.read] */
export function decodeTransactionRecord({ key, value }: CoordinatorRecord): TransactionRecord {
  const recordType = new DataView(key.buffer, key.byteOffset, key.byteLength).getInt16(0);
  if (recordType !== transactionRecordType) return { type: 'unknown', recordType };
  const body = key.subarray(typeBytes);
  const { transactionalId } = decodeMessage(transactionLogKey, keyVersion, body);
  const decoded = value && decodeVersioned(transactionLogValue, value).message;
  const transaction = decoded && transactionOf(transactionalId, decoded);
  return { type: 'transaction', transactionalId, transaction };
}

function transactionOf(transactionalId: string, value: LogValue): Transaction {
  const state = stateById.get(value.transactionStatus);
  if (state === undefined) {
    throw new Error(`transactional id ${transactionalId} is in state ${value.transactionStatus}`);
  }
  return {
    transactionalId,
    producerId: value.producerId,
    previousProducerId: value.previousProducerId,
    nextProducerId: value.nextProducerId,
    producerEpoch: value.producerEpoch,
    lastProducerEpoch: noProducerEpoch,
    timeoutMs: value.transactionTimeoutMs,
    state,
    partitions: partitionsOf(value),
    startTimestampMs: value.transactionStartTimestampMs,
    lastUpdateTimestampMs: value.transactionLastUpdateTimestampMs,
    clientTransactionVersion: value.clientTransactionVersion,
  };
}

function partitionsOf({ transactionPartitions }: LogValue): PartitionSet {
  return new Map(
    (transactionPartitions ?? []).map(({ topic, partitionIds }) => [topic, new Set(partitionIds)]),
  );
}

function keyOf(transactionalId: string): Uint8Array {
  return encodeVersioned(transactionLogKey, keyVersion, { transactionalId });
}
