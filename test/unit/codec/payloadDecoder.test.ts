import assert from 'node:assert/strict';
import avro from 'avsc';
import { describe, it } from 'mocha';
import protobuf from 'protobufjs';
import { makeDecoder } from '../../../src/codec/payloadDecoder.ts';
import { protobufMessages } from '../../../src/codec/protobufDecoder.ts';
import type { DecoderChoice } from '../../../src/shared/contracts/decoders.ts';

async function decoded(choice: DecoderChoice, bytes: Buffer): Promise<unknown> {
  const result = (await makeDecoder(choice))?.(bytes);
  return result && ('problem' in result ? `problem: ${result.problem}` : result.text);
}

const hex = (digits: string): Buffer => Buffer.from(digits, 'hex');

describe('decoders of payloads', () => {
  const cases: [DecoderChoice['kind'], string, string][] = [
    ['text', '48c3bc', 'Hü'],
    ['text', '48ff00c3', 'H\\xff\u0000\\xc3'],
    ['text', 'eda080', '\\xed\\xa0\\x80'],
    ['json', Buffer.from('{"id":9007199254740993}').toString('hex'), '{"id":9007199254740993}'],
    ['hex', '00ff10', '00 ff 10'],
    ['base64', '00ff10', 'AP8Q'],
    ['int32', 'fffffffe', '-2'],
    ['int32', '0000', 'problem: not int32: that takes 4 bytes, and there are 2'],
    ['int64', '7fffffffffffffff', '9223372036854775807'],
    ['float', '3fc00000', '1.5'],
    ['double', '7ff8000000000000', 'NaN'],
  ];
  for (const [kind, digits, expected] of cases) {
    it(`${kind} reads ${digits} as ${JSON.stringify(expected)} [D5]`, async () => {
      assert.equal(await decoded({ kind } as DecoderChoice, hex(digits)), expected);
    });
  }

  it('json says what is wrong and where [D5]', async () => {
    assert.match(
      String(await decoded({ kind: 'json' }, Buffer.from('{"a":'))),
      /^problem: not JSON: /,
    );
  });

  const record = {
    type: 'record',
    name: 'Order',
    fields: [
      { name: 'id', type: 'long' },
      { name: 'note', type: ['null', 'string'] },
      { name: 'raw', type: 'bytes' },
    ],
  } as const;
  const avroChoice = { kind: 'avro', path: 'order.avsc', schema: JSON.stringify(record) } as const;

  it('Avro by a schema file, exactly, with the registry’s frame and without [D5]', async () => {
    const bytes = avro.Type.forSchema(record as unknown as avro.Schema).toBuffer({
      id: 5,
      note: 'hi',
      raw: hex('00ff'),
    });
    const text = '{"id":5,"note":"hi","raw":"0x00ff"}';
    assert.equal(await decoded(avroChoice, bytes), text);
    const framed = Buffer.concat([hex('000000002a'), bytes]);
    const result = (await makeDecoder(avroChoice))?.(framed);
    assert.deepEqual(result, { text, isJson: true, note: 'schema id 42' });
    // The zigzag varint of 2^63 - 1, which a JavaScript number cannot hold.
    const largest = hex('feffffffffffffffff010000');
    assert.equal(
      await decoded(avroChoice, largest),
      '{"id":9223372036854775807,"note":null,"raw":"0x"}',
    );
  });

  const avroOf = (schema: object) =>
    ({ kind: 'avro', path: 'any.avsc', schema: JSON.stringify(schema) }) as const;
  const long = avro.Type.forSchema('long');

  it('Avro’s arrays and maps, in one block or several [D5]', async () => {
    const array = avroOf({ type: 'array', items: 'int' });
    // Two items in a block with its size, one in a block without, and the end.
    assert.equal(await decoded(array, hex('03040204020600')), '[1,2,3]');
    assert.equal(
      await decoded(avroOf({ type: 'array', items: 'null' }), hex('0600')),
      '[null,null,null]',
    );
    const map = avroOf({ type: 'map', values: 'long' });
    const entry = Buffer.concat([hex('0212'), Buffer.from('__proto__'), hex('0e00')]);
    assert.equal(await decoded(map, entry), '{"__proto__":7}');
  });

  it('items that take no bytes fill no memory, in many blocks or in arrays of arrays [D5]', async () => {
    const nulls = { type: 'array', items: 'null' };
    const block = long.toBuffer(1500);
    const blocks = Buffer.concat([...Array<Buffer>(2000).fill(block), hex('00')]);
    assert.match(String(await decoded(avroOf(nulls), blocks)), /not Avro .*: it has 1500 items/);
    const each = Buffer.concat([block, hex('00')]);
    const nested = Buffer.concat([
      long.toBuffer(2000),
      ...Array<Buffer>(2000).fill(each),
      hex('00'),
    ]);
    const type = { type: 'array', items: nulls };
    assert.match(String(await decoded(avroOf(type), nested)), /not Avro .*: it has 1500 items/);
    const million = Buffer.concat([long.toBuffer(1_000_001), Buffer.alloc(1_000_002)]);
    const ints = avroOf({ type: 'array', items: 'int' });
    assert.match(String(await decoded(ints, million)), /it has more than 1,000,000 items/);
  });

  for (const type of [
    { type: 'array', items: 'int' },
    { type: 'map', values: { type: 'array', items: 'null' } },
  ]) {
    it(`a few bytes that are no ${type.type} fill no memory, whatever count they begin with [D5]`, async () => {
      for (const count of [2e9, -2e9, 2 ** 50]) {
        const bytes = Buffer.concat([long.toBuffer(count), hex('0102030405060708')]);
        assert.match(String(await decoded(avroOf(type), bytes)), /not Avro .*: it has \d+ items/);
      }
    });
  }

  it('says why bytes are not Avro of the schema, and why a schema is none [D5]', async () => {
    assert.match(String(await decoded(avroChoice, hex('0a'))), /^problem: not Avro Order: /);
    await assert.rejects(
      makeDecoder({ ...avroChoice, schema: '{"type":"recrod"}' }),
      /not an Avro schema/,
    );
    await assert.rejects(makeDecoder({ ...avroChoice, schema: 'record' }), /not an Avro schema/);
  });

  const proto = `syntax = "proto3"; package shop; import "google/protobuf/timestamp.proto";
    message Order { int64 id = 1; string note = 2; google.protobuf.Timestamp at = 3; enum Kind { A = 0; B = 1; } Kind kind = 4; }
    message Refund { bytes raw = 1; }`;
  const protoChoice = {
    kind: 'protobuf',
    path: 'shop.proto',
    schema: proto,
    message: 'shop.Order',
  } as const;

  it('Protobuf by a schema file, with the registry’s frame and without [D5]', async () => {
    assert.deepEqual(protobufMessages(proto), ['shop.Order', 'shop.Refund']);
    const type = protobuf
      .parse('syntax = "proto3"; message O { int64 id = 1; string note = 2; int32 kind = 4; }')
      .root.lookupType('O');
    const bytes = Buffer.from(type.encode({ id: 7, note: 'hi', kind: 1 }).finish());
    const text = '{"id":"7","note":"hi","kind":"B"}';
    assert.equal(await decoded(protoChoice, bytes), text);
    assert.equal(await decoded(protoChoice, Buffer.concat([hex('000000002a00'), bytes])), text);
    assert.equal(await decoded(protoChoice, Buffer.concat([hex('000000002a0200'), bytes])), text);
    assert.match(String(await decoded(protoChoice, hex('0a05'))), /^problem: not a shop.Order: /);
    await assert.rejects(
      makeDecoder({ ...protoChoice, schema: 'message {' }),
      /not a Protobuf schema/,
    );
  });

  describe('Protobuf that means harm [D5]', () => {
    const schema = `syntax = "proto3"; message Empty {}
      message M { repeated Empty items = 1; M inner = 2; map<string, int32> map = 3; repeated double packed = 4;
        repeated int64 signed = 5; repeated uint64 unsigned = 6; repeated sint64 zigzag = 7; }`;
    const read = async (bytes: Buffer): Promise<string> =>
      String(await decoded({ kind: 'protobuf', path: 'm.proto', schema, message: 'M' }, bytes));

    it('is no message where a length or a count is more than its bytes can hold', async () => {
      for (const tag of ['0a', '12', '1a', '22']) {
        assert.match(await read(hex(`${tag}ffffffff07010203`)), /not a M: index out of range/);
      }
    });

    it('is read only so deep, as messages or as groups of an unknown or a known field', async () => {
      let nested = Buffer.alloc(0);
      for (let depth = 0; depth < 120; depth++) {
        const size = nested.length;
        const length = size < 128 ? [size] : [(size & 127) | 128, size >> 7];
        nested = Buffer.concat([Buffer.from([0x12, ...length]), nested]);
      }
      assert.match(await read(nested), /not a M: max depth exceeded/);
      for (const group of [0x7b, 0x13]) {
        assert.match(await read(Buffer.alloc(100_000, group)), /not a M: max depth exceeded/);
      }
    });

    it('fills no memory with messages of two bytes, nor with what is too large at all', async () => {
      const few = Buffer.alloc(20, hex('0a00'));
      assert.equal(await read(few), `{"items":[${'{},'.repeat(9)}{}]}`);
      const many = Buffer.alloc(2_000_002, hex('0a00'));
      assert.match(await read(many), /not a M: it has more than 1,000,000 fields/);
      const large = Buffer.alloc(8 * 1024 * 1024 + 1);
      assert.match(await read(large), /too large to be read by a schema: more than 8 MB/);
    });

    it('fills no memory with numbers of 64 bits that take a byte each', async () => {
      const count = 1_000_001;
      const size = Buffer.from([(count & 127) | 128, ((count >> 7) & 127) | 128, count >> 14]);
      for (const field of ['2a', '32', '3a']) {
        const many = Buffer.concat([hex(field), size, Buffer.alloc(count, 2)]);
        assert.match(await read(many), /not a M: it has more than 1,000,000 fields/);
      }
      assert.equal(await read(hex('2a0302ac02')), '{"signed":["2","300"]}');
    });

    it('keeps a key named like a prototype as any other', async () => {
      const entry = Buffer.concat([hex('1a0d0a09'), Buffer.from('__proto__'), hex('1005')]);
      assert.equal(await read(entry), '{"map":{"__proto__":5}}');
    });
  });
});
