import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RecordDetails } from '../../../../src/shared/contracts/recordDetails.ts';
import { recordOf } from '../../../../src/ui/panels/produceDraft.ts';
import { recordDraft } from '../../../../src/ui/panels/recordDraft.ts';

const inBase64 = (payload: string | Uint8Array): string => Buffer.from(payload).toString('base64');
const binary = inBase64(Uint8Array.of(0xff, 0));

const details = (record: Pick<RecordDetails, 'key' | 'value' | 'headers'>): RecordDetails => ({
  topic: 'orders',
  partition: 2,
  offset: '7',
  timestamp: '-5',
  timestampType: 'CreateTime',
  ...record,
  batch: {
    baseOffset: '0',
    lastOffset: '9',
    recordCount: 10,
    sizeInBytes: 1804,
    compression: 'none',
    leaderEpoch: 0,
    producerId: '-1',
    producerEpoch: -1,
    baseSequence: -1,
    isTransactional: false,
  },
});

describe('the draft of a record that is produced again', () => {
  it('takes text as text, what was seen as JSON as JSON, null as null, and other bytes as base64 [E5]', () => {
    const record = details({
      key: inBase64('1'),
      value: inBase64('{"id":9007199254740993}\r\n'),
      headers: [
        { key: inBase64('trace'), value: binary },
        { key: inBase64('trace'), value: null },
        { key: inBase64(''), value: '' },
        { key: inBase64('lines'), value: inBase64('a\nb') },
      ],
    });
    const draft = recordDraft(record, { keyForm: 'text', valueForm: 'json' });
    assert.deepEqual(draft, {
      topic: 'orders',
      partition: 2,
      key: { kind: 'text', text: '1' },
      value: { kind: 'json', text: '{"id":9007199254740993}\r\n' },
      headers: [
        { key: 'trace', value: { kind: 'base64', text: binary } },
        { key: 'trace', value: { kind: 'null' } },
        { key: '', value: { kind: 'text', text: '' } },
        { key: 'lines', value: { kind: 'base64', text: inBase64('a\nb') } },
      ],
      timestamp: null,
      acks: 'all',
      compression: 'none',
      delivery: 'plain',
    });
  });

  it('comes to the same bytes, whatever form they were seen in [E5]', () => {
    const payloads = [
      null,
      '',
      binary,
      inBase64('\uFEFFtext'),
      inBase64('a\r\nb'),
      inBase64('{"a'),
      inBase64('7'),
    ];
    for (const payload of payloads) {
      for (const form of ['decoded', 'json', 'text', 'hex', 'base64', undefined] as const) {
        const record = details({ key: payload, value: payload, headers: [] });
        const draft = recordDraft(record, { keyForm: form, valueForm: form });
        const sent = recordOf(draft);
        const expected = payload === null ? null : Buffer.from(payload, 'base64');
        assert.deepEqual([sent.key, sent.value], [expected, expected], `${payload} as ${form}`);
      }
    }
  });

  it('keeps header keys that are no text of one line, as base64 [E1] [E5]', () => {
    const headers = [
      { key: binary, value: null },
      { key: inBase64('a\nb'), value: null },
      { key: inBase64('kept'), value: null },
    ];
    const draft = recordDraft(details({ key: null, value: null, headers }), {});
    const none = { kind: 'null' };
    assert.deepEqual(draft.headers, [
      { key: binary, keyForm: 'base64', value: none },
      { key: inBase64('a\nb'), keyForm: 'base64', value: none },
      { key: 'kept', value: none },
    ]);
    assert.deepEqual(
      recordOf(draft).headers.map(({ key }) => Buffer.from(key).toString('base64')),
      headers.map(({ key }) => key),
    );
  });
});
