import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type EmbeddedBroker, startEmbedded } from '../../support/embedded.ts';
import { type Finished, run, spawnOwned } from '../../support/process.ts';
import { RawClient } from './support/rawClient.ts';
import { errorName } from './support/servers.ts';

const cli = path.join(import.meta.dirname, '../../../dist/cli.js');

function command(...args: string[]): Promise<Finished> {
  return run(process.execPath, [cli, ...args]);
}

describe('The kafka-workbench command (embedded)', function () {
  this.timeout(60_000);
  const running: EmbeddedBroker[] = [];
  let dataDir: string;
  let lockFile: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'cli-'));
    lockFile = path.join(dataDir, 'kafka-workbench.lock');
  });
  afterEach(async () => {
    for (const broker of running.splice(0)) await broker.kill9();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function start(args: readonly string[] = []): Promise<EmbeddedBroker> {
    const broker = await startEmbedded({ dataDir, args });
    running.push(broker);
    return broker;
  }

  async function assertServes({ bootstrap }: EmbeddedBroker): Promise<void> {
    const client = await RawClient.open(bootstrap);
    assert.equal(errorName((await client.call('apiVersions', 0, {})).errorCode), 'NONE');
    client.close();
  }

  it('[A1] says in one line of JSON where clients find it, and ends well on SIGTERM', async () => {
    const broker = await start();
    const { ready, pid } = broker;
    const port = Number(ready.bootstrap.split(':')[1]);
    assert.deepEqual(ready, {
      event: 'ready',
      bootstrap: `127.0.0.1:${port}`,
      brokers: [{ id: 1, host: '127.0.0.1', port }],
      pid,
      dataDir,
    });
    await assertServes(broker);
    assert.equal(await broker.stop(), 0);
    assert.ok(!(await readdir(dataDir)).includes('kafka-workbench.lock'));
  });

  it('[C7] starts with configs that only Kafka has a use for, and says which change nothing', async () => {
    const broker = await start([
      '--set',
      'log.initial.task.delay.ms=5',
      '--set',
      'num.partitions=2',
    ]);
    await assertServes(broker);
    const said = broker
      .output()
      .split('\n')
      .filter((line) => line.includes('changes nothing'));
    assert.equal(said.length, 1);
    assert.match(said.join(), /WARN log\.initial\.task\.delay\.ms is a config of Apache Kafka/);
  });

  it('[A10] leaves nothing behind of a cluster in memory', async () => {
    const broker = await startEmbedded({ inMemory: true });
    running.push(broker);
    assert.equal(broker.ready.dataDir, null);
    await assertServes(broker);
    assert.equal(await broker.stop(), 0);
  });

  it('[A1] says which program has the port', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = ['start', '--port', String(port), '--data-dir'];
    const { code, stderr } = await command(...taken, dataDir);
    const elsewhere = await command(...taken, path.join(dataDir, 'not there before'));
    server.close();
    assert.deepEqual([code, elsewhere.code], [1, 1]);
    const program = path.basename(process.execPath);
    const holder =
      process.platform === 'linux' ? `${program} \\(process ${process.pid}\\)` : 'another program';
    assert.match(stderr, new RegExp(`^kafka-workbench: port ${port} is taken by ${holder}`));
    assert.equal(stderr.trim().split('\n').length, 1);
    const left = await readdir(dataDir);
    assert.ok(!left.includes('kafka-workbench.lock') && !left.includes('not there before'));
  });

  it('[A4] does not share a data directory, and says who has it', async () => {
    const broker = await start();
    const { code, stderr } = await command('start', '--port', '0', '--data-dir', dataDir);
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(`in use by process ${broker.pid}, which serves ${broker.bootstrap}`),
    );
    await assertServes(broker);
  });

  it('[A4] lets one of many have a data directory that all want at once', async () => {
    const attempts = await Promise.allSettled([start(), start(), start(), start()]);
    assert.equal(attempts.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('[A4] takes over from a process that was killed', async () => {
    const first = await start();
    await first.kill9();
    assert.ok((await readdir(dataDir)).includes('kafka-workbench.lock'));
    await assertServes(await start());
  });

  it('[A4] takes over from a process whose id is now that of another', async () => {
    const stale = {
      pid: process.pid,
      control: path.join(dataDir, 'nobody.sock'),
      token: 'x',
      bootstrap: '127.0.0.1:1',
      version: '0',
    };
    await writeFile(lockFile, JSON.stringify(stale));
    await assertServes(await start());
  });

  it('[A4] takes over where there is a lock that says nothing', async () => {
    await writeFile(lockFile, '');
    await assertServes(await start());
  });

  it('keeps its lock, which has the token, from other users', async () => {
    if (process.platform === 'win32') return;
    await start();
    assert.equal((await stat(lockFile)).mode & 0o777, 0o600);
    const { control } = JSON.parse(await readFile(lockFile, 'utf8')) as { control: string };
    assert.equal((await stat(path.dirname(control))).mode & 0o077, 0);
  });

  it('refuses data that a newer version has written', async () => {
    await (await start()).stop();
    const meta = path.join(dataDir, '1', 'meta.properties');
    await writeFile(meta, (await readFile(meta, 'utf8')).replace('version=1', 'version=2'));
    const { code, stderr } = await command('start', '--port', '0', '--data-dir', dataDir);
    assert.equal(code, 1);
    assert.match(stderr, /newer version/);
  });

  it('says that a data directory cannot be one', async () => {
    const file = path.join(dataDir, 'file');
    await writeFile(file, '');
    const { code, stderr } = await command('start', '--port', '0', '--data-dir', file);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`the data directory ${file} cannot be used`));
  });

  it('says that a directory cannot be made where the system has none to make', async () => {
    if (process.platform !== 'linux') return;
    const { code, stderr } = await command('start', '--port', '0', '--data-dir', '/proc/a/b');
    assert.equal(code, 1);
    assert.match(stderr, /the data directory \/proc\/a\/b cannot be used: ENOENT/);
  });

  it('stops what was started in the same folder without a directory being named', async () => {
    const started = spawnOwned(process.execPath, [cli, 'start', '--port', '0', '--json'], {
      cwd: dataDir,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const gone = once(started, 'exit');
    assert.ok(started.stdout);
    await once(started.stdout, 'data');
    const at = { cwd: dataDir };
    const told = await run(process.execPath, [cli, 'clock', '--advance', '1d'], at);
    assert.match(told.stdout, /, 1d ahead of the machine's\n$/);
    const { stdout } = await run(process.execPath, [cli, 'stop'], at);
    assert.equal(stdout, 'stopped\n');
    assert.deepEqual(await gone, [0, null]);
  });

  it('stops a cluster that runs elsewhere, and has freed its directory then', async () => {
    const first = await start();
    const { code, stdout } = await command('stop', '--data-dir', dataDir);
    assert.equal(code, 0);
    assert.equal(stdout, 'stopped\n');
    await assert.rejects(RawClient.open(first.bootstrap));
    await assertServes(await start());
  });

  it('says that there is no cluster to be stopped where it was killed', async () => {
    await (await start()).kill9();
    const { code, stderr } = await command('stop', '--data-dir', dataDir);
    assert.equal(code, 1);
    assert.match(stderr, /no cluster runs in/);
  });

  it('says that there is no cluster to be stopped', async () => {
    const { code, stderr } = await command('stop', '--data-dir', dataDir);
    assert.equal(code, 1);
    assert.match(stderr, /no cluster runs in/);
  });

  it('[A15] moves the clock of a cluster that runs elsewhere, and runs its maintenance', async () => {
    await start();
    const onIt = ['--data-dir', dataDir];
    const told = await command('clock', ...onIt);
    assert.match(told.stdout, /^the cluster's clock is at \S+Z, as the machine's\n$/);
    const moved = await command('clock', ...onIt, '--advance', '1w12h');
    assert.match(moved.stdout, /, 7d12h ahead of the machine's\n$/);
    const { code, stdout } = await command('maintain', ...onIt, 'offsets', 'retention');
    assert.equal(code, 0);
    assert.match(stdout, /^offsets: dropped .*\nretention: no segment is over its limits\n$/);
  });

  const wrong: [string[], RegExp][] = [
    [['start', '--set', 'no.such=1'], /there is no broker config no\.such/],
    [['start', '--set', 'num.partitions=many'], /num\.partitions: it must be a whole number/],
    [['start', '--set', 'num.partitions'], /NAME=VALUE/],
    [['start', '--port', '99999'], /--port takes a whole number from 0 to 65535/],
    [['start', '--brokers', '3'], /not there yet/],
    [['start', '--in-memory', '--data-dir', 'x'], /exclude each other/],
    [['start', '--colour'], /^kafka-workbench: there is no --colour \(/],
    [['start', '--port', '--json'], /--port needs a value/],
    [['start', '--set'], /--set needs a value/],
    [['start', '--json=yes'], /--json takes no value/],
    [['begin'], /there is no "begin"/],
    [[], /say start, stop, clock or maintain/],
    [['start', '--port', '-1'], /--port takes a whole number from 0 to 65535, not "-1"/],
    [['start', '--json', '-1'], /--json takes no value/],
    [
      ['start', '--host', '192.0.2.1'],
      /192\.0\.2\.1 is no address of this machine\. Choose another --host/,
    ],
    [
      ['start', '--host', 'no.such.host.invalid'],
      /no host is known as no\.such\.host\.invalid\. Choose another --host/,
    ],
    [['start', 'again'], /what is "again"\?/],
    [['stop'], /no cluster runs in .*kafka-workbench-data; --data-dir names where one does/],
    [['stop', '--port', '1'], /stop takes --data-dir, not --port/],
    [['clock'], /no cluster runs in .*kafka-workbench-data/],
    [['clock', '--set', 'a=b'], /clock takes --data-dir and --advance, not --set/],
    [['clock', '--advance', 'soon'], /--advance takes a duration as 7d/],
    [
      ['clock', '--advance', '-7d'],
      /--advance takes a duration as 7d .*, not "-7d"; a clock goes forward only/,
    ],
    [['clock', '--advance', '9999w'], /--advance takes a hundred years at most, not "9999w"/],
    [['maintain', '--data-dir', 'x', 'everything'], /maintain takes retention, .*not "everything"/],
  ];
  for (const [args, problem] of wrong) {
    it(`says in a line what is wrong with "${args.join(' ')}"`, async () => {
      const at = { cwd: dataDir };
      const { code, stdout, stderr } = await run(process.execPath, [cli, ...args], at);
      assert.equal(code, 1);
      assert.equal(stdout, '');
      assert.match(stderr, problem);
      assert.equal(stderr.trim().split('\n').length, 1);
    });
  }

  it('obeys broker configs by their Kafka names', async () => {
    const broker = await start(['--set', 'num.partitions=7']);
    const client = await RawClient.open(broker.bootstrap);
    const { topics } = await client.call('createTopics', 7, {
      topics: [{ name: 'seven', numPartitions: -1, replicationFactor: -1 }],
    });
    assert.equal(topics[0]?.numPartitions, 7);
    client.close();
  });
});
