import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reopened, type TailSubject } from '../../../../src/ui/panels/tailSubject.ts';

const cluster = {
  ...({ id: 'embedded', name: 'Embedded', kind: 'embedded', readOnly: false } as const),
  bootstrap: ['127.0.0.1:9092'],
};
const scope = { isolation: 'read_committed', markers: true } as const;
const within = { fromMs: 1, toMs: 2 };
const shown: TailSubject = {
  ...{ cluster, topic: 'orders', from: 'earliest' },
  ...{ scope, filter: 'O-1', within },
};
const asked: TailSubject = { cluster, topic: 'orders', from: 'group billing' };

describe('a tail that is asked for again', () => {
  it('starts where it is asked to, with the filter that it has [D2] [D4]', () =>
    assert.deepEqual(reopened(shown, asked), { ...asked, scope, filter: 'O-1', within }));

  it('starts over as it began where it is over, and is asked for as it is [D1] [D2]', () => {
    const fresh: TailSubject = { cluster, topic: 'orders', from: 'last 100', isFresh: true };
    const { partitions, ...over } = { ...shown, partitions: [0] };
    assert.deepEqual(reopened({ ...over, partitions }, fresh), { ...over, isFresh: true });
  });

  it('shows a record that it is to open, and what a link says, whatever it has filtered [D9]', () => {
    const record = { ...asked, open: { partition: 0, offset: 7n } };
    assert.deepEqual(reopened(shown, record), record);
    const linked = { ...asked, filter: '' };
    assert.deepEqual(reopened(shown, linked), linked);
  });
});
