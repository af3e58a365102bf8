import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { GroupFigures } from '../../../../src/cluster/model.ts';
import type { NodeContent } from '../../../../src/ui/trees/node.ts';
import { describe as describeNode } from '../../../../src/ui/trees/describe.ts';
import type { RowText } from '../../../../src/ui/trees/rowText.ts';
import { commit, embeddedProfile, group, partition, stagingProfile, topic } from './fakeCluster.ts';

function row(content: NodeContent, cluster = embeddedProfile): RowText {
  return describeNode({ id: 'x', cluster, ...content });
}

describe('a row of the clusters view', () => {
  it('shows offsets exactly beyond 2^53', () => {
    const end = 9_007_199_254_740_993n;
    const shown = row({ kind: 'partition', row: partition('orders', 0, { end }) });
    assert.equal(shown.description, '0 … 9,007,199,254,740,993   leader 1');
    assert.equal(shown.spoken, 'Partition 0, offsets 0 to 9,007,199,254,740,993, leader 1');
  });

  it('tells a group without a commit from one at offset 0', () => {
    const at = { topic: 'orders', partition: 0 };
    const none = row({
      kind: 'commit',
      commit: commit('a', { ...at, committed: null, lag: null }),
    });
    const zero = row({ kind: 'commit', commit: commit('a', { ...at, committed: 0n, lag: 5n }) });
    assert.equal(none.description, 'no commit');
    assert.equal(none.context, 'commit none writable');
    assert.equal(zero.description, 'lag 5   at 0');
    assert.equal(zero.context, 'commit at writable');
    assert.notEqual(none.icon, zero.icon);
  });

  it('does not floor the lag of a commit past the end, and warns in words', () => {
    const past = row({
      kind: 'commit',
      commit: commit('a', { topic: 'orders', partition: 2, committed: 9999n, lag: -3368n }),
    });
    assert.equal(past.description, '⚠ past the end   lag −3,368   at 9,999');
    assert.equal(past.icon, 'warning');
  });

  it('shows trouble with replicas by icon, text and for screen readers', () => {
    const behind = row({
      kind: 'partition',
      row: partition('orders', 0, { replicas: [1, 2, 3], isr: [1, 2] }),
    });
    assert.equal(behind.icon, 'warning');
    assert.match(behind.description ?? '', /^⚠ under-replicated   0 … /);
    assert.match(behind.spoken ?? '', /under-replicated/);
    const offline = row({
      kind: 'partition',
      row: partition('orders', 0, { leader: -1, isr: [] }),
    });
    assert.match(offline.description ?? '', /^⚠ no leader   0 … /);
    const troubled = row({
      kind: 'topic',
      topic: topic('payments', { partitionCount: 3, underReplicated: 2, offline: 1 }),
      recordCount: undefined,
    });
    assert.equal(troubled.description, '⚠ 1 offline, 2 under-replicated · 3 partitions');
  });

  it('shows why offsets could not be read in place of them', () => {
    const unread = row({
      kind: 'partition',
      row: { ...partition('orders', 0), offsets: { problem: { message: 'no leader answers' } } },
    });
    assert.equal(unread.description, 'no leader answers   leader 1');
  });

  it('counts the members of a group that has some, and says when nothing is committed', () => {
    const described = (state: string, figures: GroupFigures | undefined): string | undefined =>
      row({ kind: 'group', group: group('billing', state), figures, view: undefined }).description;
    assert.equal(
      described('Stable', { state: 'Stable', memberCount: 2, lag: 1702n, isPastEnd: false }),
      'lag 1,702 · Stable · 2 members',
    );
    assert.equal(
      described('Empty', { state: 'Empty', memberCount: 0, lag: null, isPastEnd: false }),
      'Empty · no commit',
    );
    assert.equal(
      described('Empty', { state: 'Empty', memberCount: 0, lag: 5n, isPastEnd: true }),
      '⚠ past the end · lag 5 · Empty',
    );
    assert.equal(described('Stable', undefined), 'Stable');
  });

  it('keeps changing commands from a cluster that is read only', () => {
    const of = (content: NodeContent): string => row(content, stagingProfile).context;
    assert.match(of({ kind: 'topics', list: undefined }), /readonly/);
    assert.match(of({ kind: 'topic', topic: topic('a'), recordCount: 0n }), /readonly/);
    assert.match(
      of({ kind: 'group', group: group('a'), figures: undefined, view: undefined }),
      /readonly/,
    );
  });

  it('says of a problem what failed and what to do', () => {
    const shown = row({
      kind: 'problem',
      problem: { message: 'not authorized', hint: 'Ask for Describe.' },
    });
    assert.equal(shown.label, 'not authorized');
    assert.equal(shown.description, 'Ask for Describe.');
    assert.equal(shown.spoken, 'Problem: not authorized. Ask for Describe.');
  });

  it('says of a folder how many of how many are in trouble, and in which way, seen and read aloud [C3]', () => {
    const list = { matching: 3, total: 12, filter: undefined, sort: 'name', troubled: 1 } as const;
    const topics = row({ kind: 'topics', list });
    const groups = row({ kind: 'groups', list });
    assert.equal(topics.description, '⚠ 1 of 12 in trouble');
    assert.equal(groups.description, '⚠ 1 of 12 lagging');
    assert.equal(groups.spoken, 'Consumer groups, 1 of 12 lagging');
    const filtered = row({ kind: 'groups', list: { ...list, filter: 'bil' } });
    assert.equal(filtered.description, '⚠ 1 of 12 lagging · 3 of 12 match bil');
    assert.equal(row({ kind: 'groups', list: { ...list, troubled: 0 } }).description, '12');
  });

  it('says to a screen reader once how a cluster is [K2]', () => {
    const embedded = (state: 'stopped' | 'stopping'): string | undefined =>
      row({
        kind: 'cluster',
        connection: { kind: 'stopped' },
        embedded: { kind: state },
        brokerCount: undefined,
      }).spoken;
    assert.equal(embedded('stopped'), 'Embedded cluster, stopped');
    assert.equal(embedded('stopping'), 'Embedded cluster, stopping');
    const connecting = row(
      {
        kind: 'cluster',
        connection: { kind: 'connecting' },
        embedded: undefined,
        brokerCount: undefined,
      },
      stagingProfile,
    );
    const { bootstrap } = stagingProfile;
    assert.equal(connecting.spoken, `staging cluster, connecting, ${bootstrap.join(', ')}`);
  });

  it("says how far the embedded cluster's clock was moved, and nothing where it was not [A15]", () => {
    const at = (clockAheadMs?: number): RowText =>
      row({
        kind: 'cluster',
        connection: { kind: 'connected', bootstrap: 'a:1', clusterId: 'x' },
        embedded: {
          kind: 'running',
          bootstrap: 'a:1',
          pid: 1,
          ...(clockAheadMs !== undefined && { clockAheadMs }),
        },
        brokerCount: 1,
      });
    assert.equal(at(7 * 86_400_000).description, 'a:1 · clock +7d · 1 broker');
    assert.equal(at().description, 'a:1 · 1 broker');
  });
});
