import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { systemRandom } from '../../src/base/random.ts';
import type { CompressionType } from '../../src/protocol/records/compression.ts';
import { defaultLogConfig, type LogConfig } from '../../src/storage/logConfig.ts';
import { LogManager } from '../../src/storage/logManager.ts';
import { nodeFileSystem } from '../../src/storage/nodeFileSystem.ts';
import type { PartitionLog } from '../../src/storage/partitionLog.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import {
  appendAsClient,
  clientBatch,
  topicId,
  transactionMarker,
} from '../unit/storage/support.ts';

const dumpLogSegments = 'org.apache.kafka.tools.DumpLogSegments';
const config: LogConfig = { ...defaultLogConfig, segmentBytes: 20_000, indexIntervalBytes: 1000 };
const compressions: readonly CompressionType[] = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];
const recordCount = 5 * 20 * 6 + 3;

async function openManager(directory: string): Promise<LogManager> {
  return LogManager.open({
    fileSystem: nodeFileSystem,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
    directory,
    nodeId: 1,
    clusterId: 'cluster',
    defaultConfig: config,
    configOf: () => undefined,
  });
}

/** Records in every compression, with a new leader and an aborted transaction on the way. */
async function fill(log: PartitionLog): Promise<void> {
  const now = BigInt(Date.now());
  const producer = { producerId: 77n, producerEpoch: 0, isTransactional: true };
  for (let n = 0; n < 100; n++) {
    const values = Array.from(
      { length: 6 },
      (_, k) => `record ${n}.${k} ${'x'.repeat((n * 7) % 90)}`,
    );
    const compression = compressions[n % 5] ?? 'none';
    await appendAsClient(
      log,
      clientBatch(values, { compression, timestamp: now + BigInt(n) }),
      n < 50 ? 1 : 2,
    );
  }
  await appendAsClient(log, clientBatch(2, { ...producer, baseSequence: 0, timestamp: now }), 2);
  const marker = transactionMarker({ producerId: 77n, producerEpoch: 0, isAbort: true });
  await log.append(marker, { origin: 'coordinator', leaderEpoch: 2 });
}

async function dump(
  folder: string,
  ...options: string[]
): Promise<{ stdout: string; stderr: string }> {
  const names = (await readdir(folder)).filter((name) => /^\d{20}\./.test(name)).sort();
  const files = names.map((name) => path.join(folder, name)).join(',');
  const { code, stdout, stderr } = await runKafkaTool(
    dumpLogSegments,
    [...options, '--files', files],
    { timeoutMs: 120_000 },
  );
  assert.equal(code, 0, stderr);
  return { stdout, stderr: withoutFirstOffsets(stderr) };
}

/** The tool expects every file to begin at offset 0, and says so of each later segment of any log. */
function withoutFirstOffsets(stderr: string): string {
  return stderr.replace(
    /^Non-consecutive offsets in \S+\/0*(\d+)\.log\n {2}-1 is followed by \1\n/gm,
    '',
  );
}

function checkRecords(stdout: string): void {
  const offsets = [...stdout.matchAll(/^\| offset: (\d+) /gm)].map((match) => Number(match[1]));
  assert.deepEqual(
    offsets,
    Array.from({ length: recordCount }, (_, offset) => offset),
  );
  assert.equal(stdout.includes('isvalid: false'), false);
  const codecs = new Set([...stdout.matchAll(/compresscodec: (\w+)/g)].map((match) => match[1]));
  assert.deepEqual([...codecs].sort(), ['gzip', 'lz4', 'none', 'snappy', 'zstd']);
}

describe("Kafka's own kafka-dump-log", function () {
  this.timeout(180_000);
  let directory = '';
  let manager: LogManager;
  const folder = (): string => path.join(directory, 't-0');

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'kafka-workbench-'));
    manager = await openManager(directory);
    const log = await manager.create({ topic: 't', partition: 0, topicId, config });
    await fill(log);
    await log.flush();
    assert.ok(log.segmentCount >= 2);
  });

  after(() => rm(directory, { recursive: true, force: true }));

  it('reads every record, and finds sane indexes, while the log is being written [A4]', async () => {
    const { stdout, stderr } = await dump(folder(), '--deep-iteration', '--index-sanity-check');
    assert.equal(stderr, '');
    checkRecords(stdout);
    assert.match(stdout, /\.index passed sanity check/);
    assert.match(stdout, /\.timeindex passed sanity check/);
  });

  it('finds index entries that match the batches', async () => {
    const { stderr } = await dump(folder(), '--deep-iteration', '--verify-index-only');
    assert.equal(stderr, '');
  });

  it('reads producers and aborted transactions after a clean stop', async () => {
    await manager.close();
    const { stdout, stderr } = await dump(folder(), '--deep-iteration', '--verify-index-only');
    assert.equal(stderr, '');
    checkRecords(stdout);
    assert.match(
      stdout,
      /producerId: 77 producerEpoch: 0 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong.empty.* lastSequence: 1 lastOffset: 601/,
    );
    assert.match(stdout, /producerId: 77 firstOffset: 600 lastOffset: 602 lastStableOffset: 603/);
  });

  it('finds nothing wrong with indexes that a recovery rebuilt [A4]', async () => {
    await rm(path.join(directory, '.kafka_cleanshutdown'));
    await rm(path.join(directory, 'recovery-point-offset-checkpoint'));
    for (const name of await readdir(folder()))
      if (/\.(index|timeindex|txnindex|snapshot)$/.test(name)) await rm(path.join(folder(), name));
    const recovered = await openManager(directory);
    assert.equal(recovered.get('t', 0)?.logEndOffset, BigInt(recordCount));
    await recovered.get('t', 0)?.flush();
    const { stdout, stderr } = await dump(folder(), '--deep-iteration', '--verify-index-only');
    assert.equal(stderr, '');
    checkRecords(stdout);
    assert.match(stdout, /producerId: 77 firstOffset: 600 lastOffset: 602 lastStableOffset: 603/);
    await recovered.close();
  });
});
