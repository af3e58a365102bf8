import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { decodeUtf8, fromBase64, hexDump, toHex } from '../../../webview/kit/bytes.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

describe('bytes', () => {
  it('come out of base64 as they went in', () => {
    const all = Uint8Array.from({ length: 1024 }, (_, i) => i & 255);
    assert.deepEqual(fromBase64(Buffer.from(all).toString('base64')), all);
    assert.deepEqual(fromBase64(''), bytes());
  });

  it('are text only where they are valid UTF-8, byte order mark included', () => {
    assert.equal(decodeUtf8(Buffer.from('田中 🙂')), '田中 🙂');
    assert.equal(decodeUtf8(bytes(0xef, 0xbb, 0xbf, 0x61)), '\ufeffa');
    assert.equal(decodeUtf8(bytes(0xff)), undefined);
    assert.equal(decodeUtf8(bytes(0xc0, 0x80)), undefined);
    assert.equal(decodeUtf8(bytes(0xe7, 0x94)), undefined);
  });

  it('are written in hex as tools take it', () => assert.equal(toHex(bytes(0, 255, 16)), '00ff10'));

  it('are dumped in lines of 16 with position and characters', () => {
    assert.equal(
      hexDump(Buffer.from('Kafka\0\x7f~ 0123456789')),
      [
        '00000000  4b 61 66 6b 61 00 7f 7e  20 30 31 32 33 34 35 36  Kafka··~ 0123456',
        '00000010  37 38 39                                          789',
      ].join('\n'),
    );
    assert.equal(hexDump(bytes()), '');
  });
});
