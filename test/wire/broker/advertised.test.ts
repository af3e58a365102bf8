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
});
