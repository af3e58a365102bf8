import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import type { ChildProcess } from 'node:child_process';
import { removeCodeServer } from '../../.ci/codeServer.ts';
import { checkoutBelow } from '../support/checkout.ts';
import { processTree, spawnOwned, stopProcessTree } from '../support/process.ts';
import { sharedBrowser } from '../support/vscode/browser.ts';
import { EditorWindow } from '../support/vscode/editorWindow.ts';

const END_LIMIT_MS = 60_000;

describe('npm start', function () {
  this.timeout(180_000);
  let folder: string;
  let home: string;
  let child: ChildProcess;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'start-'));
    home = path.join(folder, 'home');
  });
  after(async () => {
    await stopProcessTree(child);
    await removeCodeServer(home);
    await rm(folder, { recursive: true, force: true });
  });

  it('prints an address at which the editor shows the extension', async () => {
    const args = ['start', '--', '--browser', '--port', '0', '--home', home];
    const { root: cwd, env } = await checkoutBelow(folder);
    child = spawnOwned('npm', args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    const url = await addressPrintedBy(child);
    const page = await (await sharedBrowser()).newPage();
    const window = new EditorWindow(page);
    await window.goto(url);
    await window.openViewContainer('Kafka Workbench');
    await window.page.getByText('Embedded Cluster', { exact: false }).first().waitFor();
    await window.close();
  });

  it('ends with all that it started when npm is asked to end', async () => {
    const tree = await processTree(child.pid ?? 0);
    assert.ok(tree.length > 3, 'npm, its shell, the script and the editor');
    child.kill('SIGTERM');
    const deadline = performance.now() + END_LIMIT_MS;
    while (tree.some(isAlive)) {
      assert.ok(performance.now() < deadline, `${tree.filter(isAlive).join(', ')} still run`);
      await sleep(100);
    }
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function addressPrintedBy(process: ChildProcess): Promise<string> {
  assert.ok(process.stdout);
  const printed: string[] = [];
  for await (const line of createInterface(process.stdout)) {
    printed.push(line);
    const url = /is ready: (\S+)/.exec(line)?.[1];
    if (url !== undefined) return url;
  }
  throw new Error(`npm start ended without an address\n${printed.join('\n')}`);
}
