import assert from 'node:assert/strict';
import { stopProcess } from '../support/process.ts';
import { after, afterEach, before, it } from 'mocha';
import type { FrameLocator, Locator } from 'playwright-core';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { forBothClusters, produceOrders } from './bothClusters.ts';
import type { ClustersView } from './clustersView.ts';
import { committed, setOffsets, startMember } from './offsetsStage.ts';

/** Something that only the lag panel has. */
const marker = '[role=grid][aria-label="Partitions"]';
const topic = 'lag.orders';
const group = 'lag.billing';

forBothClusters('the lag panel in the editor', (cluster, stage) => {
  let window: EditorWindow;
  let view: ClustersView;

  before(async () => {
    ({ window, view } = stage());
    const { admin } = cluster();
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] });
    await produce(0, 30);
    await setOffsets(admin, { topic, group }, [10]);
    await view.collapseAll();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('lag-failed');
  });

  after(async () => {
    await window.runCommand('View: Close All Editors');
    assert.deepEqual(window.policyViolations(), []);
  });

  const produce = (partition: number, count: number): Promise<void> =>
    produceOrders(cluster().kafka, topic, { partition, count });

  const figure = (panel: FrameLocator, name: string): Locator =>
    panel.locator('.figure', { has: panel.locator(`dt:text-is("${name}")`) }).locator('dd');
  const untilLagIs = (panel: FrameLocator, lag: string): Promise<void> =>
    figure(panel, 'Lag').getByText(lag, { exact: true }).waitFor();

  /** Sets what the group is watched for. */
  async function watch(
    panel: FrameLocator,
    { isWatched, offsets, seconds }: { isWatched: boolean; offsets: string; seconds: string },
  ): Promise<void> {
    await panel.getByRole('button', { name: /^Watch/ }).click();
    const box = panel.getByRole('checkbox', { name: 'Watch this group' });
    if ((await box.getAttribute('aria-checked')) !== String(isWatched)) await box.click();
    const threshold = (name: string): Locator => panel.getByRole('textbox', { name });
    await threshold('Alert at a lag of so many offsets').fill(offsets);
    await threshold('Alert at so many seconds behind').fill(seconds);
    const save = panel.getByRole('button', { name: 'Save' });
    await save.click();
    await save.waitFor({ state: 'hidden' });
  }

  it('opens from the group in the tree, follows it, and counts what can be read [G1] [G2] [G3]', async () => {
    await view.open(cluster().row, /^Consumer groups/);
    await view.choose(
      view.below(view.below(undefined, cluster().row), /^Group lag\.billing/),
      'Show lag',
    );
    const panel = await window.webview(marker);
    await untilLagIs(panel, '20');
    await panel.getByRole('button', { name: 'Count what can be read' }).click();
    await panel.getByText('Every one of the 20 offsets is a record to read.').waitFor();
    await produce(0, 5);
    await untilLagIs(panel, '25');
    await figure(panel, 'Produced')
      .getByText(/^[\d.]*[1-9][\d.]*\/s$/)
      .waitFor();
    await panel.getByRole('slider', { name: 'Time in the charts' }).waitFor();
    await window.screenshot(`lag-${cluster().label}`);
    const offsets = await cluster().admin.fetchTopicOffsets(topic);
    const end = Number(offsets.find(({ partition }) => partition === 0)?.high);
    const [at] = await committed(cluster(), { topic, group });
    assert.equal(end - Number(at), 25);
  });

  it('opens from the topic too, is the same panel, and leads to the first record that is not read [G1]', async () => {
    await window.runCommand('View: Close All Editors');
    await view.open(cluster().row, /^Topics/);
    await view.choose(
      view.below(view.below(undefined, cluster().row), /^Topic lag\.orders/),
      'Show lag',
    );
    const panel = await window.webview(marker);
    await untilLagIs(panel, '25');
    await panel.getByRole('button', { name: 'Tail from the committed offset' }).click();
    await window.page.getByRole('tab', { name: `${topic}-0 @ ${cluster().label}` }).waitFor();
    const tail = await window.webview('[role=grid][aria-label^="Records"]');
    await tail.getByRole('row', { name: /order 10\b/ }).waitFor();
    assert.equal(await tail.getByRole('row', { name: /order 9\b/ }).count(), 0);
    await window.runCommand('View: Close Editor');
  });

  it('says which member is behind, and on the embedded cluster how far it has been served [G1]', async () => {
    const { bootstrap } = cluster();
    const member = await startMember(bootstrap, { topic, group: 'lag.live' });
    try {
      const panel = await open('lag.live');
      const row = panel.getByRole('row', { name: /at-work 127\.0\.0\.1/ }).first();
      await row.waitFor();
      if (cluster().label === 'Embedded') await row.getByText(/, served to 35$/).waitFor();
      else assert.equal(await row.getByText(/served to/).count(), 0);
    } finally {
      await stopProcess(member);
    }
  });

  it('watches a group while no panel shows it, tells of a crossing once, and opens the panel [G3]', async () => {
    const panel = await open();
    await watch(panel, { isWatched: true, offsets: '100', seconds: '' });
    await window.page.getByRole('button', { name: 'Lag is watched: lag.billing' }).waitFor();
    await window.runCommand('View: Close All Editors');
    await produce(0, 100);
    await window.toast(
      `${group} on ${cluster().label} is 125 offsets behind. You asked to be told at 100.`,
    );
    await window.screenshot(`lag-alert-${cluster().label}`);
    await window.page.getByRole('button', { name: 'Show lag' }).click();
    const again = await window.webview(marker);
    await untilLagIs(again, '125');
    const status = /^Behind by more than is watched for: lag\.billing/;
    await window.page.getByRole('button', { name: status }).waitFor();
  });

  it('tells of a group that is so many seconds behind too [G3]', async () => {
    const panel = await window.webview(marker);
    // A crossing is told of once: the one before has to be over.
    await watch(panel, { isWatched: true, offsets: '', seconds: '' });
    await window.page.getByRole('button', { name: 'Lag is watched: lag.billing' }).waitFor();
    await watch(panel, { isWatched: true, offsets: '', seconds: '1' });
    await window.toast(
      /^lag\.billing on \w+ is [\d,]+ seconds behind\. You asked to be told at 1\./,
    );
  });

  it('is there again after a reload, with what was chosen and what was seen, and goes on watching [G3] [K2]', async () => {
    const panel = await window.webview(marker);
    await panel.getByRole('radio', { name: '1 h' }).check();
    const reloadedAtMs = Date.now();
    await window.reload();
    const restored = await window.webview(marker);
    await untilLagIs(restored, '125');
    assert.equal(await restored.getByRole('radio', { name: '1 h' }).isChecked(), true);
    await restored.getByRole('radio', { name: 'Table' }).check();
    const moments = restored.locator('.history-table th[scope=row]');
    await moments.first().waitFor();
    const titles = await moments.evaluateAll((cells: { readonly title: string }[]) =>
      cells.map(({ title }) => title.split(' ')[0] ?? ''),
    );
    assert.ok(
      titles.some((at) => Date.parse(at) < reloadedAtMs),
      titles.join(),
    );
    await window.page.getByRole('button', { name: /: lag\.billing$/ }).waitFor();
    await window.runCommand('Kafka Workbench: Show watched groups');
    await restored.getByRole('button', { name: 'Watched' }).waitFor();
    await watch(restored, { isWatched: false, offsets: '', seconds: '' });
    await window.page.getByRole('button', { name: /: lag\.billing$/ }).waitFor({ state: 'hidden' });
  });

  it('says why it is 1 where there is nothing to read [G1] [G2]', async () => {
    const { kafka, admin } = cluster();
    const producer = kafka.producer({
      ...{ transactionalId: 'lag.once', maxInFlightRequests: 1, idempotent: true },
    });
    await producer.connect();
    await admin.createTopics({ topics: [{ topic: 'lag.once', numPartitions: 1 }] });
    const transaction = await producer.transaction();
    await transaction.send({ topic: 'lag.once', messages: [{ value: 'a' }] });
    await transaction.commit();
    await producer.disconnect();
    await setOffsets(admin, { topic: 'lag.once', group: 'lag.once' }, [1]);
    const panel = await open('lag.once');
    await untilLagIs(panel, '1');
    await panel.getByRole('button', { name: 'Count what can be read' }).click();
    await panel.getByText('the last offset is a transaction marker').waitFor();
    await window.screenshot(`lag-marker-${cluster().label}`);
  });

  async function open(of = group): Promise<FrameLocator> {
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Kafka Workbench: Show lag');
    await window.pick(cluster().label);
    await window.quickInput().fill(of);
    await window.pick(of);
    return window.webview(marker);
  }
});
