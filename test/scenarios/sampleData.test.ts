import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { it } from 'mocha';
import { silentLogger } from '../../src/base/logger.ts';
import { deleteGroup } from '../../src/client/admin/groups.ts';
import type { KafkaClient } from '../../src/client/kafkaClient.ts';
import { type OffsetRange, readRange } from '../../src/client/readRange.ts';
import { loadSampleData, sampleTopic } from '../../src/cluster/embedded/sampleData.ts';
import { recordsOf } from '../../src/cluster/recordsOf.ts';
import type { KafkaRecord } from '../../src/protocol/records/recordReader.ts';
import { eventually, forEachCluster, sessionOn } from './clusters.ts';

const root = path.join(import.meta.dirname, '..', '..');

forEachCluster('sample data', (cluster) => {
  it('is a topic that one group has read and another has not, and is not loaded twice', async function () {
    this.timeout(90_000);
    const session = sessionOn(cluster());
    const folder = await mkdtemp(path.join(tmpdir(), 'kw-sample-'));
    const dataPath = path.join(folder, 'flights.jsonl.gz');
    const airports = ['SEA', 'LAX', 'JFK', 'ATL', 'ORD', 'DEN', 'SFO', 'BOS', 'MIA', 'PHX'];
    const flights = Array.from({ length: 500 }, (_, index) => ({
      date: `2001/01/${String(1 + (index % 28)).padStart(2, '0')} 10:30`,
      delay: index % 60,
      distance: 100 + index,
      origin: airports[index % airports.length],
      destination: 'LAS',
    }));
    const lines = flights.map((flight) => JSON.stringify(flight)).join('\n');
    await writeFile(dataPath, gzipSync(lines));
    const fractions: number[] = [];
    const options = {
      session,
      dataPath,
      consumersPath: path.join(root, 'src', 'sample.ts'),
      executable: process.execPath,
      logger: silentLogger,
      signal: new AbortController().signal,
      onProgress: (_message: string, fraction: number) => fractions.push(fraction),
    };
    try {
      const beforeMs = Date.now();
      const result = await loadSampleData(options);
      assert.equal(result.recordCount, flights.length);
      assert.deepEqual(
        fractions,
        fractions.toSorted((a, b) => a - b),
      );
      await assert.rejects(loadSampleData(options), /already exists/);
      const lags = new Map<string, bigint>();
      for (const { group, lag } of await session.committedOn(sampleTopic)) {
        lags.set(group, (lags.get(group) ?? 0n) + (lag ?? 0n));
      }
      assert.deepEqual([...lags.keys()].sort(), ['delay-alerts', 'route-stats']);
      assert.equal(lags.get('delay-alerts'), 0n);
      assert.ok((lags.get('route-stats') ?? 0n) > 0n);
      const partitions = await session.partitions(sampleTopic);
      const total = partitions.reduce(
        (sum, { offsets }) => sum + ('value' in offsets ? offsets.value.highWatermark : 0n),
        0n,
      );
      assert.equal(total, BigInt(flights.length));
      const shifts = new Set<number>();
      for (const { partition, offsets } of partitions) {
        const to = 'value' in offsets ? offsets.value.highWatermark : 0n;
        const range = { topic: sampleTopic, partition, from: 0n, to };
        for (const { timestamp, value } of await session.use((client) => readAll(client, range))) {
          const { date } = JSON.parse(String(value)) as { date: string };
          shifts.add(Number(timestamp) - Date.parse(`${date.replaceAll('/', '-')}Z`));
        }
      }
      const [shift = 0, ...others] = shifts;
      assert.deepEqual(others, [], 'all as far apart as the flights were');
      const lastMs = Date.parse('2001-01-28 10:30Z') + shift;
      assert.ok(lastMs >= beforeMs && lastMs <= Date.now(), 'and the last of them now');
    } finally {
      for (const group of ['delay-alerts', 'route-stats']) {
        await eventually(async () => {
          await session.use((client) => deleteGroup(client, group)).catch(() => undefined);
          return !(await session.groups()).some(({ groupId }) => groupId === group);
        });
      }
      await session.deleteTopics([sampleTopic]);
      session.dispose();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

async function readAll(client: KafkaClient, range: OffsetRange): Promise<KafkaRecord[]> {
  const records: KafkaRecord[] = [];
  for await (const batch of readRange(client, range)) records.push(...recordsOf(batch, range.from));
  return records;
}
