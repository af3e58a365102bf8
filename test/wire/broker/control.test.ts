import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Kafka, logLevel } from 'kafkajs';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type LaunchedCluster, launchCluster } from '../../../src/broker/launch.ts';
import { Channel } from '../../../src/shared/channel.ts';
import {
  controlBroker,
  controlClient,
  type EmbeddedStatus,
  type LockFile,
} from '../../../src/shared/contracts/control.ts';
import { socketTransport } from '../../../src/shared/socketTransport.ts';

type Control = Channel<typeof controlClient, typeof controlBroker>;

describe('The control channel (embedded)', () => {
  const sockets: Socket[] = [];
  let dataDir: string;
  let launched: LaunchedCluster | undefined;
  let stopReasons: string[];

  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), 'control-'));
    stopReasons = [];
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await launched?.stop('the test is over');
    launched = undefined;
    await rm(dataDir, { recursive: true, force: true });
  });

  async function launch(unattendedMs?: number): Promise<LockFile> {
    launched = await launchCluster({
      dataDir,
      port: 0,
      version: '1.2.3',
      unattendedMs,
      onStopRequest: (reason) => stopReasons.push(reason),
    });
    return readLock();
  }

  async function readLock(): Promise<LockFile> {
    return JSON.parse(
      await readFile(path.join(dataDir, 'kafka-workbench.lock'), 'utf8'),
    ) as LockFile;
  }

  interface Caller {
    readonly control: Control;
    readonly socket: Socket;
    readonly statuses: EmbeddedStatus[];
    readonly stopping: string[];
  }

  async function call({ control: address }: LockFile): Promise<Caller> {
    const socket = connect(address);
    sockets.push(socket);
    await once(socket, 'connect');
    const statuses: EmbeddedStatus[] = [];
    const stopping: string[] = [];
    const control: Control = new Channel({
      transport: socketTransport(socket, () => undefined),
      serves: controlClient,
      calls: controlBroker,
      handlers: {
        stopping: ({ reason }) => {
          stopping.push(reason);
        },
        status: (status) => {
          statuses.push(status);
        },
      },
      onInvalid: () => undefined,
    });
    socket.on('close', () => control.dispose());
    return { control, socket, statuses, stopping };
  }

  async function until(isTrue: () => boolean): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt++) {
      if (isTrue()) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    assert.fail('it did not happen within 5 s');
  }

  it('[A1] tells who shows the token what runs', async () => {
    const lock = await launch();
    const { control } = await call(lock);
    const status = await control.call('hello', { token: lock.token, role: 'window' });
    const { startedAtMs, brokers, ...rest } = status;
    assert.ok(startedAtMs <= Date.now());
    assert.equal(brokers.length, 1);
    assert.deepEqual(rest, {
      version: '1.2.3',
      pid: process.pid,
      bootstrap: lock.bootstrap,
      dataDir,
      windows: 1,
      keepRunning: false,
      clockAheadMs: 0,
    });
  });

  it('closes on a wrong token', async () => {
    const lock = await launch();
    const { control, socket } = await call(lock);
    const closed = once(socket, 'close');
    await assert.rejects(control.call('hello', { token: 'guess', role: 'window' }), /token/);
    await closed;
  });

  it('does nothing for who has not said hello', async () => {
    const lock = await launch();
    const { control } = await call(lock);
    await assert.rejects(control.call('stop', {}), /hello/);
    await assert.rejects(control.call('status', {}), /hello/);
    assert.deepEqual(stopReasons, []);
  });

  it('counts windows, not observers, and tells everybody', async () => {
    const lock = await launch();
    const { token } = lock;
    const observer = await call(lock);
    assert.equal((await observer.control.call('hello', { token, role: 'observer' })).windows, 0);
    const window = await call(lock);
    await window.control.call('hello', { token, role: 'window' });
    await until(() => observer.statuses.at(-1)?.windows === 1);
    window.socket.destroy();
    await until(() => observer.statuses.at(-1)?.windows === 0);
  });

  it('[A4] asks for a stop once the last window has been gone for a while', async () => {
    const lock = await launch(50);
    const { token } = lock;
    const [first, second] = [await call(lock), await call(lock)];
    await first.control.call('hello', { token, role: 'window' });
    await second.control.call('hello', { token, role: 'window' });
    first.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(stopReasons, []);
    second.socket.destroy();
    await until(() => stopReasons.length > 0);
    assert.match(stopReasons.join(), /no editor window/);
  });

  it('[A4] asks for a stop where no window ever comes', async () => {
    await launch(50);
    await until(() => stopReasons.length > 0);
  });

  it('[A4] goes on without windows where it was told to keep running', async () => {
    const lock = await launch(100);
    const { token } = lock;
    const window = await call(lock);
    await window.control.call('hello', { token, role: 'window' });
    await window.control.call('setKeepRunning', { keepRunning: true });
    window.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual(stopReasons, []);
    const later = await call(lock);
    const status = await later.control.call('hello', { token, role: 'observer' });
    assert.equal(status.keepRunning, true);
    await later.control.call('setKeepRunning', { keepRunning: false });
    await until(() => stopReasons.length > 0);
  });

  it('[A15] moves the clock for who said hello, and tells everybody', async () => {
    const lock = await launch();
    const { token } = lock;
    const [window, observer] = [await call(lock), await call(lock)];
    await assert.rejects(window.control.call('advanceClock', { byMs: 1 }), /hello/);
    await window.control.call('hello', { token, role: 'window' });
    await observer.control.call('hello', { token, role: 'observer' });
    const { clockAheadMs, nowMs } = await window.control.call('advanceClock', { byMs: 86_400_000 });
    assert.equal(clockAheadMs, 86_400_000);
    assert.ok(nowMs >= Date.now() + 86_300_000);
    await until(() => observer.statuses.at(-1)?.clockAheadMs === 86_400_000);
    const { done } = await window.control.call('runMaintenance', { tasks: ['retention'] });
    assert.deepEqual(done, [{ task: 'retention', summary: 'no segment is over its limits' }]);
    const { positions } = await window.control.call('servedPositions', { topics: ['orders'] });
    assert.deepEqual(positions, []);
    await assert.rejects(
      window.control.call('removeGroupMembers', { groupId: 'nobody' }),
      /NOT_COORDINATOR|there is no group/,
    );
  });

  it('[A1] tells whose connections are open, and the groups that have members', async () => {
    const lock = await launch();
    const { control } = await call(lock);
    await control.call('hello', { token: lock.token, role: 'window' });
    assert.deepEqual(await control.call('connectedClients', {}), { clients: [], groups: [] });
    const brokers = [lock.bootstrap];
    const kafka = new Kafka({ brokers, clientId: 'billing-app', logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    const consumer = kafka.consumer({ groupId: 'billing', maxWaitTimeInMs: 100 });
    try {
      await admin.connect();
      await admin.createTopics({ topics: [{ topic: 'orders' }] });
      await admin.setOffsets({
        ...{ groupId: 'audit', topic: 'orders' },
        partitions: [{ partition: 0, offset: '0' }],
      });
      await consumer.connect();
      await consumer.subscribe({ topic: 'orders' });
      const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
      await consumer.run({ eachMessage: () => Promise.resolve() });
      await joined;
      const { clients, groups } = await control.call('connectedClients', {});
      assert.deepEqual(
        clients.map(({ clientId }) => clientId),
        ['billing-app'],
      );
      assert.ok((clients[0]?.connections ?? 0) >= 2);
      assert.deepEqual(groups, ['billing']);
    } finally {
      await Promise.all([consumer.disconnect(), admin.disconnect()]);
    }
    let left: unknown[] = [0];
    while (left.length > 0) left = (await control.call('connectedClients', {})).clients;
  });

  it('lets who is early wait until the cluster serves', async () => {
    const launching = launch();
    let lock: LockFile | undefined;
    while (!lock) lock = await readLock().catch(() => undefined);
    let early: Caller | undefined;
    while (!early) early = await call(lock).catch(() => undefined);
    const status = await early.control.call('hello', { token: lock.token, role: 'window' });
    await launching;
    assert.equal(status.bootstrap, launched?.cluster.bootstrap);
  });

  it('says that it stops, and why, and lets go of the directory before it hangs up', async () => {
    const lock = await launch();
    const { control, socket, stopping } = await call(lock);
    await control.call('hello', { token: lock.token, role: 'observer' });
    await control.call('stop', {});
    await until(() => stopReasons.length === 1);
    let wasFree = false;
    const closed = once(socket, 'close').then(async () => {
      wasFree = await readLock().then(
        () => false,
        () => true,
      );
    });
    await launched?.stop('because');
    launched = undefined;
    await closed;
    assert.deepEqual(stopping, ['because']);
    assert.equal(wasFree, true);
  });

  it('[A10] refuses a second cluster in the same directory of the same process', async () => {
    await launch();
    await assert.rejects(
      launchCluster({ dataDir, port: 0, version: '1', onStopRequest: () => undefined }),
      /in use by another cluster of this process/,
    );
  });
});
