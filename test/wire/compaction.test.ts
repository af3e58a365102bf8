import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type Random, seededRandom } from '../../src/base/random.ts';
import { silentLogger } from '../../src/base/logger.ts';
import { batches } from '../../src/protocol/records/recordBatch.ts';
import { buildRecordBatch } from '../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../src/protocol/records/recordReader.ts';
import { defaultLogConfig, type LogConfig } from '../../src/storage/logConfig.ts';
import { LogManager } from '../../src/storage/logManager.ts';
import { nodeFileSystem } from '../../src/storage/nodeFileSystem.ts';
import type { PartitionLog } from '../../src/storage/partitionLog.ts';
import { runKafkaTool } from '../support/kafka/java.ts';
import { runJavaProgram } from '../support/kafka/javaPrograms.ts';
import { ManualClock } from '../support/manualClock.ts';
import {
  appendAsClient,
  pick,
  startMs,
  topicId,
  transactionMarker,
} from '../unit/storage/support.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? 17);
const logs = 8;
const roundsPerLog = 4;

/** One log that is written to and compacted; each round leaves what it was and what it became. */
class Subject {
  readonly rounds: { readonly directory: string; readonly nowMs: number; ours: string[] }[] = [];
  readonly config: LogConfig;
  readonly #root: string;
  readonly #random: Random;
  readonly #clock = new ManualClock(startMs);
  readonly #sequences = new Map<bigint, number>();
  readonly #open = new Set<bigint>();

