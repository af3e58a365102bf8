import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { deferred } from '../../../../src/base/deferred.ts';
import { readNameFilter } from '../../../../src/cluster/nameFilter.ts';
import { ClustersModel } from '../../../../src/ui/trees/clustersModel.ts';
import { describe as describeNode } from '../../../../src/ui/trees/describe.ts';
import type { TreeCell } from '../../../../src/ui/trees/node.ts';
import { OpenRows } from '../../../../src/ui/trees/openRows.ts';
import { TreeChoices } from '../../../../src/ui/trees/treeChoices.ts';
import {
  commit,
  embeddedProfile,
  FakeCluster,
  FakeMemento,
  FakeWorld,
  group,
  groupView,
  partition,
  stagingProfile,
  topic,
} from './fakeCluster.ts';

const running = { kind: 'running', bootstrap: '127.0.0.1:9092', pid: 1 } as const;

describe('the model of the clusters view', () => {
  let world: FakeWorld;
  let cluster: FakeCluster;
  let model: ClustersModel;
  let showInternalTopics: boolean;
  let choices: TreeChoices;
  let changes: (readonly TreeCell[] | undefined)[];

  beforeEach(() => {
    world = new FakeWorld();
    cluster = world.embeddedCluster;
    world.embeddedState = running;
    showInternalTopics = false;
    cluster.topicList = [topic('orders', { partitionCount: 2 }), topic('audit')];
    cluster.partitionRows = [
      partition('orders', 0, { end: 6667n }),
      partition('orders', 1, { logStart: 2n, end: 10n }),
      partition('audit', 0),
    ];
    cluster.groupList = [group('billing')];
    cluster.commits = [
      commit('billing', { topic: 'orders', partition: 0, committed: 6100n, lag: 567n }),
      commit('billing', { topic: 'orders', partition: 1, committed: null, lag: null }),
    ];
    cluster.views.set('billing', groupView('billing', { offsets: cluster.commits, lag: 567n }));
    choices = new TreeChoices(new FakeMemento());
    model = new ClustersModel({
      registry: world.registry,
      embedded: world.embedded,
      settings: () => ({ showInternalTopics, lagThreshold: 10_000 }),
      choices,
      openRows: new OpenRows(new FakeMemento()),
      isEmbeddedShown: () => world.isEmbeddedShown,
    });
    changes = [];
    model.onDidChange((cells) => changes.push(cells));
  });

  afterEach(() => model.dispose());

  /** Opens rows by label, from the top, and answers with the rows below the last. */
  async function open(...labels: readonly string[]): Promise<readonly TreeCell[]> {
    let cells = await model.children(undefined);
    for (const label of labels) {
      const cell = cells.find(({ node }) => describeNode(node).label === label);
      assert.ok(cell, `a row ${label}`);
      cells = await model.children(cell);
    }
    return cells;
  }

  const texts = (cells: readonly TreeCell[]): string[] =>
    cells.map(({ node }) => {
      const { label, description = '' } = describeNode(node);
      return `${label} | ${description}`;
    });

  it('asks nothing of a cluster until its row is opened', async () => {
    assert.deepEqual(texts(await open()), ['Embedded | 127.0.0.1:9092']);
    assert.deepEqual(cluster.takeAsked(), []);
    assert.equal(cluster.state.kind, 'stopped');
  });

  it('counts brokers, topics and groups when a cluster is opened, reads how they fare, and no more', async () => {
    assert.deepEqual(texts(await open('Embedded')), [
      'Brokers | 1',
      'Topics | 2',
      'Consumer groups | 1',
    ]);
    assert.deepEqual(cluster.takeAsked(), ['brokers', 'group figures', 'groups', 'topics']);
  });

  it('shows topics by name with their partitions and records', async () => {
    assert.deepEqual(texts(await open('Embedded', 'Topics')), [
      'audit | 1 partition · 0',
      'orders | 2 partitions · 6,675',
    ]);
  });

  it('shows partitions with their offsets, and the commits of groups below', async () => {
    assert.deepEqual(texts(await open('Embedded', 'Topics', 'orders')), [
      '0 | 0 … 6,667   leader 1',
      '1 | 2 … 10   leader 1',
    ]);
    assert.deepEqual(texts(await open('Embedded', 'Topics', 'orders', '0')), [
      'billing | lag 567   at 6,100',
    ]);
    assert.deepEqual(texts(await open('Embedded', 'Topics', 'orders', '1')), [
      'billing | no commit',
    ]);
    assert.deepEqual(texts(await open('Embedded', 'Topics', 'audit', '0')), [
      ' | No consumer group on this topic',
    ]);
  });

  it('shows a group with its members, and its commits by topic', async () => {
    assert.deepEqual(texts(await open('Embedded', 'Consumer groups')), [
      'billing | lag 567 · Empty',
    ]);
    assert.deepEqual(texts(await open('Embedded', 'Consumer groups', 'billing')), [
      'Members | none',
      'orders | lag 567',
    ]);
    assert.deepEqual(texts(await open('Embedded', 'Consumer groups', 'billing', 'orders')), [
      '0 | lag 567   6,100 / 6,667',
      '1 | no commit',
    ]);
  });

  it('hides internal topics until asked to show them', async () => {
    cluster.topicList.push(topic('__consumer_offsets', { isInternal: true }));
    assert.equal((await open('Embedded', 'Topics')).length, 2);
    showInternalTopics = true;
    assert.equal((await open('Embedded', 'Topics')).length, 3);
  });

  const topicsList = { clusterId: 'embedded', kind: 'topics' } as const;
  const groupsList = { clusterId: 'embedded', kind: 'groups' } as const;

  it('shows the topics that match a filter, how many those are, and all again without it [C4]', async () => {
    await open('Embedded', 'Topics');
    choices.setFilter(topicsList, readNameFilter('ord'));
    assert.deepEqual(texts(await open('Embedded', 'Topics')), ['orders | 2 partitions · 6,675']);
    assert.ok(texts(await open('Embedded')).includes('Topics | 1 of 2 match ord'));
    choices.setFilter(topicsList, readNameFilter('/x$/'));
    assert.deepEqual(texts(await open('Embedded', 'Topics')), [' | No topic matches /x$/']);
    choices.clearFilters();
    assert.equal((await open('Embedded', 'Topics')).length, 2);
    assert.ok(texts(await open('Embedded')).includes('Topics | 2'));
  });

  it('shows favourites first, and each order with the largest first [C4]', async () => {
    cluster.topicList.push(topic('payments', { partitionCount: 9 }));
    const order = async (): Promise<string[]> =>
      (await open('Embedded', 'Topics')).map(({ node }) => describeNode(node).label);
    assert.deepEqual(await order(), ['audit', 'orders', 'payments']);
    await choices.setSort(topicsList, 'partitions');
    assert.deepEqual(await order(), ['payments', 'orders', 'audit']);
    await choices.setSort(topicsList, 'records');
    assert.deepEqual(await order(), ['orders', 'audit', 'payments'], 'the unknown last');
    await choices.setSort(topicsList, 'lag');
    assert.deepEqual(texts(await open('Embedded', 'Topics')), [
      'orders | lag 567 (billing) · 2 partitions · 6,675',
      'audit | 1 partition · 0',
      'payments | 9 partitions',
    ]);
    assert.ok(texts(await open('Embedded')).includes('Topics | 3 · by lag'));
    await choices.setPinned(topicsList, ['payments'], true);
    assert.deepEqual(await order(), ['payments', 'orders', 'audit']);
    const [pinned] = await open('Embedded', 'Topics');
    assert.ok(pinned);
    assert.equal(describeNode(pinned.node).icon, 'pinned');
    assert.match(describeNode(pinned.node).spoken ?? '', /favourite/);
  });

  it('keeps rows open over a filter that they match, and the same objects [C4]', async () => {
    await open('Embedded', 'Topics', 'orders', '0');
    const [, before] = await open('Embedded', 'Topics');
    choices.setFilter(topicsList, readNameFilter('ord'));
    const [after] = await open('Embedded', 'Topics');
    assert.equal(after, before);
    cluster.takeAsked();
    await model.refresh();
    assert.ok(cluster.takeAsked().includes('commits orders'));
  });

  it('shows 500 rows of a long list, counts only their records, and more when asked [C5]', async () => {
    cluster.topicList = Array.from({ length: 1200 }, (_, i) =>
      topic(`t-${String(i).padStart(4, '0')}`),
    );
    const rows = await open('Embedded', 'Topics');
    assert.equal(rows.length, 501);
    const more = rows[500];
    assert.ok(more);
    assert.deepEqual(texts([more]), ['Show 500 more | 700 rows not shown']);
    assert.deepEqual(cluster.counted, [500]);
    await model.showMore(more);
    assert.deepEqual(cluster.counted, [500, 500], 'those that are new');
    const longer = await open('Embedded', 'Topics');
    assert.equal(longer.length, 1001);
    assert.equal(longer[0], rows[0]);
    await model.refresh();
    assert.equal(cluster.counted.at(-1), 1000);
    choices.setFilter(topicsList, readNameFilter('t-11'));
    assert.equal((await open('Embedded', 'Topics')).length, 100);
    choices.clearFilters();
    assert.equal((await open('Embedded', 'Topics')).length, 501, 'from the top again');
  });

  it('counts the records of all topics where they are in order of it [C4]', async () => {
    cluster.topicList = Array.from({ length: 600 }, (_, i) => topic(`t-${i}`));
    cluster.partitionRows = [partition('t-599', 0, { end: 5n })];
    await choices.setSort(topicsList, 'records');
    const [first] = await open('Embedded', 'Topics');
    assert.ok(first);
    assert.deepEqual(texts([first]), ['t-599 | 1 partition · 5']);
    assert.deepEqual(cluster.counted, [600]);
  });

  it('asks for the figures of all groups shown at once [C5]', async () => {
    cluster.groupList = Array.from({ length: 900 }, (_, i) => group(`g-${i}`));
    await open('Embedded', 'Consumer groups');
    cluster.takeAsked();
    await model.refresh();
    assert.deepEqual(cluster.takeAsked(), ['brokers', 'group figures', 'groups', 'topics']);
  });

  it('marks groups that lag from the threshold on, counts what is in trouble, and puts the worst first [C3] [C4]', async () => {
    cluster.groupList.push(group('slow', 'Stable'), group('moving', 'PreparingRebalance'));
    cluster.views.set('slow', groupView('slow', { lag: 10_000n }));
    cluster.topicList.push(topic('payments', { underReplicated: 1 }));
    await choices.setSort(groupsList, 'lag');
    const rows = await open('Embedded', 'Consumer groups');
    assert.deepEqual(texts(rows), [
      'slow | ⚠ lag 10,000 · Stable · 0 members',
      'billing | lag 567 · Empty',
      'moving | PreparingRebalance · 0 members · no commit',
    ]);
    assert.deepEqual(
      rows.map(({ node }) => describeNode(node).health),
      ['lagging', 'empty', 'rebalancing'],
    );
    assert.equal(model.troubleCount, 2);
    assert.deepEqual(texts(await open('Embedded')).slice(1), [
      'Topics | ⚠ 1 of 3 in trouble',
      'Consumer groups | ⚠ 1 of 3 lagging · by lag',
    ]);
  });

  it('counts groups that lag before their row is ever opened, as after a reload [C3]', async () => {
    cluster.groupList.push(group('slow', 'Stable'));
    cluster.views.set('slow', groupView('slow', { lag: 10_000n }));
    assert.deepEqual(texts(await open('Embedded')).at(-1), 'Consumer groups | ⚠ 1 of 2 lagging');
    assert.equal(model.troubleCount, 1);
  });

  it('reads replicas, their log ends and sizes only for who looks at a partition [C2]', async () => {
    const end = 9_007_199_254_740_993n;
    cluster.partitionRows[0] = partition('orders', 0, { end, replicas: [1, 2, 3], isr: [1, 2] });
    const [cell] = await open('Embedded', 'Topics', 'orders');
    assert.ok(cell);
    assert.ok(!cluster.takeAsked().includes('replicas orders-0'));
    const directory = '/data/1';
    cluster.replicaRows = [
      {
        broker: 1,
        logEndOffset: { value: end + 4n },
        log: { value: { sizeBytes: 123_456n, directory } },
      },
      {
        broker: 2,
        logEndOffset: { value: end },
        log: { value: { sizeBytes: 123_000n, directory } },
      },
      {
        broker: 3,
        logEndOffset: { problem: { message: 'broker 3 is down' } },
        log: { problem: { message: 'broker 3 is down' } },
      },
    ];
    const { signal } = new AbortController();
    assert.deepEqual(await model.tooltip(cell, signal), [
      'orders, partition 0',
      ['Leader', 'broker 1, epoch 0'],
      ['Replicas', '1, 2, 3; in sync: 1, 2'],
      ['Log start offset', '0'],
      ['Last stable offset', '9,007,199,254,740,993'],
      ['High watermark', '9,007,199,254,740,993'],
      ['Log end offset', '9,007,199,254,740,997'],
      ['Size on disk', '123,456 bytes'],
      ['Log directory', '/data/1'],
      ['Replica on broker 2', 'in sync · log end 9,007,199,254,740,993 · 123,000 bytes'],
      [
        'Replica on broker 3',
        'not in sync · log end unknown: broker 3 is down · size unknown: broker 3 is down',
      ],
    ]);
    cluster.failure = new Error('gone');
    assert.equal((await model.tooltip(cell, signal))?.length, 6, 'what is known without asking');
  });

  it('shows rows without figures that are late, and again when they come', async () => {
    const late = deferred<ReadonlyMap<string, bigint>>();
    cluster.recordCounts = () => late.promise;
    assert.deepEqual(texts(await open('Embedded', 'Topics')), [
      'audit | 1 partition',
      'orders | 2 partitions',
    ]);
    const told = new Promise((resolve) => model.onDidChange(resolve));
    late.resolve(new Map([['orders', 7n]]));
    await told;
    assert.deepEqual(texts(await open('Embedded', 'Topics')), [
      'audit | 1 partition',
      'orders | 2 partitions · 7',
    ]);
  });

  it('keeps each row the same object over a refresh, and tells only of those that changed', async () => {
    const before = await open('Embedded', 'Topics', 'orders');
    changes = [];
    cluster.partitionRows[0] = partition('orders', 0, { end: 7000n });
    await model.refresh();
    const after = await open('Embedded', 'Topics', 'orders');
    assert.deepEqual(
      after.map((cell, i) => cell === before[i]),
      [true, true],
    );
    assert.equal(changes.length, 1);
    assert.deepEqual(changes[0]?.map(({ node }) => describeNode(node).label).sort(), [
      '0',
      'orders',
    ]);
  });

  it('tells of nothing when nothing changed', async () => {
    await open('Embedded', 'Topics', 'orders', '0');
    changes = [];
    await model.refresh();
    assert.deepEqual(changes, []);
  });

  it('tells of the parent when rows come or go, and forgets those that went', async () => {
    const [audit] = await open('Embedded', 'Topics');
    assert.ok(audit);
    await model.children(audit);
    changes = [];
    cluster.topicList = [topic('orders', { partitionCount: 2 })];
    await model.refresh();
    assert.ok(changes[0]?.some(({ node }) => node.kind === 'topics'));
    assert.equal(model.cell(audit.id), undefined);
    assert.deepEqual(texts(await open('Embedded', 'Topics')), ['orders | 2 partitions · 6,675']);
  });

  it('refreshes what is open and can be seen, and nothing else', async () => {
    const [, topics] = await open('Embedded');
    assert.ok(topics);
    await open('Embedded', 'Topics', 'orders', '0');
    cluster.takeAsked();
    await model.refresh();
    assert.deepEqual(
      [...new Set(cluster.takeAsked())],
      [
        ...['brokers', 'commits orders', 'group figures', 'groups'],
        ...['partitions orders', 'record counts', 'topics'],
      ],
    );
    model.setOpen(topics, false);
    await model.refresh();
    assert.deepEqual(cluster.takeAsked(), ['brokers', 'group figures', 'groups', 'topics']);
    model.setOpen(topics, true);
    await model.refresh();
    assert.ok(cluster.takeAsked().includes('commits orders'), 'what was open below is open again');
  });

  it('asks nothing on a refresh of clusters that are not connected', async () => {
    await open('Embedded', 'Topics');
    cluster.setState({ kind: 'stopped' });
    cluster.takeAsked();
    assert.equal(await model.refresh(), true);
    assert.deepEqual(cluster.takeAsked(), []);
  });

  it('shows what failed in a row beside what it had, and says that the refresh failed', async () => {
    await open('Embedded', 'Topics', 'orders');
    cluster.failure = new Error('cannot reach 127.0.0.1:9092: connection refused');
    assert.equal(await model.refresh(), false);
    assert.deepEqual(texts(await open('Embedded', 'Topics', 'orders')), [
      'cannot reach 127.0.0.1:9092: connection refused | ',
      '0 | 0 … 6,667   leader 1',
      '1 | 2 … 10   leader 1',
    ]);
    cluster.failure = undefined;
    assert.equal(await model.refresh(), true);
    assert.equal((await open('Embedded', 'Topics', 'orders')).length, 2);
  });

  it('shows a cluster that cannot be reached in its own row', async () => {
    const staging = new FakeCluster();
    staging.failure = new Error('cannot reach kafka.example.com:9093: connection refused');
    world.profiles = [embeddedProfile, stagingProfile];
    world.sessions.set('c-1', staging);
    assert.deepEqual(texts(await open()), [
      'Embedded | 127.0.0.1:9092',
      'staging | READ ONLY · kafka.example.com:9093',
    ]);
    assert.deepEqual(texts(await open('staging')), []);
    assert.deepEqual(texts(await open()), [
      'Embedded | 127.0.0.1:9092',
      'staging | cannot reach kafka.example.com:9093: connection refused',
    ]);
  });

  it('drops what comes late from a session that was replaced', async () => {
    const [, topics] = await open('Embedded');
    assert.ok(topics);
    const late = model.children(topics);
    const replacement = new FakeCluster();
    world.sessions.set('embedded', replacement);
    world.fireRegistry();
    assert.deepEqual(texts(await late), []);
    replacement.topicList = [topic('new')];
    assert.deepEqual(texts(await open('Embedded', 'Topics')), ['new | 1 partition']);
  });

  it('has no row for an embedded cluster that was never used', async () => {
    world.isEmbeddedShown = false;
    assert.equal(model.isEmpty, true);
    assert.deepEqual(await open(), []);
    world.profiles = [embeddedProfile, stagingProfile];
    assert.equal(model.isEmpty, false);
    assert.equal((await open()).length, 1);
  });

  it('follows the state of the embedded cluster', async () => {
    world.setEmbedded({ kind: 'stopped' });
    assert.deepEqual(texts(await open()), ['Embedded | stopped']);
    world.setEmbedded({ kind: 'starting' });
    assert.deepEqual(changes, [undefined, undefined]);
    assert.deepEqual(texts(await open()), ['Embedded | starting']);
    world.setEmbedded({ kind: 'crashed', message: 'out of memory', logTail: '' });
    assert.deepEqual(texts(await open()), ['Embedded | crashed · out of memory']);
  });
});
