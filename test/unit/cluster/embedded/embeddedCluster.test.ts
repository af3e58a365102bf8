import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Clock, systemClock } from '../../../../src/base/clock.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { ActivityFiles } from '../../../../src/cluster/activity/activityFiles.ts';
import { ActivityLog } from '../../../../src/cluster/activity/activityLog.ts';
import { type ChangeLog, unlogged } from '../../../../src/cluster/activity/changeLog.ts';
import { EmbeddedCluster } from '../../../../src/cluster/embedded/embeddedCluster.ts';
import type { EmbeddedSettings } from '../../../../src/cluster/embedded/embeddedSettings.ts';
import type { EmbeddedState } from '../../../../src/cluster/embedded/embeddedState.ts';
import { readLockFile } from '../../../../src/cluster/embedded/embeddedControl.ts';
import { until } from '../../../support/until.ts';

const fakeBroker = path.join(import.meta.dirname, 'fixtures', 'fakeBroker.ts');

describe('EmbeddedCluster', () => {
  let dataDir = '';
  let clusters: EmbeddedCluster[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'kw-embedded-'));
    clusters = [];
  });

  afterEach(async () => {
    for (const cluster of clusters) cluster.dispose();
    // Also what a failed test has left behind.
    const lock = await readLockFile(dataDir);
    if (lock) kill(lock.pid);
    await rm(dataDir, { recursive: true, force: true });
  });

  const window = (
    settings: Partial<EmbeddedSettings> = {},
    changes: ChangeLog = unlogged,
    clock: Clock = systemClock,
  ): EmbeddedCluster => {
    const cluster = new EmbeddedCluster({
      changes,
      clock,
      executable: process.execPath,
      cliPath: fakeBroker,
      dataDir,
      logger: silentLogger,
      settings: () => ({
        host: '127.0.0.1',
        port: 0,
        allowOtherPort: false,
        keepRunning: false,
        configs: {},
        ...settings,
      }),
    });
    clusters.push(cluster);
    return cluster;
  };

  it('starts the process, tells each state on the way, and stops it', async () => {
    const cluster = window();
    const states = recorded(cluster);
    const bootstrap = await cluster.start();
    assert.match(bootstrap, /^127\.0\.0\.1:\d+$/);
    const pid = pidOf(cluster);
    await cluster.stop();
    assert.deepEqual(
      states.map(({ kind }) => kind),
      ['starting', 'running', 'stopping', 'stopped'],
    );
    assert.equal(isAlive(pid), false);
  });

  for (const hangs of [false, true]) {
    const what = hangs ? 'hangs, and does not even answer' : 'does not stop';
    it(`ends a process by force that ${what}`, async () => {
      let hurry = 1;
      const clock: Clock = {
        ...systemClock,
        setTimer: (delayMs, fire) => systemClock.setTimer(delayMs / hurry, fire),
      };
      const cluster = window({ configs: { fake: 'stays' } }, unlogged, clock);
      await cluster.start();
      const pid = pidOf(cluster);
      assert.equal((await cluster.operations.otherClients()).clients.length, 1);
      if (hangs) {
        process.kill(pid, 'SIGSTOP');
        await assert.rejects(cluster.operations.otherClients());
      }
      hurry = 50;
      await cluster.stop();
      assert.equal(cluster.state.kind, 'stopped');
      await until(
        () => !isAlive(pid),
        () => `${pid} lives`,
      );
    });
  }

  it('attaches a second window, and a window after a reload, to the process that runs', async () => {
    const first = window();
    await first.start();
    const pid = pidOf(first);
    first.dispose();
    const reloaded = window();
    assert.equal(await reloaded.attach(), true);
    assert.equal(pidOf(reloaded), pid);
    const second = window();
    await second.start();
    assert.equal(pidOf(second), pid);
    await second.stop();
  });

  it('starts one process where two windows start at the same moment', async () => {
    const [one, other] = [window(), window()];
    const [a, b] = await Promise.allSettled([one.start(), other.start()]);
    assert.equal(a.status, 'fulfilled');
    assert.equal(b.status, 'fulfilled');
    assert.equal(pidOf(one), pidOf(other));
    await one.stop();
  });

  it('tells the list of changes of a start and a stop, of no attaching, and of a failure by itself', async () => {
    const told: string[] = [];
    const changes: ChangeLog = {
      run: async (request, work) => {
        const { kind } = request.change;
        try {
          return await unlogged.run(request, work).finally(() => told.push(kind));
        } catch (error) {
          told.push(error instanceof Error ? error.message : '');
          throw error;
        }
      },
    };
    const first = window({}, changes);
    await first.start();
    const second = window({}, changes);
    assert.equal(await second.attach(), true);
    second.dispose();
    await first.stop();
    assert.deepEqual(told, ['startCluster', 'stopCluster']);
    const crashing = window({ configs: { fake: 'crashes' } }, changes);
    const hasCrashed = new Promise<void>((resolve) => {
      crashing.onDidChangeState(({ kind }) => kind === 'crashed' && resolve());
    });
    await crashing.start();
    await hasCrashed;
    assert.deepEqual(told.slice(2), [
      'startCluster',
      'clusterFailed',
      'the embedded cluster ended unexpectedly',
    ]);
  });

  it('lists a crash once, however many windows see it', async () => {
    const folder = path.join(dataDir, 'activity');
    const logOf = (): ActivityLog =>
      new ActivityLog({
        store: new ActivityFiles(folder),
        logger: silentLogger,
        pid: process.pid,
        isAlive: () => true,
      });
    const logs = [logOf(), logOf()] as const;
    const first = window({}, logs[0]);
    await first.start();
    const second = window({}, logs[1]);
    assert.equal(await second.attach(), true);
    const crashed = [first, second].map((each) => untilState(each, 'crashed'));
    const lock = await readLockFile(dataDir);
    assert.ok(lock);
    kill(lock.pid);
    await Promise.all(crashed);
    for (const log of logs) {
      await Promise.all(logs.map((each) => each.flush()));
      await log.load();
      const kinds = log.entries.map(({ change }) => change.kind);
      assert.deepEqual(kinds, ['clusterFailed', 'startCluster']);
    }
  });

  it('attaches to nothing where nothing runs, whatever an old lock file says', async () => {
    const stale = {
      pid: 2 ** 22 - 1,
      control: '/nowhere',
      token: 't',
      bootstrap: 'b',
      version: '0',
    };
    await writeFile(path.join(dataDir, 'kafka-workbench.lock'), JSON.stringify(stale));
    assert.equal(await window().attach(), false);
  });

  it('says why the process ended, in its own words, where it ends while starting', async () => {
    const cluster = window({ configs: { fake: 'fails' } });
    await assert.rejects(cluster.start(), /exit code 3.*the disk is on fire/s);
    assert.equal(cluster.state.kind, 'crashed');
  });

  it('notices a crash', async () => {
    const cluster = window({ configs: { fake: 'crashes' } });
    const crashed = untilState(cluster, 'crashed');
    await cluster.start();
    await crashed;
    assert.match(JSON.stringify(cluster.state), /ended unexpectedly/);
  });

  it('takes a stop that was announced for no crash, and says the reason', async () => {
    const cluster = window({ configs: { fake: 'leaves' } });
    const notices: string[] = [];
    cluster.onDidNotice((notice) => notices.push(notice));
    await cluster.start();
    await untilState(cluster, 'stopped');
    assert.deepEqual(notices, ['The embedded cluster has stopped: nobody was there.']);
  });

  it('refuses a port that is taken, names who has it, and takes the next one where that is allowed', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    try {
      const refusing = window({ port });
      await assert.rejects(refusing.start(), new RegExp(`port ${port} is taken`));
      if (process.platform === 'linux') {
        await assert.rejects(refusing.start(), new RegExp(`process ${process.pid}`));
      }
      const flexible = window({ port, allowOtherPort: true });
      const notices: string[] = [];
      flexible.onDidNotice((notice) => notices.push(notice));
      const bootstrap = await flexible.start();
      assert.notEqual(bootstrap, `127.0.0.1:${port}`);
      assert.match(notices.join(), new RegExp(`port ${port} is taken`));
      await flexible.stop();
    } finally {
      holder.close();
    }
  });

  for (const delayMs of [0, 1, 20, 100, 150, 200]) {
    it(`leaves no process where it was cancelled, here ${delayMs} ms into the start`, async () => {
      const cluster = window();
      const controller = new AbortController();
      const starting = cluster.start(controller.signal);
      const outcome = starting.then(
        () => 'started',
        (error: unknown) => (error as Error).name,
      );
      await sleep(delayMs);
      controller.abort();
      // On a fast machine it may have been too late to cancel.
      const isCancelled = (await outcome) !== 'started';
      if (isCancelled)
        assert.deepEqual([await outcome, cluster.state.kind], ['AbortError', 'stopped']);
      await sleep(300);
      assert.equal(await window().attach(), !isCancelled);
    });
  }

  it('starts for those who joined a start that its beginner cancelled', async () => {
    const cluster = window();
    const controller = new AbortController();
    const begun = cluster.start(controller.signal);
    const joined = cluster.start();
    controller.abort();
    await assert.rejects(begun, { name: 'AbortError' });
    assert.match(await joined, /^127/);
    await cluster.stop();
  });
});

function recorded(cluster: EmbeddedCluster): EmbeddedState[] {
  const states: EmbeddedState[] = [];
  cluster.onDidChangeState((state) => states.push(state));
  return states;
}

function untilState(cluster: EmbeddedCluster, kind: EmbeddedState['kind']): Promise<void> {
  return new Promise((resolve) => {
    cluster.onDidChangeState((state) => {
      if (state.kind === kind) resolve();
    });
  });
}

function pidOf(cluster: EmbeddedCluster): number {
  assert.equal(cluster.state.kind, 'running');
  return cluster.state.pid;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
