import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { previewPayload } from '../../../src/codec/payloadPreview.ts';

describe('the preview of a payload', () => {
  it('tells null, empty and text apart [D5]', () => {
    assert.deepEqual(previewPayload(null), { kind: 'null' });
    assert.deepEqual(previewPayload(Buffer.alloc(0)), { kind: 'empty' });
    assert.deepEqual(previewPayload(Buffer.from('null')), {
      kind: 'text',
      text: 'null',
      size: 4,
      truncated: false,
    });
  });

  it('is hex for what is not UTF-8 all through, wherever the fault is [D5]', () => {
    const late = Buffer.concat([Buffer.from('a'.repeat(1000)), Buffer.from([0xff])]);
    const preview = previewPayload(late, 2);
    assert.deepEqual(preview, { kind: 'binary', hex: '6161', size: 1001, truncated: true });
    for (const bytes of [[0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      assert.equal(previewPayload(Buffer.from(bytes)).kind, 'binary');
    }
  });

  it('never cuts through a character [D5]', () => {
    const text = 'aé日🐙';
    for (let limit = 1; limit < Buffer.byteLength(text); limit++) {
      const preview = previewPayload(Buffer.from(text), limit);
      assert.ok(preview.kind === 'text' && preview.truncated);
      assert.ok(text.startsWith(preview.text), `${limit}: ${preview.text}`);
      assert.ok(Buffer.byteLength(preview.text) <= limit);
    }
  });

  it('reads bytes that lie anywhere in their memory', () => {
    const preview = previewPayload(new Uint8Array(Buffer.from('xxabcxx')).subarray(2, 5));
    assert.ok(preview.kind === 'text' && preview.text === 'abc');
  });
});
