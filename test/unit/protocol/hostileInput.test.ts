// Bytes from someone who means harm: nothing but ProtocolErrors comes out, and claims take no memory.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import { apis } from '../../../src/protocol/apis.ts';
import { decodeRequest } from '../../../src/protocol/frames.ts';
import { decodeMessage, encodeMessage } from '../../../src/protocol/messageCodec.ts';
import { findCoordinatorRequest } from '../../../src/protocol/messages/findCoordinator.ts';
import { fetchRequest } from '../../../src/protocol/messages/fetch.ts';
import { ProtocolError } from '../../../src/protocol/protocolError.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import type { MessageSchema } from '../../../src/protocol/schema.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { RandomMessages } from '../../support/randomMessage.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);

/** Runs `decode`, of which anything but success and a ProtocolError fails the test. */
function survives(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    if (error instanceof ProtocolError) return false;
    throw error;
  }
}

const schemas: readonly MessageSchema[] = Object.values(apis).flatMap(({ request, response }) => [
  request,
  response,
]);

function eachVersion(visit: (schema: MessageSchema, version: number) => void): void {
  for (const schema of schemas) {
    const { min, max } = parseVersions(schema.versions);
    for (let version = min; version <= max; version++) visit(schema, version);
  }
}

/** Runs of bytes of a good message overwritten, often with what large lengths begin with. */
function damage(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let count = 1 + random.below(4); count > 0 && copy.length > 0; count--) {
    const value = [0x7f, 0x80, 0xff, 0x00, random.below(256)][random.below(5)] ?? 0;
    const start = random.below(copy.length);
    copy.subarray(start, start + 1 + random.below(6)).fill(value);
  }
  return copy;
}

describe(`hostile messages, KAFKA_WORKBENCH_SEED=${seed}`, () => {
  it('cut off at any byte are refused, all of them', () => {
    const messages = new RandomMessages(seededRandom(seed));
    eachVersion((schema, version) => {
      const bytes = encodeMessage(schema, version, messages.message(schema, version));
      for (let length = 0; length < Math.min(bytes.length, 300); length++) {
        const cut = bytes.subarray(0, length);
        assert.equal(
          survives(() => decodeMessage(schema, version, cut)),
          false,
          `${schema.name} v${version} of ${bytes.length} bytes at ${length}`,
        );
      }
    });
  });

  it('of random bytes are refused or read', () => {
    const random = seededRandom(seed);
    eachVersion((schema, version) => {
      for (let count = 0; count < 40; count++) {
        const bytes = Buffer.from(random.bytes(random.below(120)));
        survives(() => decodeMessage(schema, version, bytes));
        survives(() => decodeRequest(bytes));
      }
    });
  });

  it('that were good once are refused or read', () => {
    const random = seededRandom(seed);
    const messages = new RandomMessages(random);
    eachVersion((schema, version) => {
      const bytes = encodeMessage(schema, version, messages.message(schema, version));
      for (let count = 0; count < 20; count++) {
        const damaged = damage(bytes, random);
        survives(() => decodeMessage(schema, version, damaged));
      }
    });
  });
});

describe('hostile lengths', () => {
  const zeroSizeItems = {
    name: 'ZeroSizeItems',
    versions: '0-1',
    flexible: 'none',
    fields: {
      outer: { type: 'array', versions: '0+', items: { late: { type: 'int32', versions: '1+' } } },
    },
  } as const satisfies MessageSchema;

  it('of items that take no bytes are still bounded by the bytes that are left', () => {
    const claim = Buffer.from('7fffffff', 'hex');
    assert.throws(() => decodeMessage(zeroSizeItems, 0, claim), {
      message: 'ZeroSizeItems v0.outer: an array of 2147483647 items in 0 bytes (at byte 4)',
    });
    const possible = Buffer.concat([Buffer.from('00000003', 'hex'), Buffer.alloc(3)]);
    assert.deepEqual(decodeMessage(zeroSizeItems, 0, possible).outer.length, 3);
  });

  it('of more items than any message needs are refused, however many bytes there are', () => {
    const names = Buffer.alloc(5_000_000, 1); // empty strings of one byte each
    const bytes = Buffer.concat([Buffer.from('0180968002', 'hex'), names]);
    assert.throws(() => decodeMessage(findCoordinatorRequest, 4, bytes), {
      message: /coordinatorKeys: more than 4194304 array items/,
    });
  });

  it('of strings, bytes and arrays are refused before memory is taken', () => {
    const head = encodeMessage(fetchRequest, 12, {}).subarray(0, 21);
    for (const length of ['ffffffff0f', 'ffffffff07', '8080808008', 'ffffffffff']) {
      const bytes = Buffer.concat([head, Buffer.from(length, 'hex')]);
      assert.throws(() => decodeMessage(fetchRequest, 12, bytes), ProtocolError);
    }
  });

  it('of tagged sections end with the bytes', () => {
    const bytes = Buffer.concat([
      encodeMessage(fetchRequest, 12, {}).subarray(0, -1),
      Buffer.from('ffffffff0f', 'hex'),
      Buffer.alloc(1000, 0x63),
    ]);
    assert.throws(() => decodeMessage(fetchRequest, 12, bytes), /tagged fields/);
  });
});

describe(`hostile batches, KAFKA_WORKBENCH_SEED=${seed}`, () => {
  const records = [
    { key: Buffer.from('key'), value: Buffer.alloc(50, 1), headers: [{ key: 'h', value: null }] },
    { value: Buffer.alloc(300, 2) },
  ];

  for (const compression of ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const) {
    it(`in ${compression} that were good once are refused or read`, () => {
      const random = seededRandom(seed);
      const good = buildRecordBatch({ records, compression });
      for (let count = 0; count < 3000; count++) {
        const bytes = damage(good, random);
        survives(() => {
          for (const batch of batches(bytes)) {
            for (const record of readRecords(batch, { maxDecompressedBytes: 100_000 })) {
              assert.ok((record.value?.length ?? 0) <= 100_000);
            }
          }
        });
      }
    });
  }
});
