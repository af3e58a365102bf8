// npm run pictures: the pictures of the read me and of the walkthrough, taken in a real editor, in light and dark.
import path from 'node:path';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from '../vscode/clustersView.ts';
import { embeddedStatus } from '../vscode/controlObserver.ts';
import { startTraffic } from './lagTraffic.ts';

const root = path.join(import.meta.dirname, '../..');
const folder = path.join(root, 'media/screenshots');
const size = { width: 1280, height: 800 };
/** Of the views at the side alone, drawn wide enough for what they say. */
const smallSize = { width: 1100, height: 720 };
const sideWidth = 560;
/** As it opens. */
const narrowWidth = 348;

/** Names on the command line: only these are made. */
const wanted = process.argv.slice(2);

const themes = { light: 'Default Light Modern', dark: 'Default Dark Modern' } as const;

for (const [theme, colorTheme] of Object.entries(themes)) {
  const editor = await startEditor({
    vsix: path.join(root, 'kafka-workbench.vsix'),
    settings: {
      'workbench.colorTheme': colorTheme,
      'window.zoomLevel': 0,
      'kafkaWorkbench.lag.sampleSeconds': 1,
    },
  });
  const window = await editor.open();
  try {
    const take = async (name: string): Promise<void> => {
      if (wanted.length > 0 && !wanted.includes(name)) return;
      // The pointer would leave a tooltip in the picture.
      await window.page.mouse.move(smallSize.width - 5, smallSize.height - 5);
      await window.page.waitForTimeout(1500);
      const clip = { x: 0, y: 0, width: sideWidth, height: smallSize.height };
      await window.page.screenshot({
        path: path.join(folder, `${name}-${theme}.png`),
        ...(name === 'clusters' && { clip }),
      });
      process.stdout.write(`${name}-${theme}.png\n`);
    };
    await takeAll(window, take);
    if (wanted.length === 0 || wanted.includes('lag')) await takeLag(editor, window, take);
  } finally {
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await window.treeItem(/^Embedded cluster, stopped/).waitFor();
    await editor.stop();
  }
}
process.exit(0);

async function takeAll(window: EditorWindow, take: (name: string) => Promise<void>): Promise<void> {
  await window.page.setViewportSize(smallSize);
  const view = new ClustersView(window);
  await view.show();
  await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
  await window.treeItem(/^Embedded cluster, running/).waitFor();
  await window.runCommand('Kafka Workbench: Load sample data');
  await window.toast('Topic flights holds 20,000 records');
  await window.runCommand('Notifications: Clear All Notifications');
  const topic = await view.open(/^Embedded/, /^Topics/, /^Topic flights/);
  await view.open(/^Embedded/, /^Topics/, /^Topic flights/, /^Partition 0/);
  const group = view.below(undefined, /^Group route-stats, Empty/);
  await view.open(/^Embedded/, /^Consumer groups/);
  await group.waitFor();
  await view.open(/^Embedded/, /^Consumer groups/, /^Group route-stats, Empty/, /^Topic flights/);
  await widenSide(window, sideWidth);
  await take('clusters');
  await widenSide(window, narrowWidth);
  await window.page.setViewportSize(size);
  await tail(window, view, topic);
  await take('tail');
  await produce(window, view, topic);
  await take('produce');
  await view.choose(group, 'Reset offsets...');
  const offsets = await window.webview('table[aria-label="Partitions"]');
  await offsets.getByRole('combobox', { name: 'Scenario' }).click();
  await offsets.getByRole('option', { name: 'to earliest' }).click();
  await offsets
    .getByRole('row', { name: /flights/ })
    .first()
    .waitFor();
  await take('offsets');
}

/** With a minute of traffic, so that the charts have something to show. */
async function takeLag(
  editor: Editor,
  window: EditorWindow,
  take: (name: string) => Promise<void>,
): Promise<void> {
  const { bootstrap } = await embeddedStatus(editor);
  const traffic = await startTraffic(bootstrap);
  try {
    await window.runCommand('View: Close All Editors');
    const view = new ClustersView(window);
    const group = view.below(undefined, /^Group billing, Stable/);
    await group.waitFor();
    await view.choose(group, 'Show lag');
    const page = await window.webview('[role=grid][aria-label="Partitions"]');
    await window.page.waitForTimeout(75_000);
    await page.getByRole('row', { name: /^orders 1/ }).click();
    await traffic.hold();
    // The members commit what they still had.
    await window.page.waitForTimeout(3000);
    await page.getByRole('button', { name: 'Count what can be read' }).click();
    await page.locator('.part-bar').waitFor();
    await take('lag');
  } finally {
    await traffic.stop();
  }
}

/** Draws the edge of the side bar to where it is to be. */
async function widenSide({ page }: EditorWindow, width: number): Promise<void> {
  const side = await page.locator('.part.sidebar').boundingBox();
  if (!side) throw new Error('there is no side bar');
  await page.mouse.move(side.x + side.width + 1, 300);
  await page.mouse.down();
  await page.mouse.move(width, 300, { steps: 8 });
  await page.mouse.up();
}

async function tail(
  window: EditorWindow,
  view: ClustersView,
  topic: Awaited<ReturnType<ClustersView['open']>>,
): Promise<void> {
  await view.choose(topic, 'Tail records');
  const page = await window.webview('[role=grid]');
  await page.getByRole('row').nth(1).waitFor();
  // A row that is not in sight would be scrolled to, and the editor's frame with it.
  await page.getByRole('grid').click();
}

async function produce(
  window: EditorWindow,
  view: ClustersView,
  topic: Awaited<ReturnType<ClustersView['open']>>,
): Promise<void> {
  await view.choose(topic, 'Produce a record...');
  const form = await window.webview('form[aria-label="Record"]');
  const kind = (of: string, name: string) =>
    form.getByRole('radiogroup', { name: `Kind of ${of}` }).getByRole('radio', { name });
  await kind('key', 'Text').check();
  await form.getByRole('textbox', { name: 'Key', exact: true }).fill('AA-1182');
  await kind('value', 'JSON').check();
  const value = JSON.stringify({ flight: 'AA-1182', origin: 'SFO', delay: 42 }, undefined, 2);
  await form.getByRole('textbox', { name: 'Value', exact: true }).fill(value);
  await form.getByRole('button', { name: 'Add header' }).click();
  await form.getByRole('textbox', { name: 'Header key' }).fill('trace-id');
  await form.getByRole('textbox', { name: 'Header value' }).fill('4bf92f35');
  await form.getByText('Partition that each client chooses').waitFor();
}
