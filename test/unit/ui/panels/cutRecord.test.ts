import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as v from 'valibot';
import type { RecordDetails } from '../../../../src/shared/contracts/recordDetails.ts';
import { tailHost } from '../../../../src/shared/contracts/tail.ts';
import { cutRecord } from '../../../../src/ui/panels/cutRecord.ts';
import { payloadInForm } from '../../../../src/ui/panels/payloadInForm.ts';

const mebibyte = 1024 * 1024;

const recordOf = (key: Buffer | null, value: Buffer | null): RecordDetails => ({
  ...{ topic: 'orders', partition: 0, offset: '1', timestamp: '0', timestampType: 'CreateTime' },
  ...{ key: key?.toString('base64') ?? null, value: value?.toString('base64') ?? null },
  headers: [],
  batch: {
    ...{ baseOffset: '0', lastOffset: '1', recordCount: 2, sizeInBytes: 9, compression: 'none' },
    ...{ leaderEpoch: 0, producerId: '-1', producerEpoch: -1, baseSequence: -1 },
    isTransactional: false,
  },
});

const bytesOf = (base64: string | null): Buffer => Buffer.from(base64 ?? '', 'base64');

describe('a record as a page can show it', () => {
  it('is whole where its payloads are at most 1 MiB [D5]', () => {
    const record = recordOf(null, Buffer.alloc(mebibyte, 'a'));
    assert.deepEqual(cutRecord(record), record);
  });

  it('has the first part of a large text, and no part of a character [D5]', () => {
    // Three bytes each: 1 MiB ends within one.
    const text = JSON.stringify('한'.repeat(500_000));
    const { value, cutValue, cutKey } = cutRecord(recordOf(null, Buffer.from(text)));
    const first = bytesOf(value).toString('utf8');
    assert.ok(text.startsWith(first) && !first.includes('\ufffd'));
    assert.equal(bytesOf(value).length, mebibyte);
    assert.deepEqual(cutValue, { bytes: 1_500_002, isText: true, isJson: false });
    assert.equal(cutKey, undefined);
    const shifted = cutRecord(recordOf(null, Buffer.from(` ${text}`)));
    assert.equal(bytesOf(shifted.value).length, mebibyte - 2);
  });

  it('says of a large text whether it is an object or array [D5]', () => {
    const isJson = (text: string): boolean | undefined =>
      cutRecord(recordOf(null, Buffer.from(text))).cutValue?.isJson;
    const long = '"x",'.repeat(mebibyte);
    assert.equal(isJson(` [${long}1]\n`), true);
    assert.equal(isJson(`{"a":[${long}1]}`), true);
    assert.equal(isJson(`[${long}1`), false);
    assert.equal(isJson(long), false);
  });

  it('has 64 KiB of bytes that are no text, of a key as well [D5]', () => {
    const key = Buffer.alloc(2 * mebibyte, 0xff);
    const cut = cutRecord(recordOf(key, null));
    assert.deepEqual(bytesOf(cut.key), key.subarray(0, 64 * 1024));
    assert.deepEqual(cut.cutKey, { bytes: key.length, isText: false, isJson: false });
    assert.equal(cut.value, null);
  });

  it('has the first part of what a decoder makes of a payload [D5]', () => {
    const record = recordOf(null, Buffer.from('short'));
    const decodedValue = { text: 'x'.repeat(2 * mebibyte), isJson: false };
    const cut = cutRecord({ ...record, decodedValue });
    assert.deepEqual(cut.decodedValue, { text: 'x'.repeat(mebibyte), isJson: false });
    assert.deepEqual(cut.cutValue, { bytes: 5, isText: true, isJson: false });
  });

  it('has the first part of the value and of the key of a large header, and the others whole [D5]', () => {
    const value = Buffer.alloc(2 * mebibyte, 'a');
    const header = { key: Buffer.alloc(mebibyte, 'k').toString('base64'), value: null };
    const headers = [
      { key: 'a2V5', value: value.toString('base64') },
      { key: 'a2V5', value: 'c2hvcnQ=' },
      header,
    ];
    const [large, short, named] = cutRecord({ ...recordOf(null, null), headers }).headers;
    assert.equal(bytesOf(large?.value ?? null).length, 64 * 1024);
    assert.deepEqual(large?.cutValue, { bytes: value.length, isText: true, isJson: false });
    assert.deepEqual(short, headers[1]);
    assert.equal(bytesOf(named?.key ?? null).length, 64 * 1024);
    assert.deepEqual(named?.cutKey, { bytes: mebibyte, isText: true, isJson: false });
  });

  it('has of all headers together not much more than of a payload [D5]', () => {
    const value = Buffer.alloc(50_000, 0xff).toString('base64');
    const headers = Array.from({ length: 1000 }, () => ({ key: 'a2V5', value }));
    const cut = cutRecord({ ...recordOf(null, null), headers }).headers;
    const size = cut.reduce((sum, header) => sum + bytesOf(header.value).length, 0);
    assert.ok(size < 1.5 * mebibyte, `${size} bytes`);
    assert.deepEqual(cut[0], headers[0]);
  });
});

describe('what is taken of a record', () => {
  it('is a payload, also to an editor or a file, or the record as text to the clipboard [D5]', () => {
    const record = { partition: 0, offset: '3' };
    const isTaken = (part: object): boolean => v.is(tailHost.takePart.params, { record, ...part });
    for (const to of ['clipboard', 'editor', 'file']) {
      for (const part of ['key', 'value', { header: 2 }]) {
        assert.ok(isTaken({ of: part, form: 'text', to }), to);
      }
      assert.equal(isTaken({ of: 'record', form: 'json', to }), to === 'clipboard');
    }
  });
});

describe('a whole payload in a form', () => {
  const base64 = Buffer.from('{"id":9007199254740993}').toString('base64');

  it('is exact in each [D5]', () => {
    assert.equal(payloadInForm(base64, undefined, 'text'), '{"id":9007199254740993}');
    assert.equal(payloadInForm(base64, undefined, 'json'), '{\n  "id": 9007199254740993\n}');
    assert.equal(payloadInForm(base64, undefined, 'base64'), base64);
    assert.equal(payloadInForm(Buffer.from([0, 255]).toString('base64'), undefined, 'hex'), '00ff');
    const decoded = { text: '[1]', isJson: true };
    assert.equal(payloadInForm(base64, decoded, 'decoded'), '[\n  1\n]');
    assert.equal(payloadInForm(base64, { ...decoded, isJson: false }, 'decoded'), '[1]');
  });
});
