import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { RawClient } from './support/rawClient.ts';

describe('A broker that is reached by another name (embedded)', () => {
  it('[A13] tells clients that name, and the port that it listens on', async () => {
    const cluster = await startCluster({
      configs: { 'advertised.listeners': 'PLAINTEXT://localhost:0' },
    });
    try {
      const [host, port] = cluster.bootstrap.split(':');
      assert.equal(host, 'localhost');
      const client = await RawClient.open(`127.0.0.1:${port}`);
      const { brokers } = await client.call('metadata', 12, { topics: [] });
      assert.deepEqual(brokers.map((each) => [each.host, each.port]), [['localhost', Number(port)]]); // prettier-ignore
      client.close();
    } finally {
      await cluster.stop();
    }
  });

  it('[A10] tells its owner the port that each listener found', async () => {
    const cluster = await startCluster({
      configs: {
        listeners: 'PLAINTEXT://127.0.0.1:0,INSIDE://127.0.0.1:0',
        'advertised.listeners': 'INSIDE://localhost:0',
        'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,INSIDE:PLAINTEXT',
      },
    });
    try {
      const { PLAINTEXT = '', INSIDE = '' } = cluster.listeners;
      assert.equal(PLAINTEXT, cluster.bootstrap);
      assert.match(INSIDE, /^localhost:\d+$/);
      assert.notEqual(INSIDE.split(':')[1], PLAINTEXT.split(':')[1]);
      const client = await RawClient.open(INSIDE.replace('localhost', '127.0.0.1'));
      const { brokers } = await client.call('metadata', 12, { topics: [] });
      assert.deepEqual(brokers.map(({ host, port }) => `${host}:${port}`), [INSIDE]); // prettier-ignore
      client.close();
    } finally {
      await cluster.stop();
    }
  });
});
