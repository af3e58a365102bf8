import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { speak, spoken, t } from '../../src/base/l10n.ts';
import { counted } from '../../src/shared/counted.ts';
import { sharedKafka } from '../support/kafka/sharedKafka.ts';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const words = (file: string): Record<string, string> =>
  JSON.parse(readFileSync(path.join(ROOT, file), 'utf8')) as Record<string, string>;
const contributed = words('package.nls.ko.json');
const title = (command: string): string => contributed[`command.${command}`] ?? '';

describe('the editor in Korean', function () {
  this.timeout(120_000);
  const english = spoken();
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;

  before(async () => {
    speak({ tag: 'ko', words: words('media/l10n/bundle.l10n.ko.json') });
    editor = await startEditor({
      vsix: path.join(ROOT, 'kafka-workbench.vsix'),
      language: 'ko',
      settings: { 'kafkaWorkbench.embedded.port': 0 },
    });
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('korean-failed');
  });
  after(async () => {
    speak(english);
    await editor.stop();
  });

  it('has its commands, its empty view and the tree in Korean (embedded) [K3]', async () => {
    const [empty = ''] = contributed['welcome.clusters']?.split('\n') ?? [];
    await window.page.getByText(empty, { exact: true }).waitFor();
    await window.runCommand(title('startEmbedded'));
    await window
      .treeItem(new RegExp(`${t('Embedded')}.*127\\.0\\.0\\.1.*${counted(1, 'broker')}`))
      .waitFor();
  });

  it('asks, refuses and warns in Korean [K3]', async () => {
    await window.runCommand(title('createTopic'));
    const question = t('Create topic on {0} (1/{1})', t('Embedded'), 2);
    await view.refused(
      question,
      '안녕',
      t('"{0}" cannot be in a topic\'s name: letters, digits, ".", "_" and "-" can.', '안'),
    );
    await view.answer(question, 'orders');
    await view.answer(t('Create topic {0} ({1}/{2})', 'orders', 2, 2), '3');
    await view.open(new RegExp(t('Embedded')), new RegExp(`^${t('Topics')}`), /orders/);
    await window.runCommand(title('deleteTopic'));
    await view.pick(t('Delete topic'), 'orders');
    const dialog = window.page.locator('.monaco-dialog-box');
    const size = `${counted(3, 'partition')}, ${counted(0, 'record')}`;
    await dialog.getByText(t('Delete topic {0}?', `orders (${size})`)).waitFor();
    await window.screenshot('korean-dialog');
    await window.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  it('has a panel, and what its worker says, in Korean [K3]', async () => {
    await window.runCommand(title('tail'));
    await view.pick(t('Tail records'), 'orders');
    const panel = await window.webview('.figures');
    assert.equal(await panel.locator('html').getAttribute('lang'), 'ko');
    const filter = panel.getByRole('combobox', { name: t('Filter records') });
    await filter.fill('/(/');
    await panel.getByText(t('This regular expression cannot be read: {0}', '').trim()).waitFor();
    await window.screenshot('korean-tail');
    assert.deepEqual(window.policyViolations(), []);
  });

  it('asks for a connection, and shows what it finds, in Korean (Kafka 4.4) [K3]', async () => {
    const { bootstrap } = await sharedKafka();
    await window.runCommand(title('connectCluster'));
    await view.answer('(1/5)', bootstrap);
    await view.answer('(2/5)', 'real');
    await view.pick('(3/5)', /^PLAINTEXT/);
    await view.pick('(4/5)', t('Read and write'));
    await view.pick('(5/5)', t('No mark'));
    // How many brokers there are is read where the row is open.
    await view.open(new RegExp(`^real.*${bootstrap}`), new RegExp(`^${t('Brokers')}`));
    const brokers = new RegExp(`^real.*${bootstrap}.*${counted(1, 'broker')}`);
    await window.treeItem(brokers).waitFor();
  });
});
