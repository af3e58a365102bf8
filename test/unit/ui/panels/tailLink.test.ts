import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import {
  linkedCluster,
  linkedSubject,
  readTailLink,
  tailLinkPath,
  tailLinkQuery,
} from '../../../../src/ui/panels/tailLink.ts';
import type { TailSubject } from '../../../../src/ui/panels/tailSubject.ts';

const profile = (id: string, name: string): ClusterProfile => ({
  id,
  name,
  kind: 'remote',
  bootstrap: ['kafka:9092'],
  readOnly: false,
});
const staging = profile('a1', 'staging');
const subject: TailSubject = {
  cluster: staging,
  topic: 'orders',
  partitions: [0, 2],
  from: '@2026-11-29T14:00Z',
  scope: { isolation: 'read_committed', markers: true },
  filter: '/Zürich & “100%”#?+ \u{1F600}/',
  within: { fromMs: 1, toMs: 2 },
};
const query = tailLinkQuery(subject, { partition: 2, offset: '9223372036854775807' });

describe('a link to a tail', () => {
  it('opens what was shown, to the last letter of the filter [D9]', () => {
    const view = readTailLink(tailLinkPath, query) ?? assert.fail();
    assert.deepEqual(linkedSubject(view, staging), {
      ...subject,
      open: { partition: 2, offset: 9_223_372_036_854_775_807n },
    });
    assert.match(query, /^[\w=-]+$/);
  });

  it('holds no address and nothing secret [D9] [B3]', () => {
    const json = Buffer.from(query.slice('view='.length), 'base64url').toString();
    assert.ok(!json.includes('kafka:9092'));
  });

  it('is not made where it would be refused [D9]', () => {
    assert.throws(() => tailLinkQuery({ ...subject, filter: 'ü'.repeat(10_000) }), {
      message: 'This view is too much for a link.',
    });
    const longest = tailLinkQuery({ ...subject, filter: 'x'.repeat(10_000) });
    assert.ok(readTailLink(tailLinkPath, longest));
  });

  it('means a connection that is known, by id or else by a name that only one has [D9]', () => {
    const view = readTailLink(tailLinkPath, query) ?? assert.fail();
    const elsewhere = profile('b7', 'staging');
    assert.equal(linkedCluster(view, [profile('a1', 'production'), staging]), staging);
    assert.equal(linkedCluster(view, [elsewhere]), elsewhere);
    assert.equal(linkedCluster(view, [elsewhere, profile('c', 'staging')]), undefined);
    assert.equal(linkedCluster(view, [profile('a1', 'production')]), undefined);
  });

  const refused: [string, unknown][] = [
    ['a topic with a slash', { topic: '../x' }],
    ['a topic that is no text', { topic: 3 }],
    ['a partition that is none', { partitions: [-1] }],
    ['no partition at all', { partitions: [] }],
    ['a filter without end', { filter: 'x'.repeat(10_001) }],
    ['a time that ends before it begins', { within: { fromMs: 2, toMs: 1 } }],
    ['an offset that is none', { record: { partition: 0, offset: '1e3' } }],
  ];
  const encoded = (view: unknown): string =>
    `view=${Buffer.from(JSON.stringify(view)).toString('base64url')}`;
  const sound = { cluster: { id: 'a1', name: 'staging' }, topic: 'orders', from: 'latest' };
  for (const [what, change] of refused) {
    it(`is refused with ${what} [D9]`, () => {
      assert.ok(readTailLink(tailLinkPath, encoded(sound)));
      assert.equal(readTailLink(tailLinkPath, encoded({ ...sound, ...Object(change) })), undefined);
    });
  }

  it('is refused where it is another’s, is cut off, or is huge [D9]', () => {
    assert.equal(readTailLink('/produce', query), undefined);
    assert.equal(readTailLink(tailLinkPath, query.slice(0, -20)), undefined);
    assert.equal(readTailLink(tailLinkPath, ''), undefined);
    assert.equal(readTailLink(tailLinkPath, `${query}&command=x`), undefined);
    assert.equal(readTailLink(tailLinkPath, `view=${'A'.repeat(50_000)}`), undefined);
  });
});
