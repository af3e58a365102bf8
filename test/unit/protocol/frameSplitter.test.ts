import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { FrameSplitter } from '../../../src/protocol/frameSplitter.ts';

function framed(content: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeInt32BE(content.length);
  return Buffer.concat([size, content]);
}

function takeAll(splitter: FrameSplitter): Buffer[] {
  const frames: Buffer[] = [];
  for (let frame = splitter.next(); frame; frame = splitter.next()) frames.push(frame);
  return frames;
}

describe('a frame splitter', () => {
  const contents = [
    Buffer.from('one'),
    Buffer.alloc(0),
    Buffer.alloc(200_000, 3),
    Buffer.from('4'),
  ];
  const stream = Buffer.concat(contents.map(framed));

  it('finds the same frames however the stream is cut', () => {
    const random = seededRandom(42);
    for (let round = 0; round < 50; round++) {
      const splitter = new FrameSplitter();
      const frames: Buffer[] = [];
      for (let position = 0; position < stream.length;) {
        const length = 1 + random.below(round % 2 === 0 ? 5 : 90_000);
        splitter.push(stream.subarray(position, position + length));
        if (random.below(3) > 0) frames.push(...takeAll(splitter));
        position += length;
      }
      frames.push(...takeAll(splitter));
      assert.deepEqual(frames, contents);
      assert.equal(splitter.bufferedBytes, 0);
    }
  });

  it('does not copy a frame that lies within one chunk', () => {
    const splitter = new FrameSplitter();
    splitter.push(stream);
    const frames = takeAll(splitter);
    assert.equal(frames[2]?.buffer, stream.buffer);
  });

  it('can be asked for one frame at a time', () => {
    const splitter = new FrameSplitter();
    splitter.push(framed(Buffer.from('a')));
    splitter.push(framed(Buffer.from('b')));
    assert.equal(splitter.next()?.toString(), 'a');
    assert.equal(splitter.bufferedBytes, 5);
    assert.equal(splitter.next()?.toString(), 'b');
    assert.equal(splitter.next(), undefined);
  });

  it('refuses negative and oversized frames, after the good ones before them', () => {
    for (const size of ['ffffffff', '80000000', '00000065']) {
      const splitter = new FrameSplitter(100);
      splitter.push(framed(Buffer.from('good')));
      splitter.push(Buffer.from(size, 'hex'));
      assert.equal(splitter.next()?.toString(), 'good');
      assert.throws(() => splitter.next(), { name: 'ProtocolError', message: /at most 100/ });
    }
  });

  it('takes no memory for bytes that are only announced', () => {
    const before = process.memoryUsage().arrayBuffers;
    const splitters = Array.from({ length: 100 }, () => {
      const splitter = new FrameSplitter();
      splitter.push(Buffer.from('0600000041', 'hex')); // 100 MiB to come, and one byte of them
      assert.equal(splitter.next(), undefined);
      return splitter;
    });
    const taken = process.memoryUsage().arrayBuffers - before;
    assert.ok(taken < 20_000_000, `${taken} bytes for ${splitters.length} connections`);
  });
});
