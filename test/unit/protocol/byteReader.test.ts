import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { ByteReader } from '../../../src/protocol/byteReader.ts';
import { ByteWriter } from '../../../src/protocol/byteWriter.ts';
import { ProtocolError } from '../../../src/protocol/protocolError.ts';

function written(write: (writer: ByteWriter) => void): Buffer {
  const writer = new ByteWriter();
  write(writer);
  return writer.takeBuffer();
}

const reader = (hex: string): ByteReader => new ByteReader(Buffer.from(hex, 'hex'));

describe('varints', () => {
  const unsigned = [0, 1, 127, 128, 16383, 16384, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
  for (const value of unsigned) {
    it(`carry ${value} unsigned`, () => {
      const bytes = written((writer) => writer.writeUnsignedVarint(value));
      assert.equal(new ByteReader(bytes).readUnsignedVarint(), value);
    });
  }

  for (const value of [0, -1, 1, -64, 64, -65, 2 ** 31 - 1, -(2 ** 31)]) {
    it(`carry ${value} in zigzag`, () => {
      const bytes = written((writer) => writer.writeVarint(value));
      assert.equal(new ByteReader(bytes).readVarint(), value);
    });
  }

  const long = [0n, -1n, 1n, 2n ** 30n, -(2n ** 30n), 2n ** 48n, -(2n ** 48n), 2n ** 55n];
  for (const value of [...long, 2n ** 62n, 2n ** 63n - 1n, -(2n ** 63n)]) {
    it(`carry ${value} in zigzag, as an int64`, () => {
      const bytes = written((writer) => writer.writeVarlong(value));
      const back = new ByteReader(bytes);
      assert.equal(back.readVarlong(), value);
      assert.equal(back.remaining, 0);
    });
  }

  it("are Kafka's bytes", () => {
    assert.equal(written((writer) => writer.writeUnsignedVarint(300)).toString('hex'), 'ac02');
    assert.equal(written((writer) => writer.writeVarint(-1)).toString('hex'), '01');
    assert.equal(written((writer) => writer.writeVarint(63)).toString('hex'), '7e');
    const smallest = written((writer) => writer.writeVarlong(-(2n ** 63n)));
    assert.equal(smallest.toString('hex'), 'ffffffffffffffffff01');
  });

  it('are refused when they do not end in time', () => {
    assert.throws(() => reader('ffffffffff01').readUnsignedVarint(), ProtocolError);
    assert.throws(() => reader('ffffffffffffffffffff01').readVarlong(), ProtocolError);
    assert.throws(() => reader('ff').readVarint(), ProtocolError);
  });
});

describe('a reader', () => {
  it('refuses to read past the end, and says where it stands', () => {
    const short = reader('0000000000');
    short.readInt32();
    assert.throws(() => short.readInt16(), {
      name: 'ProtocolError',
      message: '2 bytes are needed, and 1 are left (at byte 4)',
      position: 4,
    });
  });

  it('refuses negative lengths', () => {
    assert.throws(() => reader('00').readBytes(-1), ProtocolError);
    assert.throws(() => reader('00').skip(-1), ProtocolError);
  });

  it('gives bytes as views of what it reads', () => {
    const source = Buffer.from('abcdef');
    const view = new ByteReader(source, 1).readBytes(3);
    source[1] = 'X'.charCodeAt(0);
    assert.equal(view.toString(), 'Xcd');
  });

  it('reads any Uint8Array, also one that starts inside its memory', () => {
    assert.equal(new ByteReader(Uint8Array.of(9, 0, 5).subarray(1)).readInt16(), 5);
  });

  it('refuses strings longer than Kafka allows', () => {
    const long = new ByteReader(Buffer.alloc(40_000));
    assert.throws(() => long.readString(32_768), /longer than 32767/);
  });
});

describe('a writer', () => {
  it('keeps the order of small and large pieces', () => {
    const large = Buffer.alloc(5000, 7);
    const parts = new ByteWriter();
    for (let index = 0; index < 300; index++) parts.writeInt32(index);
    parts.writeBytes(large);
    parts.writeString('end', 3);
    assert.equal(parts.size, 1200 + 5000 + 3);
    const bytes = parts.takeBuffer();
    assert.equal(bytes.length, 6203);
    assert.equal(bytes.readInt32BE(299 * 4), 299);
    assert.deepEqual(bytes.subarray(1200, 6200), large);
    assert.equal(bytes.subarray(6200).toString(), 'end');
  });

  it('does not copy large pieces', () => {
    const large = Buffer.alloc(5000);
    const writer = new ByteWriter();
    writer.writeInt8(1);
    writer.writeBytes(large);
    const part = writer.takeParts()[1];
    large[0] = 9;
    assert.equal(part?.[0], 9);
  });

  it('refuses what is not a UUID', () => {
    for (const text of [
      '',
      'AAAAAAAAAAAAAAAAAAAAA',
      'AAAAAAAAAAAAAAAAAAAAAAA',
      'A A AAAAAAAAAAAAAAAAAAA',
    ]) {
      assert.throws(() => written((writer) => writer.writeUuid(text)), /not a UUID/);
    }
  });

  it('refuses numbers that do not fit', () => {
    assert.throws(() => written((writer) => writer.writeInt16(32_768)), RangeError);
    assert.throws(() => written((writer) => writer.writeUint16(-1)), RangeError);
  });
});
