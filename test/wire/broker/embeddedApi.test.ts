// The npm API as JavaScript may call it: what it does not take is refused in words.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, it } from 'mocha';
import {
  type EmbeddedControls,
  type EmbeddedKafka,
  type EmbeddedOptions,
  startCluster,
} from '../../../src/embedded.ts';
import { maintenanceTasks } from '../../../src/shared/maintenance.ts';

describe('The npm API (embedded)', function () {
  this.timeout(60_000);
  let cluster: EmbeddedKafka | undefined;

  afterEach(async () => {
    await cluster?.stop();
    cluster = undefined;
  });

  async function start(options?: EmbeddedOptions): Promise<EmbeddedKafka> {
    cluster = await startCluster(options);
    return cluster;
  }

  const wrong: [options: unknown, problem: RegExp][] = [
    [{ prot: 9092 }, /^startCluster has no option 'prot'; it has dataDir, host, port, configs, emulate$/],
    [{ toString: 1 }, /no option 'toString'/],
    ['9092', /^startCluster takes an object of options, not '9092'$/],
    [null, /takes an object of options, not null/],
    [{ emulate: 'kafka-2.8' }, /^emulate takes kafka-3\.9, redpanda, .*, not 'kafka-2\.8'$/],
    [{ emulate: 'toString' }, /^emulate takes/],
    [{ port: '9092' }, /^port takes a whole number from 0, .*, not '9092'$/],
    [{ port: 65_536 }, /^port takes/],
    [{ host: '' }, /^host takes an address or the name of a host, not ''$/],
    [{ dataDir: null }, /^dataDir takes the path of a directory, not null$/],
    [{ configs: { 'num.partitions': 3 } }, /^configs takes .*, not { 'num\.partitions': 3 }$/],
    [{ configs: ['num.partitions=3'] }, /^configs takes/],
    [{ configs: new Map([['num.partitions', '3']]) }, /^configs takes/],
    [{ configs: { 'no.such': '1' } }, /^configs: there is no broker config no\.such/],
    [{ host: '192.0.2.1' }, /^192\.0\.2\.1 is no address of this machine\. Choose another host;/],
  ]; // prettier-ignore
  for (const [options, problem] of wrong) {
    it(`says what is wrong with ${JSON.stringify(options)}`, async () => {
      await assert.rejects(startCluster(options as EmbeddedOptions), ({ message }: Error) => {
        assert.match(message, problem);
        return true;
      });
    });
  }

  it('says that a data directory is in use by another cluster of the same process, not by a number', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'kw-api-'));
    const first = await startCluster({ dataDir });
    try {
      await assert.rejects(startCluster({ dataDir }), {
        message: `the data directory ${dataDir} is in use by another cluster of this process, which serves ${first.bootstrap}. Stop that one (its stop()), or choose another directory.`,
      });
    } finally {
      await first.stop();
      await rm(dataDir, { recursive: true });
    }
  });

  it('[A1] says who has the port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await assert.rejects(startCluster({ port }), {
      message: new RegExp(`^port ${port} is taken by .*\\. Stop that, or choose another port`),
    });
    server.close();
  });

  it('says that a directory cannot be made where the system has none to make', async () => {
    if (process.platform !== 'linux') return;
    await assert.rejects(startCluster({ dataDir: '/proc/a/b' }), {
      message: /^the data directory \/proc\/a\/b cannot be used: ENOENT/,
    });
  });

  it('takes an option that is undefined for one that is left out', async () => {
    const { bootstrap } = await start({
      dataDir: undefined,
      host: undefined,
      port: undefined,
      configs: undefined,
      emulate: undefined,
    });
    assert.match(bootstrap, /^127\.0\.0\.1:\d+$/);
  });

  it('[A15] runs all maintenance where no task is named', async () => {
    const { control } = await start();
    const done = await control.runMaintenance();
    assert.deepEqual(done.map(({ task }) => task), maintenanceTasks); // prettier-ignore
  });

  it('[A15] says what its controls take', async () => {
    const { control } = await start();
    const untyped = control as unknown as Record<
      keyof EmbeddedControls,
      (given?: unknown) => Promise<unknown>
    >;
    const calls: [call: Promise<unknown>, problem: RegExp][] = [
      [untyped.advanceClock(-1), /^advanceClock takes whole milliseconds .*; it was given -1$/],
      [untyped.advanceClock('7d'), /goes forward only; it was given '7d'$/],
      [untyped.advanceClock(), /it was given undefined$/],
      [untyped.runMaintenance(['tidy']), /^runMaintenance takes a list of retention, .*; it was given \[ 'tidy' \]$/],
      [untyped.runMaintenance('retention'), /it was given 'retention'$/],
      [untyped.runMaintenance([]), /it was given \[\]$/],
      [untyped.removeGroupMembers(), /^removeGroupMembers takes the id of a group; it was given undefined$/],
      [untyped.removeGroupMembers('absent'), /^there is no group "absent"$/],
    ]; // prettier-ignore
    for (const [call, message] of calls) await assert.rejects(call, { message });
  });

  it('says of a cluster that was stopped that it was', async () => {
    const stopped = await start();
    const { control } = stopped;
    await stopped.stop();
    const problem = { message: 'this cluster has been stopped' };
    await assert.rejects(control.advanceClock(1), problem);
    await assert.rejects(control.runMaintenance(), problem);
    await assert.rejects(control.removeGroupMembers('g'), problem);
    await stopped.stop();
    assert.ok(!existsSync(control.address));
  });
});
