import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Producer, Transaction } from 'kafkajs';
import { after, afterEach, before, it } from 'mocha';
import { consumerGroups } from '../support/kafka/consumerGroups.ts';
import { toLocalDateTime } from '../../webview/offsets/scenarioValues.ts';
import { forBothClusters } from './bothClusters.ts';
import { OffsetsPanel } from './offsetsPanel.ts';
import { committed, firstRecordMs, namesOf, setOffsets, stageOffsets } from './offsetsStage.ts';

const { topic, group, otherGroup } = namesOf('plans');
const file = { short: 'short.csv', long: 'long.csv' };

interface Scenario {
  readonly title: string;
  /** What the person does. */
  readonly choose: (panel: OffsetsPanel) => Promise<void>;
  /** What kafka-consumer-groups is told. */
  readonly args: readonly string[];
  /** Whose offsets it is to plan. Default: of the group that is reset. */
  readonly group?: string;
}

const plain = (name: string) => (panel: OffsetsPanel) => panel.choose(name);
const value = (name: string, label: string, text: string) => async (panel: OffsetsPanel) => {
  await panel.choose(name);
  await panel.fill(label, text);
};
const fromFile = (name: string) => async (panel: OffsetsPanel) => {
  await panel.choose('from file');
  await panel.chooseFile(name);
};
const all = ['--topic', topic];
const time = firstRecordMs + 15 * 3_600_000;

const scenarios = (folder: string): Scenario[] => [
  { title: 'latest', choose: plain('to latest'), args: [...all, '--to-latest'] },
  {
    title: 'an offset',
    choose: value('to offset', 'Offset to reset to', '7'),
    args: [...all, '--to-offset', '7'],
  },
  {
    title: 'a shift, of what has a commit',
    choose: value('shift by', 'How far to shift', '-3'),
    args: ['--topic', `${topic}:0,1`, '--shift-by', '-3'],
  },
  {
    title: 'a time',
    choose: value('to datetime', 'Local time to reset to', toLocalDateTime(time)),
    args: [...all, '--to-datetime', new Date(time).toISOString()],
  },
  {
    title: 'a time ago',
    choose: value('by duration', 'How long ago', '20h30m'),
    args: [...all, '--by-duration', 'PT20H30M'],
  },
  { title: 'current', choose: plain('to current'), args: [...all, '--to-current'] },
  {
    title: 'a file',
    choose: fromFile(file.short),
    args: ['--from-file', path.join(folder, file.short)],
  },
  { title: 'earliest', choose: plain('to earliest'), args: [...all, '--to-earliest'] },
  {
    title: 'where another group is',
    choose: async (panel) => {
      await panel.choose('to where another group is');
      await panel.chooseTyped('Group to copy from', 'audit', otherGroup);
    },
    args: [...all, '--to-current'],
    group: otherGroup,
  },
];

