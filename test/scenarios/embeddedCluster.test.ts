import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { silentLogger } from '../../src/base/logger.ts';
import { produceMany } from '../../src/client/produce.ts';
import { ClusterRegistry } from '../../src/cluster/clusterRegistry.ts';
import { embeddedProfileId } from '../../src/cluster/embedded/embeddedProfile.ts';
import type { ClusterSession } from '../../src/cluster/clusterSession.ts';
import { EmbeddedCluster } from '../../src/cluster/embedded/embeddedCluster.ts';
import { eventually } from './clusters.ts';

const cliPath = path.join(import.meta.dirname, '..', '..', 'src', 'cli.ts');

describe('the embedded cluster of an editor window (embedded)', () => {
  let dataDir = '';
  let pids: number[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'kw-window-'));
    pids = [];
  });

  afterEach(async () => {
    for (const pid of pids) kill(pid);
    await rm(dataDir, { recursive: true, force: true });
  });

  const openWindow = (): { embedded: EmbeddedCluster; registry: ClusterRegistry } => {
    const embedded = new EmbeddedCluster({
      executable: process.execPath,
      cliPath,
      dataDir,
      logger: silentLogger,
      settings: () => ({
        host: '127.0.0.1',
        port: 0,
        allowOtherPort: false,
        keepRunning: false,
        configs: {},
      }),
    });
    embedded.onDidChangeState((state) => {
      if (state.kind === 'running') pids.push(state.pid);
    });
    const registry = new ClusterRegistry({
      profiles: { load: () => [], save: () => Promise.resolve() },
      secrets: {
        get: () => Promise.resolve(undefined),
        set: () => Promise.resolve(),
        delete: () => Promise.resolve(),
      },
      embedded,
      logger: silentLogger,
    });
    return { embedded, registry };
  };

  const sessionOf = (registry: ClusterRegistry): ClusterSession => {
    const session = registry.session(embeddedProfileId);
    assert.ok(session);
    return session;
  };

  const write = async (session: ClusterSession, count: number): Promise<void> => {
    const record = { partition: 0, key: null, value: Buffer.from('v'), headers: [] };
    const records = new Array<typeof record>(count).fill(record);
    await session.use((client) => produceMany(client, 'kept', records));
  };

  const ends = async (session: ClusterSession): Promise<unknown[]> =>
    (await session.partitions('kept')).map(({ offsets }) =>
      'value' in offsets ? offsets.value.highWatermark : offsets.problem,
    );

  it('connects its session when it starts, disconnects it when it stops, and keeps records over a restart [A1] [A4]', async function () {
    this.timeout(60_000);
    const { embedded, registry } = openWindow();
    const session = sessionOf(registry);
    await assert.rejects(session.topics(), /not running/);
    await embedded.start();
    await eventually(() => session.state.kind === 'connected');
    await session.createTopic({ name: 'kept', partitionCount: 1, replicationFactor: -1 });
    await write(session, 5);
    await embedded.stop();
    assert.equal(session.state.kind, 'stopped');
    await embedded.start();
    await eventually(() => session.state.kind === 'connected');
    assert.deepEqual(await ends(session), [5n]);
    await embedded.stop();
    registry.dispose();
    embedded.dispose();
  });

  it('stays up over a reload of the window, with the same process and address [A4]', async function () {
    this.timeout(60_000);
    const before = openWindow();
    const bootstrap = await before.embedded.start();
    before.registry.dispose();
    before.embedded.dispose();
    const reloaded = openWindow();
    assert.equal(await reloaded.embedded.attach(), true);
    assert.deepEqual(new Set(pids).size, 1);
    const session = sessionOf(reloaded.registry);
    const [broker] = await session.brokers();
    assert.equal(`${broker?.host}:${broker?.port}`, bootstrap);
    await reloaded.embedded.stop();
    reloaded.registry.dispose();
    reloaded.embedded.dispose();
  });

  it('is noticed when it is killed, and starts again with what was acknowledged [A4]', async function () {
    this.timeout(60_000);
    const { embedded, registry } = openWindow();
    const session = sessionOf(registry);
    await embedded.start();
    await session.createTopic({ name: 'kept', partitionCount: 1, replicationFactor: -1 });
    await write(session, 7);
    for (const pid of pids) kill(pid);
    await eventually(() => embedded.state.kind === 'crashed');
    assert.equal(session.state.kind, 'stopped');
    await embedded.start();
    assert.deepEqual(await ends(session), [7n]);
    await embedded.stop();
    registry.dispose();
    embedded.dispose();
  });
});

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
