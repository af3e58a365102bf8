// Clusters "in memory" keep their files in folders that are to go with them, however they end.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { RawClient } from './support/rawClient.ts';

/** The folder whose lock names this process. */
function folderOf(pid: number): string | undefined {
  const parents = ['/dev/shm', tmpdir()].filter((parent) => existsSync(parent));
  const folders = parents.flatMap((parent) =>
    readdirSync(parent)
      .filter((name) => name.startsWith('kafka-workbench-'))
      .map((name) => path.join(parent, name)),
  );
  return folders.find((folder) => {
    const lock = path.join(folder, 'kafka-workbench.lock');
    return existsSync(lock) && readFileSync(lock, 'utf8').includes(`"pid":${pid},`);
  });
}

describe('A cluster in memory (embedded)', function () {
  this.timeout(60_000);
  const running: EmbeddedBroker[] = [];
  afterEach(async () => {
    for (const broker of running.splice(0)) await broker.stop();
  });

  async function start(): Promise<EmbeddedBroker> {
    const broker = await startEmbedded({ inMemory: true });
    running.push(broker);
    return broker;
  }

  it('[A1] takes its folder away, and those of clusters that were killed, but never a living one’s', async () => {
    const killed = await start();
    const living = await start();
    const [left, kept] = [folderOf(killed.pid), folderOf(living.pid)];
    assert.ok(left !== undefined && kept !== undefined && left !== kept);
    await killed.kill9();
    running.splice(running.indexOf(killed), 1);
    assert.ok(existsSync(left), 'nobody has had the chance to remove it');
    const next = await start();
    assert.equal(existsSync(left), false);
    assert.equal(folderOf(living.pid), kept);
    const client = await RawClient.open(living.bootstrap);
    assert.equal((await client.call('apiVersions', 0, {})).errorCode, 0);
    client.close();
    const own = folderOf(next.pid) ?? '';
    await next.stop();
    running.splice(running.indexOf(next), 1);
    assert.equal(existsSync(own), false);
  });
});
