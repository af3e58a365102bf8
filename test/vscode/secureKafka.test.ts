import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { createTopic } from '../../src/client/admin/topics.ts';
import { KafkaClient } from '../../src/client/kafkaClient.ts';
import { sharedKafka, type SharedKafka, user } from '../support/kafka/sharedKafka.ts';
import { type Editor, sharedEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';

describe('a connection with SASL_SSL (Kafka 4.4)', function () {
  this.timeout(180_000);
  let editor: Editor;
  let window: EditorWindow;
  let view: ClustersView;
  let kafka: SharedKafka;
  let bootstrap: string;

  before(async () => {
    kafka = await sharedKafka();
    bootstrap = `127.0.0.1:${kafka.port('SASL_SSL')}`;
    const client = new KafkaClient({ bootstrap: [kafka.bootstrap] });
    for (const name of ['secure.orders', 'secure.old']) {
      await createTopic(client, { name, partitionCount: 2, replicationFactor: -1 });
    }
    client.dispose();
    editor = await sharedEditor();
    window = await editor.open();
    view = new ClustersView(window);
    await view.show();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('secure-kafka-failed');
  });

  after(() => window.close());

  it('is added question by question, back and forth, and is marked as production [B1] [B2] [B5]', async () => {
    await window.runCommand('Kafka Workbench: Connect to a cluster...');
    await view.answer('(1/5)', bootstrap);
    await view.answer('(2/5)', 'vault');
    await view.pick('(3/5)', /^SSL/);
    await view.pick('(4/8)', 'A file in PEM...');
    await answerFileDialog(kafka.certificates.file('ca.pem'));
    await view.pick('(5/8)', 'No client certificate');
    // SSL was a slip: three times back, and the answers are still there.
    for (const place of ['(6/8)', '(5/8)', '(4/8)']) await view.goBack(place);
    await view.pick('(3/8)', /^SASL_SSL/);
    await view.pick('(4/11)', 'As now');
    await view.pick('(5/11)', 'No client certificate');
    await view.pick('(6/11)', 'The host of the address');
    await view.pick('(7/11)', 'SCRAM-SHA-512');
    await view.answer('(8/11)', user.username);
    await view.answer('(9/11)', user.password);
    await view.pick('(10/11)', 'Read and write');
    await view.pick('(11/11)', 'Production');
    await window.treeItem(/^vault cluster, connected, .*PRODUCTION/).waitFor();
    await view.open(/^vault cluster/, /^Topics/);
    await view.below(undefined, /^Topic secure\.orders, 2 partitions/).waitFor();
    await window.screenshot('secure-kafka');
  });

  it('is tried, and says what answers [B1]', async () => {
    await view.choose(view.below(undefined, /^vault cluster/), 'Test connection');
    const words = await window.toast(/vault answers/);
    assert.match(words, /cluster [\w-]{22}, Kafka 4\.4, 1 broker, all reachable\./);
  });

  it('asks for the name of a production cluster before it destroys something [B5]', async () => {
    const topic = view.below(undefined, /^Topic secure\.old/);
    await view.choose(topic, 'Delete topic...');
    await window.chooseInDialog('Delete');
    await view.answer('Delete topic secure.old', 'valut');
    await window.page.getByText('Type vault.').waitFor();
    await topic.waitFor();
    await view.answer('Delete topic secure.old', 'vault');
    await topic.waitFor({ state: 'detached' });
  });

  it('keeps its password over an edit that leaves it empty [B1] [B3]', async () => {
    await view.choose(view.below(undefined, /^vault cluster/), 'Edit connection...');
    await view.answer('(1/11)', bootstrap);
    await view.answer('(2/11)', 'strongroom');
    await view.pick('(3/11)', /^SASL_SSL/);
    await view.pick('(4/11)', 'As now');
    await view.pick('(5/11)', 'No client certificate');
    await view.pick('(6/11)', 'The host of the address');
    await view.pick('(7/11)', 'SCRAM-SHA-512');
    await view.answer('(8/11)', user.username);
    await view.answer('(9/11)', '');
    await view.pick('(10/11)', 'Read only');
    await view.pick('(11/11)', 'Production');
    await window.treeItem(/^strongroom cluster, connected, .*READ ONLY/).waitFor();
  });

  it('is imported from a client’s properties, and says which line had no effect [B1]', async () => {
    const file = path.join(editor.workspace, 'client.properties');
    const login = 'org.apache.kafka.common.security.scram.ScramLoginModule required';
    await writeFile(
      file,
      [
        `bootstrap.servers=${bootstrap}`,
        'security.protocol=SASL_SSL',
        'sasl.mechanism=SCRAM-SHA-256',
        `sasl.jaas.config=${login} username="${user.username}" password="${user.password}";`,
        'ssl.truststore.type=PEM',
        `ssl.truststore.location=${kafka.certificates.file('ca.pem')}`,
        'acks=all',
      ].join('\n'),
    );
    await window.runCommand('Kafka Workbench: Import a connection...');
    await view.pick('Import a connection', 'In a file...');
    await answerFileDialog(file);
    await window.toast(/1 line of the settings had no effect: acks \(line 7\)/);
    await view.answer('(1/3)', 'imported');
    await view.pick('(2/3)', 'Read only');
    await view.pick('(3/3)', 'blue');
    await window.treeItem(/^imported cluster, connected/).waitFor();
  });

  it('says what is wrong with a password, in its row [B2]', async () => {
    await view.choose(view.below(undefined, /^imported cluster/), 'Edit connection...');
    await view.answer('(1/11)', bootstrap);
    await view.answer('(2/11)', 'imported');
    await view.pick('(3/11)', /^SASL_SSL/);
    await view.pick('(4/11)', 'As now');
    await view.pick('(5/11)', 'No client certificate');
    await view.pick('(6/11)', 'The host of the address');
    await view.pick('(7/11)', 'SCRAM-SHA-256');
    await view.answer('(8/11)', user.username);
    await view.answer('(9/11)', 'wr0ng-password');
    await view.pick('(10/11)', 'Read only');
    await view.pick('(11/11)', 'No mark');
    await view.below(undefined, /^imported cluster, failed, .*does not let alice in/).waitFor();
  });

  it('leaves no password in settings, state or logs, in the browser or on disk [B3]', async () => {
    const state = await window.browserState();
    assert.match(state, /strongroom/);
    const files = globSync(path.join(editor.root, '**/*')).filter(
      (file) => !file.startsWith(editor.workspace) && statSync(file).isFile(),
    );
    assert.ok(files.length > 0);
    for (const secret of [user.password, 'wr0ng-password']) {
      assert.ok(!state.includes(secret), 'in the state of the browser');
      for (const file of files) {
        assert.ok(!readFileSync(file).includes(secret), `in ${file}`);
      }
    }
  });

  it('goes, with its secrets [B1] [B3]', async () => {
    for (const name of ['imported', 'strongroom']) {
      const row = view.below(undefined, new RegExp(`^${name} cluster`));
      await view.choose(row, 'Remove connection...');
      await window.chooseInDialog('Remove');
      await row.waitFor({ state: 'detached' });
    }
  });

  /** The editor's own dialog for files of the server's machine: a quick input that takes a path. */
  async function answerFileDialog(file: string): Promise<void> {
    const { page } = window;
    await page.locator('.quick-input-widget:visible .quick-input-action').first().waitFor();
    const row = page.locator('.quick-input-list .monaco-list-row', {
      hasText: path.basename(file),
    });
    const input = window.quickInput();
    // Until it has listed its first folder it replaces what is typed: so it is looked at again.
    for (let tries = 0; ; tries++) {
      assert.ok(tries < 20, 'the dialog does not take the path');
      await input.fill(file);
      await page.waitForTimeout(500);
      if ((await input.inputValue()) === file && (await row.first().isVisible())) break;
    }
    await page.keyboard.press('Enter');
  }
});
