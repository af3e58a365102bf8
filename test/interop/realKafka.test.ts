import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'mocha';
import { runKafkaTool } from '../support/kafka/java.ts';
import { startKafka } from '../support/kafka/realKafka.ts';

const TOPICS = 'org.apache.kafka.tools.TopicCommand';

describe('the real Kafka that tests compare with', () => {
  it('keeps a given data directory when it stops, and serves it again (Kafka 4.4)', async function () {
    this.timeout(120_000);
    const dataDir = await mkdtemp(path.join(tmpdir(), 'kept-'));
    const first = await startKafka({ dataDir, config: { 'num.partitions': 3 } });
    const server = ['--bootstrap-server', first.bootstrap];
    const created = await runKafkaTool(TOPICS, [...server, '--create', '--topic', 'orders']);
    assert.deepEqual(created, { code: 0, stdout: 'Created topic orders.\n', stderr: '' });
    await first.stop();

    const second = await startKafka({ dataDir });
    const describeArgs = ['--bootstrap-server', second.bootstrap, '--describe'];
    const described = await runKafkaTool(TOPICS, [...describeArgs, '--topic', 'orders']);
    assert.match(described.stdout, /PartitionCount: 3\b/);
    await second.stop();
    assert.equal(existsSync(dataDir), true);
    await rm(dataDir, { recursive: true });
  });
});
