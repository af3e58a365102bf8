import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, it } from 'mocha';
import { consumerGroups } from '../support/kafka/consumerGroups.ts';
import { run, stopProcess } from '../support/process.ts';
import { forBothClusters } from './bothClusters.ts';
import { OffsetsPanel } from './offsetsPanel.ts';
import {
  committed,
  committedMetadata,
  metadataOf,
  namesOf,
  setOffsets,
  stageOffsets,
  startMember,
} from './offsetsStage.ts';

const names = namesOf('rows');
const { topic, group } = names;

forBothClusters('offsets are reset in the editor', (cluster, stage) => {
  before(() => stageOffsets(cluster(), names));

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await stage().window.screenshot('offsets-failed');
  });

  after(async () => {
    await stage().window.runCommand('View: Close All Editors');
    assert.deepEqual(stage().window.policyViolations(), []);
  });

  const open = (): Promise<OffsetsPanel> => OffsetsPanel.open(stage().window, cluster(), group);
  const isAt = async (...offsets: string[]): Promise<void> =>
    assert.deepEqual(await committed(cluster(), names), offsets);

  it('read back for each partition, with their metadata, and undone as they were [F4] [F5]', async () => {
    const panel = await open();
    await panel.choose('to latest');
    await panel.untilPlanIs(topic, { 0: '10', 1: '10', 2: '10' });
    await panel.apply('Reset 3 partitions');
    for (const partition of [0, 1, 2])
      await panel.row(topic, partition).getByText('Reset; read back as 10').waitFor();
    await isAt('10', '10', '10');
    assert.deepEqual(
      (await committedMetadata(cluster(), names)).slice(0, 2),
      [0, 1].map(metadataOf),
    );
    await stage().window.screenshot(`offsets-reset-${cluster().label}`);
    await panel.apply('Undo', 'Undo');
    await panel.row(topic, 2).getByText('Done; read back as no commit').waitFor();
    await isAt('4', '5', '-1');
    assert.deepEqual(
      (await committedMetadata(cluster(), names)).slice(0, 2),
      [0, 1].map(metadataOf),
    );
  });

  it('again later, to what was before an earlier reset, from its history [F5]', async () => {
    const panel = await open();
    await panel.choose('to earlier offsets');
    const earlier = panel.page.getByRole('combobox', { name: 'Earlier offsets' });
    await earlier
      .locator('option', { hasText: 'before: to latest' })
      .waitFor({ state: 'attached' });
    const words = await earlier.locator('option').allTextContents();
    assert.match(words.join('\n'), /^[\d-]+ [\d:]+, before: to earlier offsets, 3 partitions$/m);
    const id = await earlier
      .locator('option', { hasText: 'to earlier offsets' })
      .getAttribute('value');
    await earlier.selectOption(id);
    await panel.untilPlanIs(topic, { 0: '10', 1: '10', 2: '10' });
    await panel.apply('Restore 3 partitions', 'Restore');
    await panel.row(topic, 0).getByText('Reset; read back as 10').waitFor();
    await isAt('10', '10', '10');
  });

  it('not where the group has committed since it was planned, and says so [F4]', async () => {
    const panel = await open();
    await panel.untilPlanIs(topic, { 0: '0', 1: '0', 2: '0' });
    await setOffsets(cluster().admin, names, [8, 8, 8]);
    await panel.apply('Reset 3 partitions');
    await panel.page
      .getByRole('alert')
      .getByText(/has changed since this was planned: 10 then, 8 now/)
      .waitFor();
    await isAt('8', '8', '8');
  });

  it('not while a member is at work: it says who and why, and what can be done [F3]', async () => {
    const member = await startMember(cluster().bootstrap, names);
    const panel = await open();
    try {
      await panel.page
        .getByText('Kafka refuses while the group has members. Stop at-work first.')
        .waitFor();
      await panel.page.getByRole('region', { name: 'Members' }).getByText('at-work').waitFor();
      assert.equal(
        await panel.page.locator('vscode-button[disabled]', { hasText: 'Reset 3' }).count(),
        1,
      );
      await stage().window.screenshot(`offsets-active-${cluster().label}`);
      if (cluster().label === 'Embedded') {
        // Died, it holds its group for as long as its session: the cluster can end that.
        await stopProcess(member, 0);
        await panel.button('Remove its members').click();
        await stage().window.chooseInDialog('Remove');
      } else {
        await panel.page
          .getByText(/^Kafka lets only the members .* once their sessions have ended/)
          .waitFor();
        assert.equal(await panel.button('Remove its members').count(), 0);
        await stopProcess(member);
        await panel.button('Refresh').click();
      }
      await panel.page.getByText('Empty: can be reset').waitFor();
    } finally {
      await stopProcess(member, 0);
    }
    await panel.apply('Reset 3 partitions');
    await panel.row(topic, 0).getByText('Reset; read back as 0').waitFor();
    await isAt('0', '0', '0');
  });

  it('by the command that is copied, as by the panel, and from what is exported [F6]', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'offsets-'));
    try {
      const panel = await open();
      await panel.choose('to offset');
      await panel.fill('Offset to reset to', '7');
      await panel.untilPlanIs(topic, { 0: '7', 1: '7', 2: '7' });
      const plain = await commandIn(folder, await panel.copyCommand());
      await panel.target(topic, 1).fill('2');
      await panel.target(topic, 1).press('Tab');
      await panel.untilPlanIs(topic, { 0: '7', 1: '2', 2: '7' });
      const edited = await commandIn(folder, await panel.copyCommand());
      await panel.button('Export CSV...').click();
      const exported = await panel.saveAsSuggested();
      await stage().window.page.getByText('Exported to').waitFor();
      assert.equal(await readFile(exported, 'utf8'), `${topic},0,7\n${topic},1,2\n${topic},2,7\n`);
      await consumerGroups([plain]);
      await isAt('7', '7', '7');
      await consumerGroups([edited]);
      await isAt('7', '2', '7');
      await panel.choose('from file');
      await panel.chooseFile(path.basename(exported));
      await rm(exported);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('to nothing: commits of some partitions are deleted, and then the group [F7]', async () => {
    const panel = await open();
    await panel.choose('delete offsets');
    await panel.select(topic, 1);
    await panel.apply('Delete offsets of 1 partition', 'Delete');
    await panel.row(topic, 1).getByText('Done; read back as no commit').waitFor();
    await isAt('7', '-1', '7');
    await panel.button('Delete group...').click();
    const dialog = stage().window.page.locator('.monaco-dialog-box');
    await dialog.getByText(`Delete consumer group ${group} (2 committed offsets)?`).waitFor();
    await stage().window.chooseInDialog('Delete');
    await panel.page.getByText('Does not exist yet: a reset creates it').waitFor();
    const { groups } = await cluster().admin.describeGroups([group]);
    assert.equal(groups[0]?.state, 'Dead');
  });
});

/** What a shell makes of a copied command: the arguments that the tool gets, with its file in a folder. */
async function commandIn(folder: string, text: string): Promise<string[]> {
  const list = path.join(folder, 'arguments');
  const tool = path.join(folder, 'kafka-consumer-groups.sh');
  await writeFile(tool, `#!/bin/bash\nprintf '%s\\n' "$@" > ${list}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
  const { code, stderr } = await run('bash', ['-euc', text], { cwd: folder, env });
  assert.equal(code, 0, stderr);
  const args = (await readFile(list, 'utf8')).trimEnd().split('\n');
  return args.map((arg) => (arg === 'offsets.csv' ? path.join(folder, arg) : arg));
}