forBothClusters('a reset of offsets is planned in the editor', (cluster, stage) => {
  before(async () => {
    const { workspace } = stage().editor;
    const lines = [`${group},${topic},0,1`, `another,${topic},1,9`, `${group},${topic},2,6`];
    await writeFile(path.join(workspace, file.long), lines.join('\n'));
    const short = `${topic},0,3\n${topic},1,77\n${topic},2,0\n`;
    await writeFile(path.join(workspace, file.short), short);
    await stageOffsets(cluster(), namesOf('plans'));
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await stage().window.screenshot('plans-failed');
  });

  after(async () => {
    for (const name of Object.values(file)) await rm(path.join(stage().editor.workspace, name));
  });

  const open = (of = group): Promise<OffsetsPanel> =>
    OffsetsPanel.open(stage().window, cluster(), of);

  /** What Kafka's own tool plans, without doing it. */
  async function plannedByTool(of: readonly Scenario[]): Promise<Record<number, string>[]> {
    const outputs = await consumerGroups(
      of.map(({ args, group: whose = group }) => [
        ...['--bootstrap-server', cluster().bootstrap, '--group', whose],
        ...['--reset-offsets', '--dry-run', '--export', ...args],
      ]),
    );
    return outputs.map((output, index) => {
      const lines = [...output.matchAll(/^"?[\w.-]+"?,(\d+),(\d+)$/gm)];
      assert.ok(lines.length > 0, `${of[index]?.title}: ${output}`);
      return Object.fromEntries(
        lines.map(([, partition = '', offset = '']) => [partition, offset]),
      );
    });
  }

  it('for every scenario as kafka-consumer-groups plans it [F1]', async () => {
    const wanted = scenarios(stage().editor.workspace);
    const [panel, expected] = await Promise.all([open(), plannedByTool(wanted)]);
    for (const [index, { choose }] of wanted.entries()) {
      await choose(panel);
      await panel.untilPlanIs(topic, expected[index] ?? {});
    }
    assert.deepEqual(await committed(cluster(), { topic, group }), ['4', '5', '-1']);
  });

  it('from a file of several groups, of which its own lines count [F1] [F6]', async () => {
    const panel = await open();
    await fromFile(file.long)(panel);
    await panel.page.getByText("The file's lines of another are left out.").waitFor();
    await panel.untilPlanIs(topic, { 0: '1', 2: '6' });
    await panel.row(topic, 1).getByText('Left out: no offset is given').waitFor();
  });

  it('for a group that is not there yet, which the reset makes [F1]', async () => {
    const { window } = stage();
    await OffsetsPanel.choose(window, cluster().label);
    await window.pick('New consumer group...');
    await stage().view.refused('Reset offsets', ' ', 'A consumer group needs a name');
    await window.answer('plans.made');
    const panel = await OffsetsPanel.shown(window, 'plans.made');
    await panel.page.getByText('Does not exist yet: a reset creates it').waitFor();
    assert.equal(await panel.button('Delete group...').isDisabled(), true);
    await panel.chooseTyped('Add a topic', topic, topic);
    await value('to offset', 'Offset to reset to', '6')(panel);
    await panel.untilPlanIs(topic, { 0: '6', 1: '6', 2: '6' });
    await panel.apply('Reset 3 partitions');
    await panel.row(topic, 2).getByText('Reset; read back as 6').waitFor();
    assert.deepEqual(await committed(cluster(), { topic, group: 'plans.made' }), ['6', '6', '6']);
  });

  it('with what is skipped and read again, what is clamped, and the record at the new offset, also under the pointer [F2]', async () => {
    const panel = await open();
    await panel.row(topic, 0).getByText('re-reads up to 4 records').waitFor();
    await panel.row(topic, 2).getByText('starts 10 before the end').waitFor();
    await panel.choose('to offset');
    await panel.fill('Offset to reset to', '99');
    await panel.row(topic, 0).getByText('skips up to 6 records').waitFor();
    await panel.row(topic, 0).getByText('99 is past the end: clamped to the end').waitFor();
    await panel.fill('Offset to reset to', '7');
    await panel.untilPlanIs(topic, { 0: '7', 1: '7', 2: '7' });
    await panel.target(topic, 1).hover();
    const card = panel.page.getByRole('tooltip');
    await card.getByText('O-22', { exact: true }).waitFor();
    const at = toLocalDateTime(firstRecordMs + 22 * 3_600_000).replace('T', ' ');
    await card.getByText(`First read: 7 of ${at}`).waitFor();
    await stage().window.screenshot(`plans-card-${cluster().label}`);
    await panel.target(topic, 0).focus();
    const look = panel.page.getByRole('region', { name: 'The record at the new offset' });
    await look.getByText('O-21', { exact: true }).waitFor();
    await look.getByText(/^3 records in between, from /).waitFor();
    await stage().window.page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
  });

  it('with a warning where it jumps over a transaction that is open [F2]', async () => {
    const { admin, kafka } = cluster();
    await admin.createTopics({ topics: [{ topic: 'plans.open', numPartitions: 1 }] });
    await setOffsets(admin, { topic: 'plans.open', group: 'plans.reader' }, [1]);
    const producer = kafka.producer({
      ...{ transactionalId: 'plans.open', maxInFlightRequests: 1, idempotent: true },
    });
    await producer.connect();
    const transaction = await openTransaction(producer);
    try {
      const panel = await open('plans.reader');
      await panel.choose('to latest');
      await panel
        .row('plans.open', 0)
        .getByText('jumps over open transactions: up to 2 past the last stable offset 2')
        .waitFor();
    } finally {
      await transaction.commit();
      await producer.disconnect();
    }
  });
});

/** Two records that are sure, and two that nobody may read yet. */
async function openTransaction(producer: Producer): Promise<Transaction> {
  const send = async (): Promise<Transaction> => {
    const transaction = await producer.transaction();
    const messages = [{ value: 'a' }];
    await transaction.send({ topic: 'plans.open', messages });
    return transaction;
  };
  await (await send()).commit();
  const open = await send();
  await open.send({ topic: 'plans.open', messages: [{ value: 'b' }] });
  return open;
}
