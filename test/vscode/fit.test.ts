import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { readZip } from '../support/zip.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';
import { embeddedStatus } from './controlObserver.ts';
import { FirstSteps } from './firstSteps.ts';
import { chooseFromMenu, expand, moveTo, tabTo } from './keyboardOnly.ts';

const root = path.join(import.meta.dirname, '../..');
const vsix = path.join(root, 'kafka-workbench.vsix');

/** What `observer.cjs` notes. */
interface Seen {
  readonly program: 'host' | 'broker';
  readonly to?: string;
}

describe('a new user, in a folder that is not trusted', function () {
  this.timeout(120_000);
  let folder: string;
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let steps: FirstSteps;
  let real: string;

  before(async function () {
    this.timeout(240_000);
    folder = await mkdtemp(path.join(tmpdir(), 'fit-'));
    const observer = path.join(root, 'test/support/vscode/observer.cjs');
    [editor, { bootstrap: real }] = await Promise.all([
      startEditor({
        vsix,
        isTrusted: false,
        settings: { 'kafkaWorkbench.embedded.port': 0 },
        env: {
          NODE_OPTIONS: `--require ${observer}`,
          KAFKA_WORKBENCH_OBSERVED: path.join(folder, 'seen'),
        },
      }),
      sharedKafka(),
    ]);
    window = await editor.open();
    view = new ClustersView(window);
    steps = new FirstSteps(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('fit-failed');
  });

  after(async () => {
    await window.close();
    await editor.stop();
    await rm(folder, { recursive: true });
  });

  async function seen(): Promise<Seen[]> {
    const text = await readFile(path.join(folder, 'seen'), 'utf8');
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Seen);
  }

  const row = (name: RegExp): Locator => view.below(undefined, name);

  it('is welcomed with what there is to do [K1] [K2]', async () => {
    await window.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
    for (const name of ['Start the embedded cluster', 'Connect to a cluster', 'Load sample data'])
      await window.page.getByRole('button', { name }).waitFor();
    await window.screenshot('fit-welcome');
  });

  it('is led through eight steps, whose buttons work [K1]', async () => {
    await steps.press('Start a cluster', 'Start the embedded cluster');
    await row(/^Embedded cluster, running/).waitFor();
    await steps.press('Put something in it', 'Load sample data');
    await view.open(/^Embedded cluster/, /^Topics/);
    await row(/^Topic flights, \d+ partitions, 20,000 offsets between/).waitFor();
    await steps.press('Watch records arrive', 'Tail records');
    await window.pick('flights');
    await window.webview('[role=grid][aria-label^="Records"]');
    await steps.press('Send a record', 'Produce a record');
    await window.pick('flights');
    await window.webview('form[aria-label="Record"]');
    // The sample is there once its groups have read it: who is asked for a group sees those of that moment.
    await view.open(/^Embedded cluster/, /^Consumer groups/);
    await row(/^Group route-stats, Empty/).waitFor();
    await steps.press('See how far a group is behind', 'Show lag');
    await window.pick('route-stats');
    await window.webview('[role=grid][aria-label="Partitions"]');
    await steps.press('Let a group read again', 'Reset offsets');
    await window.pick('route-stats');
    await window.webview('[aria-label="Scenario"]');
    await steps.press('Connect your application', 'Copy client settings');
    await window.pick('Java');
    await steps.press('Connect to your own cluster', 'Connect to a cluster');
    await view.answerConnection(real, 'real');
    await row(/^real cluster, connected/).waitFor();
  });

  it('finds a tick at each of them [K1]', async () => {
    await steps.show();
    assert.equal((await steps.titles()).length, 8);
    await steps.done().nth(7).waitFor();
    await window.screenshot('fit-walkthrough');
  });

  it('copies of the embedded cluster from its menu in the status bar, whatever else is connected [K1]', async () => {
    const { bootstrap } = await embeddedStatus(editor);
    const status = window.page.locator('.statusbar-item');
    await status.filter({ hasText: `Kafka ${bootstrap}` }).click();
    await window.pick('Copy bootstrap address');
    await status.filter({ hasText: `Copied ${bootstrap}` }).waitFor();
    await status.filter({ hasText: `Kafka ${bootstrap}` }).click();
    await window.pick('Copy client settings');
    await window.pick('Java');
    await status.filter({ hasText: 'Copied settings for Java' }).waitFor();
  });

  it('finds what can be done with a row in its menu, in groups [K1]', async () => {
    await view.collapseAll();
    await view.open(/^Embedded cluster/, /^Consumer groups/);
    const menuOf = async (name: RegExp): Promise<string> => {
      await row(name).click({ button: 'right' });
      const menu = window.page.locator('.monaco-menu');
      await menu.locator('.action-item').first().waitFor();
      const entries = await menu
        .locator('.action-item')
        .evaluateAll((items: MenuItem[]) =>
          items.map(({ classList, textContent }) =>
            classList.contains('disabled') && textContent.trim() === '' ? '|' : textContent.trim(),
          ),
        );
      await window.page.keyboard.press('Escape');
      await menu.waitFor({ state: 'detached' });
      return entries.join(' ');
    };
    assert.equal(
      await menuOf(/^Group route-stats/),
      'Show lag | Reset offsets... | Pin to the top | Copy | Delete consumer group... | Refresh',
    );
    assert.match(
      await menuOf(/^Embedded cluster/),
      /^Stop .*\| .*Load sample data .*\| .*clock.*\| .*Copy bootstrap address.*\| Refresh$/,
    );
  });

  it('resets a group by the keyboard alone, from the tree to the offsets that are read back [K1]', async () => {
    const { page } = window;
    const offsets = await offsetsOf('route-stats');
    await window.runCommand('View: Close All Editors');
    await page.keyboard.press('F1');
    await window.quickInput().waitFor();
    await page.keyboard.type('Focus on Clusters View');
    await page
      .locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Clusters View' })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.part.sidebar .monaco-list.element-focused').first().waitFor();
    for (const name of [/^Embedded cluster/, /^Consumer groups/]) {
      await moveTo(page, row(name));
      await expand(page, row(name));
    }
    await moveTo(page, row(/^Group route-stats/));
    await chooseFromMenu(page, 'Reset offsets...');
    const panel = await window.webview('[aria-label="Scenario"]');
    await panel.getByRole('row').nth(1).waitFor();
    await tabTo(page, panel, 'Scenario');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await panel
      .getByText(/^skips up to/)
      .first()
      .waitFor();
    await tabTo(page, panel, /^Reset \d+ partitions$/);
    await page.keyboard.press('Enter');
    await page.locator('.monaco-dialog-box').waitFor();
    await page.keyboard.press('Enter');
    await panel
      .getByText(/^Reset; read back as/)
      .first()
      .waitFor();
    assert.notDeepEqual(await offsetsOf('route-stats'), offsets);
  });

  it('sees the same in high contrast [K1]', async () => {
    for (const theme of ['Dark High Contrast', 'Light High Contrast', 'Dark Modern']) {
      await window.runCommand('Preferences: Color Theme');
      await window.quickInput().fill(theme);
      await window.pick(theme);
      const panel = await window.webview('[aria-label="Scenario"]');
      const kind = { D: 'vscode-high-contrast', L: 'vscode-high-contrast-light' }[theme[0] ?? ''];
      if (theme.includes('High')) await panel.locator(`body.${kind}`).waitFor();
      await window.screenshot(`fit-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
  });

  it('finds a panel again whose cluster is started later than it [K2]', async () => {
    const panel = await window.webview('[aria-label="Scenario"]');
    await panel.getByRole('row').nth(1).waitFor();
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await row(/^Embedded cluster, stopped/).waitFor();
    await window.reload();
    const waiting = await window.webview('main.standby');
    await waiting.getByText('The embedded cluster is not running.').waitFor();
    await window.screenshot('fit-not-started');
    await window.runCommand('Kafka Workbench: Start the embedded cluster');
    const restored = await window.webview('[aria-label="Scenario"]');
    await restored
      .getByRole('row', { name: /flights/ })
      .first()
      .waitFor();
    await restored.locator('vscode-button:not([disabled])', { hasText: 'Delete group' }).waitFor();
  });

  it('is connected to nothing but the clusters (embedded) (Kafka 4.4), and no file names another place [K4]', async () => {
    const { bootstrap } = await embeddedStatus(editor);
    const all = await seen();
    const places = [...new Set(all.flatMap(({ to }) => to ?? []))];
    assert.ok(places.includes(bootstrap) && places.includes(real), 'connections are observed');
    const others = places.filter(
      (to) => !to.startsWith('/') && !/^(127\.0\.0\.1|localhost):\d+$/.test(to),
    );
    assert.deepEqual(others, []);
    const files = await readZip(vsix);
    const code = [...files].filter(([name]) => /^extension\/dist\/.*\.(js|css)$/.test(name));
    const urls = code.flatMap(([, unpack]) =>
      [
        ...unpack()
          .toString()
          .matchAll(/\b(?:https?|wss?):\/\/\w[\w.-]*/g),
      ].map(([url]) => url),
    );
    assert.deepEqual([...new Set(urls)].filter((url) => !named.includes(url)).sort(), []);
  });

  async function offsetsOf(groupId: string): Promise<unknown> {
    const { bootstrap } = await embeddedStatus(editor);
    const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    try {
      return await admin.fetchOffsets({ groupId });
    } finally {
      await admin.disconnect();
    }
  }
});

/** A namespace, an example that is shown, and what kafkajs says of itself. */
const named = [
  'http://www.w3.org',
  'https://login.example.com',
  'https://kafka.js.org',
  'https://github.com',
];

/** As much of a menu's entry as is read inside the page; the tests know no DOM types. */
interface MenuItem {
  readonly classList: { contains(name: string): boolean };
  readonly textContent: string;
}
