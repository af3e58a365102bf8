import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { RecordDetails } from '../../../../src/shared/contracts/recordDetails.ts';
import { recordText } from '../../../../src/ui/panels/recordText.ts';

const base64 = (bytes: string | readonly number[]): string =>
  (typeof bytes === 'string' ? Buffer.from(bytes) : Buffer.from(bytes)).toString('base64');

const record: RecordDetails = {
  topic: 'orders',
  partition: 2,
  offset: '9223372036854775807',
  timestamp: '0',
  timestampType: 'CreateTime',
  key: base64([0, 255, 65]),
  value: base64('{"id":9007199254740993,"id":2}'),
  headers: [
    { key: base64('retry'), value: null },
    { key: base64('retry'), value: '' },
    { key: base64('n'), value: base64([1, 2]) },
  ],
  batch: {
    baseOffset: '0',
    lastOffset: '0',
    recordCount: 1,
    sizeInBytes: 1,
    compression: 'none',
    leaderEpoch: 0,
    producerId: '-1',
    producerEpoch: -1,
    baseSequence: -1,
    isTransactional: false,
  },
};

describe('a record as text to compare', () => {
  it('has everything of it, JSON laid out and every digit kept [D9]', () => {
    assert.equal(
      recordText(record),
      [
        'topic: orders',
        'partition: 2',
        'offset: 9223372036854775807',
        'timestamp: 0 (1970-01-01T00:00:00.000Z, CreateTime)',
        `key: ${'00 ff 41'.padEnd(48)} ··A`,
        'headers: 3',
        '  retry: ⌀ null',
        '  retry: empty',
        '  n: \u0001\u0002',
        'value:',
        '{',
        '  "id": 9007199254740993,',
        '  "id": 2',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('has what a decoder makes of it, and says where it is no date [D9]', () => {
    const text = recordText({
      ...record,
      timestamp: '9223372036854775807',
      value: null,
      decodedKey: { text: '42', isJson: false },
      headers: [],
    });
    assert.match(text, /^key: 42$/m);
    assert.match(text, /^timestamp: 9223372036854775807 \(no date, CreateTime\)$/m);
    assert.match(text, /^value: ⌀ null$/m);
  });
});
