// Batches as producers send them, and as none should.
import { crc32c } from '../../../../src/protocol/crc32c.ts';
import type { RecordInput } from '../../../../src/protocol/records/recordBatchBuilder.ts';
import { batchOf, longAgo } from '../../../differential/support/requests.ts';
import type { Chance } from './randomSequences.ts';

const long = 2n ** 63n - 1n;
const codecs = ['none', 'none', 'gzip', 'snappy', 'lz4', 'zstd'] as const;
const times = [-1n, -5n, 0n, 1n, longAgo, longAgo + 1n, 4_000_000_000_000n, long, -long - 1n];

/** Far from now, so that they are compared as they are. */
export const timeOf = (chance: Chance): bigint =>
  chance.oneIn(4) ? chance.of(times) : longAgo + BigInt(chance.below(50) - 10);

export interface Sender {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly baseSequence: number;
}

export function randomBatch(chance: Chance, count: number, sender?: Sender): Buffer {
  const records = Array.from({ length: count }, () => recordOf(chance));
  const compression = chance.of(codecs);
  const baseOffset = chance.oneIn(30) ? BigInt(chance.below(4)) : 0n;
  return batchOf(records, { compression, baseOffset, ...sender });
}

function recordOf(chance: Chance): RecordInput {
  const key = chance.oneIn(8) ? null : Buffer.from(chance.of(['', 'a', 'b', 'key']));
  const size = chance.below(chance.oneIn(5) ? 300 : 20);
  const value = chance.oneIn(8) ? null : Buffer.from('v'.repeat(size));
  const headers = chance.oneIn(8) ? [{ key: 'h', value: chance.of([null, Buffer.from('x')]) }] : [];
  return { timestamp: timeOf(chance), key, value, headers };
}

const crcAt = 17;
const checkedFrom = 21;

const changes: readonly ((batch: Buffer, chance: Chance) => void)[] = [
  (batch, chance) => batch.writeInt8(chance.of([0, 1, 3, -1]), 16),
  (batch, chance) => batch.writeInt32BE(chance.of([-1, 0, 1, 2, 7]), 57),
  (batch, chance) => batch.writeInt32BE(chance.of([-1, 0, 1, 2, 7]), 23),
  (batch, chance) => batch.writeInt16BE(chance.of([0x20, 0x10, 8, 0x40, 0x80, 1, 2, 3, 4]), 21),
  (batch, chance) => batch.writeBigInt64BE(timeOf(chance), 35),
  (batch, chance) => batch.writeBigInt64BE(timeOf(chance), 27),
  (batch, chance) => batch.writeInt32BE(chance.of([-1, 0, 7]), 12),
  (batch, chance) => batch.writeInt32BE(chance.of([-1, 0, 13, 49, 9999]), 8),
];

/** A batch that is not what it says, with a checksum that is right. */
export function changedBatch(chance: Chance, batch: Buffer): Buffer {
  chance.of(changes)(batch, chance);
  batch.writeUInt32BE(crc32c(batch.subarray(checkedFrom)), crcAt);
  return chance.oneIn(5) ? batch.subarray(0, 1 + chance.below(batch.length)) : batch;
}
