import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { ChildProcess } from 'node:child_process';
import { after, afterEach, before, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { stopProcess } from '../support/process.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { forBothClusters, produceOrders } from './bothClusters.ts';
import type { ClustersView } from './clustersView.ts';
import { committed, setOffsets, spawnMember, startMember } from './offsetsStage.ts';

const topic = 'tree.orders';
const open = 'tree.open';
const groups = { billing: 'tree.billing', live: 'tree.live', far: 'tree.far' };
/** Past what a double holds exactly. */
const farOffset = '9007199254740993';

forBothClusters('the tree in the editor', (cluster, stage) => {
  let window: EditorWindow;
  let view: ClustersView;
  const members: ChildProcess[] = [];

  before(async () => {
    ({ window, view } = stage());
    const { admin } = cluster();
    await admin.createTopics({
      topics: [
        { topic, numPartitions: 3 },
        { topic: open, numPartitions: 1 },
      ],
    });
    await produce(0, 1200);
    await produce(1, 30);
    await setOffsets(admin, { topic, group: groups.billing }, [200, 30]);
    const partitions = [{ partition: 2, offset: farOffset }];
    await admin.setOffsets({ groupId: groups.far, topic, partitions });
    members.push(await startMember(cluster().bootstrap, { topic, group: groups.live }));
    await view.collapseAll();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('tree-failed');
  });

  after(() => Promise.all(members.map((member) => stopProcess(member, 0))));

  const produce = (partition: number, count: number): Promise<void> =>
    produceOrders(cluster().kafka, topic, { partition, count });

  /** A row below this cluster. */
  const row = (...names: RegExp[]): Locator =>
    names.reduce((above, name) => view.below(above, name), view.below(undefined, cluster().row));

  it('shows brokers, topics, partitions, and on each what every group has committed and lags [C1]', async () => {
    await view.open(cluster().row, /^Brokers/);
    await row(/^Broker \d+, 127\.0\.0\.1:\d+/).waitFor();
    await view.open(cluster().row, /^Topics/, /^Topic tree\.orders, 3 partitions, 1,230 offsets/);
    await view.open(cluster().row, /^Topics/, /^Topic tree\.orders/, /^Partition 0/);
    const [start, end] = await offsetsOf(0);
    await row(
      /^Topic tree\.orders/,
      new RegExp(`^Partition 0, offsets ${start} to 1,200, leader`),
    ).waitFor();
    assert.equal(end, '1200');
    await row(/^Partition 0/, /^Group tree\.billing, committed 200, lag 1,000$/).waitFor();
    await row(/^Partition 0/, /^Group tree\.far, no commit$/).waitFor();
    await row(/^Topic tree\.orders/, /^Partition 2, offsets 0 to 0/).waitFor();
    const of = { topic, group: groups.billing };
    assert.deepEqual(await committed(cluster(), of), ['200', '30', '-1']);
  });

  it('shows the members of a group, what each is assigned, and the offset and lag of each partition [C1]', async () => {
    await view.collapseAll();
    await view.open(
      cluster().row,
      /^Consumer groups/,
      /^Group tree\.live, Stable, 1 member, no commit/,
      /^Members/,
      /^Member at-work, 127\.0\.0\.1, 3 partitions/,
    );
    await row(/^Member at-work/, /^tree\.orders, partitions 0, 1, 2$/).waitFor();
    await view.open(
      cluster().row,
      /^Consumer groups/,
      /^Group tree\.billing, Empty, lag 1,000/,
      /^Topic tree\.orders, lag 1,000/,
    );
    await row(/^Topic tree\.orders/, /^Partition 0, committed 200, lag 1,000/).waitFor();
    await row(/^Topic tree\.orders/, /^Partition 1, committed 30, lag 0/).waitFor();
    await window.screenshot(`tree-groups-${cluster().label}`);
    const { groups: described } = await cluster().admin.describeGroups([groups.live]);
    assert.deepEqual(
      described.map(({ state, members: of }) => [state, of.map(({ clientId }) => clientId)]),
      [['Stable', ['at-work']]],
    );
  });

  it('has offsets exact where a double is not, and a commit past the end takes nothing from a sum [C2]', async () => {
    const far = BigInt(farOffset).toLocaleString('en');
    await view.open(
      cluster().row,
      /^Consumer groups/,
      /^Group tree\.far, Empty, lag 0, past the end/,
    );
    await view.open(cluster().row, /^Group tree\.far/, /^Topic tree\.orders, lag 0, past the end/);
    const partition = new RegExp(`^Partition 2, committed ${far}, lag −${far}, past the end`);
    await row(/^Group tree\.far/, partition).waitFor();
    assert.equal(
      await view.copy(row(/^Group tree\.far/, partition), 'Copy committed offset'),
      farOffset,
    );
  });

  it('has the rest of a partition in its tooltip: replicas, last stable offset, log end, size [C2]', async () => {
    const { kafka } = cluster();
    const producer = kafka.producer({
      ...{ transactionalId: 'tree.open', maxInFlightRequests: 1, idempotent: true },
    });
    await producer.connect();
    const transaction = await producer.transaction();
    await transaction.send({ topic: open, messages: [{ value: 'a' }, { value: 'b' }] });
    try {
      await view.collapseAll();
      await view.open(cluster().row, /^Topics/, /^Topic tree\.open/);
      await row(/^Topic tree\.open/, /^Partition 0, offsets 0 to 2/).hover();
      const tooltip = window.page.locator('.workbench-hover-container');
      await tooltip.getByText(/^[1-9][\d,]* bytes$/).waitFor();
      const words = (await tooltip.innerText()).replaceAll(/\s+/g, ' ');
      await window.screenshot(`tree-tooltip-${cluster().label}`);
      const facts = [
        ...[/Leader broker \d, epoch 0/, /Replicas \d, all in sync/, 'Log start offset 0'],
        ...['Last stable offset 0', 'High watermark 2', 'Log end offset 2'],
        `Size on disk ${await bytesOf(open)} bytes`,
      ];
      for (const fact of facts) assert.match(words, new RegExp(fact));
      await row(/^Topic tree\.open/).hover();
      // Below the table, and no row of it.
      await tooltip.locator('p', { hasText: 'Transaction markers' }).waitFor();
    } finally {
      await transaction.abort();
      await producer.disconnect();
      await window.page.mouse.move(900, 500);
    }
  });

  it('shows at a glance that a group is rebalancing, and when it no longer is [C3]', async () => {
    await view.collapseAll();
    await view.open(cluster().row, /^Consumer groups/);
    const [first] = members;
    // One that hangs holds up the rebalance that another asks for.
    first?.kill('SIGSTOP');
    members.push(spawnMember(cluster().bootstrap, { topic, group: groups.live }));
    await row(/^Group tree\.live, PreparingRebalance, 2 members/).waitFor();
    await window.screenshot(`tree-rebalancing-${cluster().label}`);
    first?.kill('SIGCONT');
    await row(/^Group tree\.live, Stable, 2 members/).waitFor();
  });

  it('follows what changes by itself, with rows open and selected as they were [C5]', async () => {
    await view.collapseAll();
    await view.open(cluster().row, /^Topics/, /^Topic tree\.orders/, /^Partition 1/);
    const selected = row(/^Partition 1/, /^Group tree\.billing/);
    await selected.click();
    await produce(1, 7);
    await row(/^Topic tree\.orders/, /^Partition 1, offsets 0 to 37/).waitFor();
    const commit = row(/^Partition 1/, /^Group tree\.billing, committed 30, lag 7/);
    await commit.waitFor();
    assert.equal(await commit.getAttribute('aria-selected'), 'true');
    await row(/^Topics/, /^Topic tree\.orders, 3 partitions, 1,237 offsets/).waitFor();
  });

  it('copies names, offsets and lags of rows as they are, without thousands [C8]', async () => {
    const partition = row(/^Topic tree\.orders/, /^Partition 0/);
    assert.equal(await view.copy(partition, 'Copy high watermark'), '1200');
    assert.equal(await view.copy(partition, 'Copy name'), `${topic}-0`);
    const commit = row(/^Partition 1/, /^Group tree\.billing/);
    assert.equal(await view.copy(commit, 'Copy lag'), '7');
  });

  async function offsetsOf(partition: number): Promise<[string, string]> {
    const offsets = await cluster().admin.fetchTopicOffsets(topic);
    const found = offsets.find((each) => each.partition === partition);
    return [found?.low ?? '', found?.high ?? ''];
  }

  /** Of its log on the disk, as the tooltip writes it. */
  async function bytesOf(name: string): Promise<string> {
    const storage = 'user/User/globalStorage/kafka-workbench.kafka-workbench/embedded';
    const data =
      cluster().label === 'real'
        ? (await sharedKafka()).dataDir
        : path.join(stage().editor.root, storage);
    const files = await readdir(data, { recursive: true });
    const logs = files.filter((file) => file.includes(`${name}-0/`) && file.endsWith('.log'));
    const sizes = await Promise.all(logs.map((file) => stat(path.join(data, file))));
    return sizes.reduce((sum, { size }) => sum + size, 0).toLocaleString('en');
  }
});
