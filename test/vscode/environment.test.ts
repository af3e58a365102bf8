import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { after, afterEach, before, describe, it } from 'mocha';
import { type Editor, startEditor } from '../support/vscode/editor.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';
import { ClustersView } from './clustersView.ts';

const root = path.join(import.meta.dirname, '../..');
const vsix = path.join(root, 'kafka-workbench.vsix');

/** An application that knows nothing of this project: it takes its address from the environment, as many do. */
const APPLICATION = `
const { writeFileSync } = require('node:fs');
const { Kafka } = require(${JSON.stringify(path.join(root, 'node_modules/kafkajs'))});
async function main() {
  const [, , out, value] = process.argv;
  const brokers = (process.env.KAFKA_BOOTSTRAP_SERVERS ?? '').split(',');
  const producer = new Kafka({ brokers, logLevel: 0 }).producer();
  await producer.connect();
  const [{ baseOffset }] = await producer.send({ topic: 'env', messages: [{ value }] });
  await producer.disconnect();
  return { brokers, baseOffset, own: process.env.KAFKA_BROKERS };
}
const done = (result) => writeFileSync(process.argv[2], JSON.stringify(result));
main().then(done, (error) => done({ error: String(error) }));
`;

describe('the environment of programs that the editor starts', function () {
  this.timeout(120_000);
  let editor: Editor;
  let window: EditorWindow;
  let bootstrap: string;

  before(async () => {
    editor = await startEditor({
      vsix,
      settings: {
        'kafkaWorkbench.embedded.port': 0,
        'terminal.integrated.gpuAcceleration': 'off',
        'debug.internalConsoleOptions': 'neverOpen',
        'debug.onTaskErrors': 'debugAnyway',
      },
    });
    await writeFile(file('app.cjs'), APPLICATION);
    await mkdir(file('.vscode'));
    const launch = {
      name: 'app',
      type: 'node',
      request: 'launch',
      program: '${workspaceFolder}/app.cjs',
      args: ['${workspaceFolder}/debugged.json', 'from a debug session'],
      env: { KAFKA_BROKERS: 'mine:1' },
    };
    await writeFile(
      file('.vscode/launch.json'),
      JSON.stringify({ version: '0.2.0', configurations: [launch] }),
    );
    window = await editor.open();
    await new ClustersView(window).show();
    await window.page.getByRole('button', { name: 'Start the embedded cluster' }).click();
    bootstrap = await runningOn();
    const admin = new Kafka({ brokers: [bootstrap], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: 'env' }] });
    await admin.disconnect();
  });

  afterEach(async function () {
    if (this.currentTest?.state === 'failed') await window.screenshot('environment-failed');
  });

  after(async () => {
    await window.close();
    await editor.stop();
  });

  const file = (name: string): string => path.join(editor.workspace, name);

  async function runningOn(): Promise<string> {
    const item = window.page
      .locator('.statusbar')
      .getByRole('button', { name: /running on 127\.0\.0\.1:\d+/ });
    return /127\.0\.0\.1:\d+/.exec((await item.getAttribute('aria-label')) ?? '')?.[0] ?? '';
  }

  /** Runs a line in a new terminal. */
  async function inTerminal(line: string): Promise<void> {
    await window.runCommand('Terminal: Create New Terminal');
    await window.page
      .locator('.terminal-wrapper.active .xterm-rows')
      .getByText(/[$#>%]/)
      .first()
      .waitFor();
    await window.page.keyboard.type(`${line}\n`);
  }

  /** What a program has left in a file, once it is there whole. */
  async function leftIn(name: string): Promise<Record<string, unknown>> {
    for (let waited = 0; waited < 30_000; waited += 50) {
      const text = existsSync(file(name)) ? await readFile(file(name), 'utf8') : '';
      if (text.endsWith('}')) return JSON.parse(text) as Record<string, unknown>;
      await sleep(50);
    }
    throw new Error(`${name} was not written`);
  }

  it('has the address of the embedded cluster in a terminal, where a program produces with no configuration [K7]', async () => {
    await inTerminal('printenv KAFKA_BOOTSTRAP_SERVERS; node app.cjs typed.json "from a terminal"');
    await window.page
      .locator('.terminal-wrapper.active .xterm-rows')
      .getByText(bootstrap, { exact: true })
      .waitFor();
    assert.deepEqual(await leftIn('typed.json'), {
      brokers: [bootstrap],
      baseOffset: '0',
      own: bootstrap,
    });
    await window.screenshot('terminal');
  });

  it('has it in a debug session, beside what the person has set [K7]', async () => {
    await window.runCommand('Debug: Start Debugging');
    assert.deepEqual(await leftIn('debugged.json'), {
      brokers: [bootstrap],
      baseOffset: '1',
      own: 'mine:1',
    });
  });

  it('follows the cluster to another port, and loses it when it stops or is turned off [K7]', async () => {
    const print = (name: string) =>
      inTerminal(`echo "{\\"seen\\":\\"$KAFKA_BOOTSTRAP_SERVERS\\"}" | tr -d '\\n' > ${name}`);
    await window.runCommand('Kafka Workbench: Restart the embedded cluster');
    await window.page
      .locator('.statusbar')
      .getByRole('button', { name: /stopping|starting/ })
      .first()
      .waitFor();
    const moved = await runningOn();
    assert.notEqual(moved, bootstrap);
    await print('moved.json');
    assert.deepEqual(await leftIn('moved.json'), { seen: moved });
    await window.runCommand(
      'Kafka Workbench: Choose the cluster of terminals and debug sessions...',
    );
    await window.pick('None');
    await window.page.locator('.statusbar').getByText('sessions get no address').waitFor();
    await print('off.json');
    assert.deepEqual(await leftIn('off.json'), { seen: '' });
    await window.runCommand(
      'Kafka Workbench: Choose the cluster of terminals and debug sessions...',
    );
    await window.pick('Embedded');
    await window.page.locator('.statusbar').getByText('sessions find Embedded').waitFor();
    await print('on.json');
    assert.deepEqual(await leftIn('on.json'), { seen: moved });
    await window.runCommand('Kafka Workbench: Stop the embedded cluster');
    await window.page.locator('.statusbar').getByRole('button', { name: 'stopped' }).waitFor();
    await print('stopped.json');
    assert.deepEqual(await leftIn('stopped.json'), { seen: '' });
  });
});
