// Deleted topics whose folders the disk does not let go of: nobody else is held up by them.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { type RunningCluster, startCluster } from '../../../src/broker/cluster.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import { RawClient } from './support/rawClient.ts';
import { batchOf, createTopic, errorName } from './support/servers.ts';

const names = ['a', 'stuck', 'z'];

async function produce(client: RawClient, name: string, value: string): Promise<bigint> {
  const { responses } = await client.call('produce', 9, {
    acks: -1,
    timeoutMs: 5000,
    topicData: [{ name, partitionData: [{ index: 0, records: batchOf([value]) }] }],
  });
  const [partition] = responses[0]?.partitionResponses ?? [];
  assert.equal(errorName(partition?.errorCode), 'NONE');
  return partition?.baseOffset ?? -1n;
}

async function deleteTopics(client: RawClient, topicNames: string[]): Promise<string[]> {
  const { responses } = await client.call('deleteTopics', 5, { topicNames, timeoutMs: 5000 });
  return responses.map(({ errorCode }) => errorName(errorCode));
}

describe('Topics that are deleted while the disk fails (embedded)', function () {
  this.timeout(60_000);

  async function withCluster(
    work: (test: {
      fileSystem: MemoryFileSystem;
      client: RawClient;
      errors: string[];
      restart: () => Promise<RawClient>;
    }) => Promise<void>,
  ): Promise<void> {
    const fileSystem = new MemoryFileSystem();
    const errors: string[] = [];
    const logger: Logger = { ...silentLogger, error: (message) => void errors.push(message) };
    let cluster: RunningCluster | undefined;
    let client: RawClient | undefined;
    const restart = async (): Promise<RawClient> => {
      client?.close();
      await cluster?.close();
      cluster = await startCluster({ dataDir: '/data', port: 0, fileSystem, logger });
      client = await RawClient.open(cluster.bootstrap);
      return client;
    };
    try {
      await work({ fileSystem, client: await restart(), errors, restart });
    } finally {
      client?.close();
      await cluster?.close();
    }
  }

  it('[A4] [A9] all go though one folder cannot be renamed, and a new topic of its name is empty', async () => {
    await withCluster(async ({ fileSystem, client, errors, restart }) => {
      for (const name of names) {
        await createTopic(client, name);
        await produce(client, name, 'old');
      }
      fileSystem.fail('rename', 'EBUSY', { path: /\/stuck-0$/ });
      assert.deepEqual(await deleteTopics(client, names), ['NONE', 'NONE', 'NONE']);
      const folders = new Set(fileSystem.paths().map((path) => path.split('/')[3]));
      assert.deepEqual(
        names.map((name) => folders.has(`${name}-0`)),
        [false, true, false],
      );
      assert.match(errors.join('\n'), /stuck-0 cannot be deleted.*EBUSY/);
      for (const name of names) {
        await createTopic(client, name);
        assert.equal(await produce(client, name, 'new'), 0n);
      }
      const again = await restart();
      for (const name of names) assert.equal(await produce(again, name, 'newer'), 1n);
    });
  });

  it('[A4] [A9] a topic that was made again is empty after a restart, though the old folder stayed', async () => {
    await withCluster(async ({ fileSystem, client, restart }) => {
      await createTopic(client, 'stuck');
      await produce(client, 'stuck', 'old');
      fileSystem.fail('rename', 'EBUSY', { path: /\/stuck-0$/ });
      assert.deepEqual(await deleteTopics(client, ['stuck']), ['NONE']);
      await createTopic(client, 'stuck');
      const again = await restart();
      assert.equal(await produce(again, 'stuck', 'new'), 0n);
    });
  });
});
