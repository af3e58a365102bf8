import { crc32c } from '../protocol/crc32c.ts';
import type { ProducerEntry } from './producerEntry.ts';

/**
 * A `.snapshot` file: the producers of a partition as of the offset in its name. Version 1, a CRC-32C of
 * what follows it, the number of entries, the entries. Of each producer's batches it keeps the last.
 * [ProducerStateManager.writeSnapshot, ProducerSnapshot.json]
 */
const version = 1;
const crcAt = 2;
const countAt = crcAt + 4;
const entriesAt = countAt + 4;
const entrySize = 46;

/** Thrown where a snapshot cannot be used; the state is then rebuilt from the log. */
export class CorruptSnapshotError extends Error {
  override name = 'CorruptSnapshotError';
}

export function encodeProducerSnapshot(entries: readonly ProducerEntry[]): Buffer {
  const bytes = Buffer.alloc(entriesAt + entries.length * entrySize);
  bytes.writeInt16BE(version, 0);
  bytes.writeInt32BE(entries.length, countAt);
  entries.forEach((entry, index) => {
    const at = entriesAt + index * entrySize;
    const last = entry.batches.at(-1);
    bytes.writeBigInt64BE(entry.producerId, at);
    bytes.writeInt16BE(entry.producerEpoch, at + 8);
    bytes.writeInt32BE(last?.lastSequence ?? -1, at + 10);
    bytes.writeBigInt64BE(last?.lastOffset ?? -1n, at + 14);
    bytes.writeInt32BE(last?.offsetDelta ?? 0, at + 22);
    bytes.writeBigInt64BE(entry.lastTimestamp, at + 26);
    bytes.writeInt32BE(entry.coordinatorEpoch, at + 34);
    bytes.writeBigInt64BE(entry.transactionFirstOffset ?? -1n, at + 38);
  });
  bytes.writeUInt32BE(crc32c(bytes.subarray(countAt)), crcAt);
  return bytes;
}

export function decodeProducerSnapshot(bytes: Buffer): ProducerEntry[] {
  if (bytes.length < entriesAt) throw new CorruptSnapshotError(`only ${bytes.length} bytes`);
  const found = bytes.readInt16BE(0);
  if (found !== version) throw new CorruptSnapshotError(`version ${found} is not known`);
  if (bytes.readUInt32BE(crcAt) !== crc32c(bytes.subarray(countAt)))
    throw new CorruptSnapshotError('the checksum does not match');
  const count = bytes.readInt32BE(countAt);
  if (bytes.length !== entriesAt + count * entrySize)
    throw new CorruptSnapshotError(`${count} entries do not take ${bytes.length} bytes`);
  return Array.from({ length: count }, (_, index) =>
    readEntry(bytes, entriesAt + index * entrySize),
  );
}

function readEntry(bytes: Buffer, at: number): ProducerEntry {
  const lastOffset = bytes.readBigInt64BE(at + 14);
  const timestamp = bytes.readBigInt64BE(at + 26);
  const transactionFirstOffset = bytes.readBigInt64BE(at + 38);
  const last = {
    lastSequence: bytes.readInt32BE(at + 10),
    lastOffset,
    offsetDelta: bytes.readInt32BE(at + 22),
    timestamp,
  };
  return {
    producerId: bytes.readBigInt64BE(at),
    producerEpoch: bytes.readInt16BE(at + 8),
    coordinatorEpoch: bytes.readInt32BE(at + 34),
    lastTimestamp: timestamp,
    transactionFirstOffset: transactionFirstOffset < 0n ? undefined : transactionFirstOffset,
    batches: lastOffset < 0n ? [] : [last],
  };
}
