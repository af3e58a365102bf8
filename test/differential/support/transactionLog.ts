import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { decodeVersioned } from '../../../src/protocol/messageCodec.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import { transactionLogValue } from '../../../src/protocol/records/transactionRecords.ts';
import { logsOf } from './logs.ts';
import type { Run } from './run.ts';

const topics = [{ name: '__transaction_state', partitions: 50 }];

/**
 * What the coordinator has written about a transactional id, with the versions of the records; by number, as the order
 * counts.
 */
export function transactionLog(
  { logFolder }: Pick<Run, 'logFolder'>,
  transactionalId: string,
): Record<string, unknown> {
  const logs = [...logsOf({ logFolder, topics }).values()];
  const records = logs.flatMap((log) =>
    [...batches(log)].flatMap((each) => [...readRecords(each)]),
  );
  const values = records
    .filter(({ key }) => key?.includes(transactionalId))
    .map(({ value }) => value && versioned(value));
  return Object.fromEntries(values.map((value, i) => [`#${i}`, value]));
}

function versioned(value: Buffer): unknown {
  const { previousProducerId, nextProducerId, ...rest } = decodeVersioned(
    transactionLogValue,
    value,
  ).message;
  return {
    version: new ByteReader(value).readInt16(),
    ...rest,
    'producerId of before': previousProducerId,
    'producerId of next': nextProducerId,
  };
}
