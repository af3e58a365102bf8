import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  decodeTransactionRecord,
  transactionRecord,
} from '../../../../src/coordinator/transaction/transactionRecords.ts';
import {
  newTransaction,
  type Transaction,
} from '../../../../src/coordinator/transaction/transactionState.ts';
import { ByteReader } from '../../../../src/protocol/byteReader.ts';

const written: Transaction = {
  ...newTransaction('txn', 7n),
  producerEpoch: 3,
  previousProducerId: 6n,
  timeoutMs: 60_000,
};

function writtenAt(level: number, transaction: Transaction) {
  const record = transactionRecord(transaction, level);
  const decoded = decodeTransactionRecord(record);
  return {
    version: new ByteReader(record.value ?? Buffer.alloc(0)).readInt16(),
    transaction: decoded.type === 'transaction' ? decoded.transaction : undefined,
  };
}

describe('records of transactions', () => {
  it('[A6] have tagged fields since transaction.version 1', () => {
    assert.deepEqual(writtenAt(1, written), { version: 1, transaction: written });
    const plain = { ...written, previousProducerId: -1n };
    assert.deepEqual(writtenAt(0, written), { version: 0, transaction: plain });
  });

  it('[A6] have them before as well where the client is ahead of its cluster', () => {
    const ahead = { ...written, nextProducerId: 8n, clientTransactionVersion: 2 };
    assert.deepEqual(writtenAt(0, ahead), { version: 1, transaction: ahead });
  });
});
