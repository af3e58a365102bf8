import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { after, before, it } from 'mocha';
import { commitGroupOffsets } from '../../src/client/admin/groupOffsets.ts';
import { produceMany } from '../../src/client/produce.ts';
import { readNameFilter } from '../../src/cluster/nameFilter.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { describe as describeNode } from '../../src/ui/trees/describe.ts';
import type { TreeCell } from '../../src/ui/trees/node.ts';
import { eventually, forEachCluster, forEveryCluster, sessionOn, uniqueName } from './clusters.ts';
import { Tree } from './tree.ts';

/** How often each API was asked for, while `work` was done. */
async function requestsOf(
  session: ClusterSession,
  work: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const { client } = session;
  const counts: Record<string, number> = {};
  const request = client.request.bind(client);
  client.request = (api, ...rest) => {
    counts[api] = (counts[api] ?? 0) + 1;
    return request(api, ...rest);
  };
  await work();
  client.request = request;
  return counts;
}

forEveryCluster('the tree', (cluster) => {
  let tree: Tree;
  const topics = [uniqueName('tree-a'), uniqueName('tree-b'), uniqueName('tree-c')] as const;
  const [first] = topics;
  const groups = [uniqueName('tree-g1'), uniqueName('tree-g2')] as const;

  before(async () => {
    tree = new Tree(sessionOn(cluster()));
    const { session, choices, list } = tree;
    for (const name of topics) {
      await session.createTopic({ name, partitionCount: 2, replicationFactor: -1 });
    }
    const record = { partition: 1, key: null, value: Buffer.from('v'), headers: [] };
    const records = new Array<typeof record>(1500).fill(record);
    await session.use((client) => produceMany(client, first, records));
    const commit = { topic: first, partition: 1, leaderEpoch: -1, metadata: '' };
    await session.use(async (client) => {
      await commitGroupOffsets(client, groups[0], [{ ...commit, offset: 100n }]);
      await commitGroupOffsets(client, groups[1], [{ ...commit, offset: 1500n }]);
    });
    session.forgetCommits();
    choices.setFilter(list, readNameFilter(`/^(${topics.join('|')})$/`));
    choices.setFilter({ ...list, kind: 'groups' }, readNameFilter(`/^(${groups.join('|')})$/`));
  });
  after(() => tree.dispose());

  const texts = (cells: readonly TreeCell[]): string[] =>
    cells.map(
      ({ node }) => `${describeNode(node).label} | ${describeNode(node).description ?? ''}`,
    );

  it('shows topics with their records, by lag with the group that is furthest behind [C1] [C4]', async () => {
    const { choices, list, session } = tree;
    await choices.setSort(list, 'lag');
    // Rows do not wait long for their figures.
    await eventually(async () => {
      const [row] = texts(await tree.open(session.profile.name, 'Topics'));
      return row === `${first} | lag 1,400 (${groups[0]}) · 2 partitions · 1,500`;
    });
    await choices.setSort(list, 'name');
  });

  it('shows groups with their lag, and which lag, without opening them [C1] [C3]', async () => {
    const rows = [`${groups[0]} | ⚠ lag 1,400 · Empty`, `${groups[1]} | lag 0 · Empty`];
    const { name } = tree.session.profile;
    await eventually(async () =>
      isDeepStrictEqual(texts(await tree.open(name, 'Consumer groups')), rows),
    );
  });

  it('tells the log end and the size on disk of who looks at a partition [C2]', async () => {
    const [, cell] = await tree.open(tree.session.profile.name, 'Topics', first);
    assert.ok(cell);
    const tooltip = await tree.model.tooltip(cell, new AbortController().signal);
    const facts = new Map(tooltip?.flatMap((line) => (typeof line === 'string' ? [] : [line])));
    assert.equal(facts.get('Log end offset'), '1,500');
    assert.equal(facts.get('High watermark'), '1,500');
    assert.match(facts.get('Size on disk') ?? '', /^[1-9][\d,]* bytes$/);
    assert.match(facts.get('Log directory') ?? '', /\//);
  });

  it('asks once for all that is open, however many rows those are [C5]', async () => {
    const { name } = tree.session.profile;
    const oneRefresh = (): Promise<Record<string, number>> => {
      tree.session.forgetCommits();
      return requestsOf(tree.session, () => tree.model.refresh());
    };
    // A refresh that joins what rows did not wait for asks for less.
    const oneOpen = async (): Promise<Record<string, number>> => {
      let asked = await oneRefresh();
      for (let before; !isDeepStrictEqual(asked, before); asked = await oneRefresh())
        before = asked;
      return asked;
    };
    await tree.open(name, 'Topics', first, '0');
    await tree.open(name, 'Consumer groups', groups[0]);
    const before = await oneOpen();
    for (const topic of topics) {
      for (const partition of ['0', '1']) await tree.open(name, 'Topics', topic, partition);
    }
    await tree.open(name, 'Consumer groups', groups[1]);
    assert.deepEqual(await oneOpen(), before);
  });
});

forEachCluster('a group that rebalances', (cluster) => {
  let tree: Tree;

  before(() => {
    tree = new Tree(sessionOn(cluster()));
  });
  after(() => tree.dispose());

  it('is shown as such, by icon, badge and words [C3]', async () => {
    const groupId = uniqueName('restless');
    // Whoever joins and never says what it got keeps its group waiting.
    await tree.session.use(async (client) => {
      const join = {
        groupId,
        sessionTimeoutMs: 30_000,
        rebalanceTimeoutMs: 60_000,
        protocolType: 'consumer',
        protocols: [{ name: 'range', metadata: Buffer.alloc(8) }],
      };
      const to = { to: { coordinator: groupId } };
      const { memberId } = await client.retry((call) =>
        client.request('joinGroup', { ...join, memberId: '' }, { ...to, ...call }),
      );
      await client.request('joinGroup', { ...join, memberId }, to);
    });
    const row = async () => {
      const { name } = tree.session.profile;
      await tree.model.refresh();
      const cells = await tree.open(name, 'Consumer groups');
      const cell = cells.find(
        ({ node }) => node.kind === 'group' && node.group.groupId === groupId,
      );
      return cell && describeNode(cell.node);
    };
    await tree.open(tree.session.profile.name);
    await eventually(async () => (await row())?.health === 'rebalancing');
    const { icon, description, spoken } = (await row()) ?? {};
    assert.equal(icon, 'sync');
    assert.match(description ?? '', /^(Preparing|Completing)Rebalance · 1 member · no commit$/);
    assert.match(spoken ?? '', /Rebalance, 1 member/);
  });
});
