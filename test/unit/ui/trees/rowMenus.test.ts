import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import type { ClusterProfile } from '../../../../src/cluster/model.ts';
import { describe as describeNode } from '../../../../src/ui/trees/describe.ts';
import type { NodeContent } from '../../../../src/ui/trees/node.ts';
import { commit, embeddedProfile, group, partition, stagingProfile, topic } from './fakeCluster.ts';

interface MenuItem {
  readonly command?: string;
  readonly submenu?: string;
  readonly when: string;
  readonly group: string;
}

const { menus } = (
  JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')) as {
    contributes: { menus: Readonly<Record<string, readonly MenuItem[]>> };
  }
).contributes;

/** As the editor orders it: by group, and in a group by place. What settings decide is taken as it is at first. */
function menu(id: string, context: string): string[] {
  const fits = (clause: string): boolean => {
    const pattern = /^viewItem =~ \/(.*)\/$/.exec(clause)?.[1];
    if (pattern !== undefined) return new RegExp(pattern).test(context);
    return clause === 'view == kafkaWorkbench.clusters' || clause.startsWith('!config.');
  };
  const rank = ({ group: place }: MenuItem): [string, number] => {
    const [name = '', order = '0'] = place.split('@');
    return [name, Number(order)];
  };
  return (menus[id] ?? [])
    .filter(
      ({ when, group: place }) => !place.startsWith('inline') && when.split(' && ').every(fits),
    )
    .toSorted((a, b) => {
      const [[inA, atA], [inB, atB]] = [rank(a), rank(b)];
      return inA === inB ? atA - atB : inA < inB ? -1 : 1;
    })
    .map(({ command, submenu = '' }) => (command ?? submenu).replace('kafkaWorkbench.', ''));
}

const at = { topic: 'orders', partition: 0, committed: 5n, lag: 1n };
const rows = {
  topic: { kind: 'topic', topic: topic('orders'), recordCount: 0n },
  partition: { kind: 'partition', row: partition('orders', 0) },
  commit: { kind: 'commit', commit: commit('billing', at) },
  group: { kind: 'group', group: group('billing'), figures: undefined, view: undefined },
  groupTopic: {
    kind: 'groupTopic',
    group: 'billing',
    topic: 'orders',
    commits: [commit('billing', at)],
  },
  groupPartition: { kind: 'groupPartition', commit: commit('billing', at) },
  assignment: { kind: 'assignment', group: 'billing', topic: 'orders', partitions: [0] },
} as const satisfies Readonly<Record<string, NodeContent>>;

const menuOf = (content: NodeContent, cluster: ClusterProfile): string[] =>
  menu('view/item/context', describeNode({ id: 'x', cluster, ...content }).context);
const real: ClusterProfile = { ...stagingProfile, readOnly: false };

describe('the menu of a row', () => {
  it('has what can be done with it, in one order on every cluster [C1] [C8]', () => {
    const expected: Readonly<Record<keyof typeof rows, string>> = {
      topic:
        'tail produce lag topicConfigs resetOffsets addPartitions pin copy deleteTopic refresh',
      partition: 'tail produce copy refresh',
      commit: 'tailFromCommitted lag resetOffsets copy',
      group: 'lag resetOffsets pin copy deleteGroup refresh',
      groupTopic: 'tail tailFromCommitted produce lag resetOffsets copy',
      groupPartition: 'tail tailFromCommitted produce lag resetOffsets copy',
      assignment: 'tail produce copy',
    };
    for (const cluster of [embeddedProfile, real]) {
      for (const [kind, content] of Object.entries(rows)) {
        const wanted = expected[kind as keyof typeof rows].split(' ');
        assert.deepEqual(menuOf(content, cluster), wanted, `${kind} of ${cluster.name}`);
      }
    }
  });

  it('offers no change on a cluster that is read only', () => {
    const changing = /^(produce|resetOffsets|addPartitions|delete)/;
    for (const content of Object.values(rows)) {
      const offered = menuOf(content, stagingProfile).filter((command) => changing.test(command));
      assert.deepEqual(offered, [], content.kind);
    }
  });

  it('copies the name of whatever has one [C8]', () => {
    for (const content of Object.values(rows)) {
      const { context } = describeNode({ id: 'x', cluster: real, ...content });
      assert.equal(menu('kafkaWorkbench.copy', context)[0], 'copyName', content.kind);
    }
  });
});
