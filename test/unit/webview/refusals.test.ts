import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { refusals, type Scene } from '../../../webview/produce/refusals.ts';

const cluster = { id: 'c', name: 'staging', readOnly: false };
const draft = { topic: 'orders', delivery: 'plain' } as const;
const scene: Scene = {
  ...{ clusterWhy: undefined, isSending: false, fault: undefined },
  ...{ setup: { cluster }, draft, looked: { problems: [] } },
};
const value = { field: 'value', message: 'line 1: no JSON' };

describe('why a record cannot be sent', () => {
  it('is nothing where all is well', () => {
    assert.deepEqual(refusals(scene), { one: undefined, many: undefined });
  });

  it('is the same for one and for many where the cluster, its connection or the topic is not there', () => {
    const both = (why: string) => ({ one: why, many: why });
    assert.deepEqual(refusals({ ...scene, clusterWhy: 'It is down.' }), both('It is down.'));
    assert.deepEqual(refusals({ ...scene, setup: undefined }), both('Not connected yet.'));
    const setup = { cluster: { ...cluster, readOnly: true } };
    assert.deepEqual(refusals({ ...scene, setup }), both('staging is read-only.'));
    const withoutTopic = { ...draft, topic: '' };
    assert.deepEqual(refusals({ ...scene, draft: withoutTopic }), both('Choose a topic.'));
  });

  it('names the field that is not right, beside which the reason stands, and counts several [E1]', () => {
    const looked = { problems: [value] };
    assert.equal(refusals({ ...scene, looked }).one, 'Value is not right yet.');
    const headers = [0, 1].map((i) => ({ field: `headers.${i}.value`, message: 'odd' }));
    const two = refusals({ ...scene, looked: { problems: [value, ...headers] } });
    assert.equal(two.one, '2 fields are not right yet.');
  });

  it('is its delivery where many are sent otherwise than at least once [E2]', () => {
    const inTransaction = { ...draft, delivery: 'commit' } as const;
    const { one, many } = refusals({ ...scene, draft: inTransaction });
    assert.equal(one, undefined);
    assert.match(many ?? '', /At least once/);
  });
});
