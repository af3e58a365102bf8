// How many connections there may be, the same to our broker and to Kafka. [SocketServer, ConnectionQuotas]
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { RawClient } from './support/rawClient.ts';
import { errorName, patienceMs } from './support/servers.ts';

interface Server {
  readonly admin: string;
  readonly second: string;
  stop(): Promise<void>;
}

const starts: Record<string, () => Promise<Server>> = {
  async embedded() {
    const cluster = await startCluster({
      configs: {
        listeners: 'PLAINTEXT://127.0.0.1:0,SECOND://127.0.0.1:0',
        'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,SECOND:PLAINTEXT',
      },
    });
    const { PLAINTEXT: admin = '', SECOND: second = '' } = cluster.listeners;
    return { admin, second, stop: () => cluster.stop() };
  },
  async 'Kafka 4.4'() {
    const kafka = await startKafka({
      listeners: { SECOND: 'PLAINTEXT' },
      // Each thread closes of its own connections.
      config: { 'num.network.threads': 1 },
    });
    const second = `127.0.0.1:${kafka.port('SECOND')}`;
    return { admin: kafka.bootstrap, second, stop: () => kafka.stop() };
  },
};

const brokerType = 4;
const [set, remove] = [0, 1];
const limits = [
  'listener.name.second.max.connection.creation.rate',
  'listener.name.second.max.connections',
  'max.connections',
  'max.connections.per.ip',
  'max.connections.per.ip.overrides',
];
const asked = { clientSoftwareName: 'limits', clientSoftwareVersion: '1' };

for (const [name, start] of Object.entries(starts)) {
  describe(`Limits on connections (${name})`, function () {
    this.timeout(patienceMs);
    const open: RawClient[] = [];
    let server: Server;
    let admin: RawClient;

    before(async () => {
      server = await start();
      admin = await RawClient.open(server.admin);
    });
    afterEach(async () => {
      for (const client of open.splice(0)) client.close();
      await alter(limits.map((limit) => [limit, remove, null]));
    });
    after(async () => {
      admin.close();
      await server.stop();
    });

    async function alter(
      changes: readonly (readonly [
        name: string,
        operation: number | undefined,
        value: string | null,
      ])[],
    ): Promise<void> {
      const configs = changes.map(([config, operation = set, value]) => ({
        name: config,
        configOperation: operation,
        value,
      }));
      const { responses } = await admin.call('incrementalAlterConfigs', 1, {
        resources: [{ resourceType: brokerType, resourceName: '', configs }],
      });
      assert.equal(errorName(responses[0]?.errorCode), 'NONE');
      await untilDescribed(changes);
    }

    /** Kafka's broker follows its metadata a little later. */
    async function untilDescribed(
      changes: readonly (readonly [
        name: string,
        operation: number | undefined,
        value: string | null,
      ])[],
    ): Promise<void> {
      for (;;) {
        const { results } = await admin.call('describeConfigs', 4, {
          resources: [{ resourceType: brokerType, resourceName: '', configurationKeys: null }],
        });
        const now = new Map(results[0]?.configs.map((entry) => [entry.name, entry.value]));
        if (changes.every(([config, , value]) => (now.get(config) ?? null) === value)) return;
      }
    }

    async function connect(address = server.second): Promise<RawClient> {
      const client = await RawClient.open(address);
      open.push(client);
      return client;
    }

    async function outcome(client: RawClient): Promise<'answered' | 'closed'> {
      client.send('apiVersions', 4, asked);
      return (await client.nextFrame()) ? 'answered' : 'closed';
    }

    /** Whether it is let in; one that comes later is told by the answer of who is in already. */
    async function isHeld(answer: Promise<string>): Promise<boolean> {
      let isSettled = false;
      void answer.then(() => (isSettled = true));
      for (let i = 0; i < 20; i++) assert.equal(await outcome(admin), 'answered');
      return !isSettled;
    }

    it('[C7] takes new ones no faster than a listener may', async () => {
      await alter([['listener.name.second.max.connection.creation.rate', set, '1']]);
      const startedAt = performance.now();
      for (let i = 0; i < 12; i++) await connect();
      assert.deepEqual(new Set(await Promise.all(open.map(outcome))), new Set(['answered']));
      // Ten are within the rate of the ten seconds before; whoever comes after them waits.
      assert.ok(performance.now() - startedAt > 500);
    });

    it('[C7] closes what is one too many from an address, whose limit may be its own', async () => {
      await alter([['max.connections.per.ip', set, '3']]);
      for (let i = 0; i < 2; i++) assert.equal(await outcome(await connect()), 'answered');
      assert.equal(await outcome(await connect()), 'closed');
      await alter([['max.connections.per.ip.overrides', set, 'localhost:4,::1:1']]);
      assert.equal(await outcome(await connect()), 'answered');
      assert.equal(await outcome(await connect()), 'closed');
    });

    it('[C7] has what is one too many for a listener wait until another one is closed', async () => {
      await alter([['listener.name.second.max.connections', set, '2']]);
      const [first] = [await connect(), await connect()];
      assert.deepEqual(await Promise.all(open.map(outcome)), ['answered', 'answered']);
      const third = outcome(await connect());
      assert.ok(await isHeld(third));
      assert.equal(await outcome(await connect(server.admin)), 'answered');
      first.close();
      assert.equal(await third, 'answered');
      const fourth = outcome(await connect());
      assert.ok(await isHeld(fourth));
      await alter([['listener.name.second.max.connections', set, '3']]);
      assert.equal(await fourth, 'answered');
    });

    it('[C7] closes what was used least recently for the listener of brokers, which never waits', async () => {
      const [first, second] = [await connect(), await connect()];
      for (const client of [first, second, first]) assert.equal(await outcome(client), 'answered');
      await alter([['max.connections', set, '3']]);
      const late = outcome(await connect());
      assert.ok(await isHeld(late));
      assert.equal(await outcome(await connect(server.admin)), 'answered');
      assert.ok(await second.isClosedByServer());
      assert.equal(await outcome(first), 'answered');
      assert.ok(await isHeld(late));
    });
  });
}