  constructor(root: string, runSeed: number) {
    this.#root = path.join(root, `log ${runSeed}`);
    this.#random = seededRandom(runSeed);
    this.config = {
      ...defaultLogConfig,
      cleanupPolicy: new Set(['compact']),
      segmentBytes: pick(this.#random, [1000, 2000, 5000]),
      indexIntervalBytes: 200,
      deleteRetentionMs: pick(this.#random, [0, 10_000, 86_400_000]),
      minCleanableDirtyRatio: pick(this.#random, [0, 0.3]),
      minCompactionLagMs: pick(this.#random, [0, 0, 15_000]),
      maxCompactionLagMs: pick(this.#random, [10_000, defaultLogConfig.maxCompactionLagMs]),
    };
  }

  /** The configs by Kafka's names. */
  get kafkaConfigs(): string[] {
    const { config } = this;
    return [
      'cleanup.policy=compact',
      `internal.segment.bytes=${config.segmentBytes}`,
      `index.interval.bytes=${config.indexIntervalBytes}`,
      `delete.retention.ms=${config.deleteRetentionMs}`,
      `min.cleanable.dirty.ratio=${config.minCleanableDirtyRatio}`,
      `min.compaction.lag.ms=${config.minCompactionLagMs}`,
      `max.compaction.lag.ms=${BigInt(config.maxCompactionLagMs) >= 2n ** 63n ? 2n ** 63n - 1n : BigInt(config.maxCompactionLagMs)}`,
    ];
  }

  async run(): Promise<void> {
    for (let round = 0; round < roundsPerLog; round++) await this.#round(round);
  }

  async #round(round: number): Promise<void> {
    const directory = path.join(this.#root, 'ours');
    const writing = await this.#manager(directory);
    const log = await writing.create({ topic: 't', partition: 0, topicId, config: this.config });
    for (let n = 0; n < 25; n++) await this.#append(log);
    if (this.#random.below(2) === 0) await log.roll();
    await writing.close();
    const copy = path.join(this.#root, `before ${round}`);
    await cp(directory, copy, { recursive: true });
    const compacting = await this.#manager(directory);
    compacting.get('t', 0)?.advanceHighWatermark(2n ** 62n);
    await compacting.get('t', 0)?.open();
    await compacting.compactDirty();
    await compacting.close();
    const ours = await describeFolder(directory);
    this.rounds.push({ directory: copy, nowMs: this.#clock.nowMs(), ours });
    this.#clock.advance(this.#random.below(12_000));
  }

  #manager(directory: string): Promise<LogManager> {
    return LogManager.open({
      fileSystem: nodeFileSystem,
      clock: this.#clock,
      random: this.#random,
      logger: silentLogger,
      directory,
      nodeId: 1,
      clusterId: 'cluster',
      defaultConfig: this.config,
      configOf: () => this.config,
    });
  }

  async #append(log: PartitionLog): Promise<void> {
    this.#clock.advance(this.#random.below(400));
    const producerId = BigInt(1 + this.#random.below(4));
    const isOpen = this.#open.has(producerId);
    if (isOpen && this.#random.below(2) === 0) await this.#end(log, producerId);
    else if (isOpen || this.#random.below(2) === 0) await this.#send(log, producerId);
    else await this.#send(log, undefined);
    log.advanceHighWatermark(log.logEndOffset);
  }

  async #send(log: PartitionLog, producerId: bigint | undefined): Promise<void> {
    const random = this.#random;
    const records = Array.from({ length: 1 + random.below(5) }, () => ({
      timestamp: BigInt(this.#clock.nowMs() - random.below(50)),
      key: Buffer.from(`key ${random.below(12)}`),
      value: random.below(4) === 0 ? null : Buffer.from('x'.repeat(random.below(120))),
      headers: random.below(4) === 0 ? [{ key: 'h', value: Buffer.from('1') }] : [],
    }));
    const compression = pick(random, ['none', 'none', 'gzip', 'snappy', 'lz4', 'zstd'] as const);
    const producer = producerId === undefined ? {} : this.#producer(producerId, records.length);
    await appendAsClient(log, buildRecordBatch({ compression, records, ...producer }));
  }

  #producer(producerId: bigint, count: number) {
    const baseSequence = this.#sequences.get(producerId) ?? 0;
    this.#sequences.set(producerId, baseSequence + count);
    const isTransactional = this.#open.has(producerId) || this.#random.below(2) === 0;
    if (isTransactional) this.#open.add(producerId);
    return { producerId, producerEpoch: 0, baseSequence, isTransactional };
  }

  async #end(log: PartitionLog, producerId: bigint): Promise<void> {
    this.#open.delete(producerId);
    const isAbort = this.#random.below(2) === 0;
    const marker = transactionMarker({ producerId, producerEpoch: 0, isAbort });
    await log.append(marker, { origin: 'coordinator', leaderEpoch: 0 });
  }
}

/** All that a data directory says of partition 0 of topic t; of compressed batches what is in them. */
async function describeFolder(directory: string): Promise<string[]> {
  const checkpoint = path.join(directory, 'cleaner-offset-checkpoint');
  const lines = [`cleaned: ${(await readFile(checkpoint, 'utf8').catch(() => 'never')).trim()}`];
  const folder = path.join(directory, 't-0');
  for (const name of (await readdir(folder)).sort()) {
    const bytes = await readFile(path.join(folder, name));
    if (/^\d{20}\.txnindex$/.test(name) && bytes.length > 0)
      lines.push(`${name} ${bytes.toString('hex')}`);
    if (/^\d{20}\.log$/.test(name)) lines.push(name, ...describeBatches(bytes));
  }
  // A log that was never compacted has an empty checkpoint here and none there.
  return lines.map((line) => line.replace(/^cleaned: 0\n0$/, 'cleaned: never'));
}

function describeBatches(bytes: Buffer): string[] {
  return [...batches(bytes)].flatMap((batch) => {
    const { crc, batchLength, sizeInBytes, ...header } = batch.header;
    // Codecs may write the same in other bytes.
    const exact = header.compression === 'none' ? { crc, batchLength, sizeInBytes } : {};
    const records = [...readRecords(batch)].map(({ key, value, headers, offset, timestamp }) =>
      shown({ offset, timestamp, key, value, headers }),
    );
    return [shown({ ...header, ...exact }), ...records];
  });
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? `${each}n` : each,
  );
}

describe(`[A5] compaction and Kafka's cleaner, seed ${seed}`, function () {
  this.timeout(180_000);
  let root = '';
  let subjects: Subject[] = [];

  before(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'kafka-workbench-'));
    subjects = Array.from({ length: logs }, (_, n) => new Subject(root, seed + n));
    for (const subject of subjects) await subject.run();
  });

  after(() => rm(root, { recursive: true, force: true }));

  it('leave the same segments, records, tombstones, markers and transaction indexes', async () => {
    const jobs = subjects.flatMap(({ rounds, kafkaConfigs }) =>
      rounds.map(({ directory, nowMs }) => [directory, nowMs, ...kafkaConfigs].join('\t')),
    );
    const output = await runJavaProgram('LogCompaction', Buffer.from(`${jobs.join('\n')}\n`));
    const answers = output.toString().trim().split('\n');
    assert.equal(answers.length, jobs.length);
    const cleaned = answers.filter((answer) => answer !== 'nothing').length;
    assert.ok(cleaned > jobs.length / 2, `${cleaned} of ${jobs.length} had anything to clean`);
    for (const [n, subject] of subjects.entries())
      for (const [round, { directory, ours }] of subject.rounds.entries())
        assert.deepEqual(ours, await describeFolder(directory), `log ${seed + n}, round ${round}`);
  });

  it('leave a log that kafka-dump-log finds sound', async () => {
    const files: string[] = [];
    for (const n of subjects.keys()) {
      const folder = path.join(root, `log ${seed + n}`, 'ours', 't-0');
      const names = (await readdir(folder)).sort();
      const indexes = names.filter((name) => /^\d{20}\.(index|timeindex|txnindex)$/.test(name));
      files.push(...indexes.map((name) => path.join(folder, name)));
    }
    const { code, stderr } = await runKafkaTool(
      'org.apache.kafka.tools.DumpLogSegments',
      ['--verify-index-only', '--files', files.join(',')],
      { timeoutMs: 120_000 },
    );
    assert.equal(code, 0, stderr);
    // An emptied batch keeps its largest timestamp, for which the tool looks among its records.
    const ofEmptied =
      /^Found timestamp mismatch in :.*\n {2}Index timestamp: \d+, log timestamp: -1\n/gm;
    assert.equal(stderr.replace(ofEmptied, ''), '');
  });
});
