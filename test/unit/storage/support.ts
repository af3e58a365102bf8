import { type Logger, silentLogger } from '../../../src/base/logger.ts';
import { type Random, seededRandom } from '../../../src/base/random.ts';
import type { RecordBatch } from '../../../src/protocol/records/recordBatch.ts';
import { batches } from '../../../src/protocol/records/recordBatch.ts';
import {
  type BatchOptions,
  buildRecordBatch,
} from '../../../src/protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../../src/protocol/records/recordReader.ts';
import type { FileSystem } from '../../../src/storage/fileSystem.ts';
import { defaultLogConfig, type LogConfig } from '../../../src/storage/logConfig.ts';
import { LogManager, type LogManagerOptions } from '../../../src/storage/logManager.ts';
import type { AppendInfo, PartitionLog } from '../../../src/storage/partitionLog.ts';
import type { StorageErrorName } from '../../../src/storage/storageError.ts';
import { StorageError } from '../../../src/storage/storageError.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';

export const topicId = 'AAAAAAAAAAAAAAAAAAAAAQ';
export const startMs = 1_700_000_000_000;

/** Values of records, or how many there are. */
type Contents = number | readonly string[];

/** A client's batch; each record's timestamp is the batch's, one millisecond apart. */
export function clientBatch(
  contents: Contents,
  {
    timestamp = BigInt(startMs),
    keyed = true,
    ...options
  }: BatchOptions & { timestamp?: bigint; keyed?: boolean } = {},
): Buffer {
  const values =
    typeof contents === 'number'
      ? Array.from({ length: contents }, (_, n) => `value ${n}`)
      : contents;
  return buildRecordBatch({
    ...options,
    records: values.map((value, n) => ({
      timestamp: timestamp + BigInt(n),
      key: keyed ? Buffer.from(`key ${n}`) : null,
      value: Buffer.from(value),
    })),
  });
}

/** The marker that ends a transaction. */
export function transactionMarker(options: {
  producerId: bigint;
  producerEpoch: number;
  isAbort: boolean;
  coordinatorEpoch?: number;
}): Buffer {
  const key = Buffer.alloc(4);
  key.writeInt16BE(options.isAbort ? 0 : 1, 2);
  const value = Buffer.alloc(6);
  value.writeInt32BE(options.coordinatorEpoch ?? 0, 2);
  const { producerId, producerEpoch } = options;
  return buildRecordBatch({
    producerId,
    producerEpoch,
    isControl: true,
    isTransactional: true,
    records: [{ timestamp: BigInt(startMs), key, value }],
  });
}

export interface TestLogs {
  readonly fileSystem: MemoryFileSystem;
  readonly clock: ManualClock;
  readonly manager: LogManager;
  readonly log: PartitionLog;
}

export interface TestOptions {
  readonly fileSystem?: MemoryFileSystem;
  readonly clock?: ManualClock;
  readonly config?: Partial<LogConfig>;
  readonly options?: Partial<LogManagerOptions>;
}

export function configWith(config: Partial<LogConfig> = {}): LogConfig {
  return { ...defaultLogConfig, ...config };
}

export function managerOptions(
  fileSystem: FileSystem,
  { clock = new ManualClock(startMs), config, options }: Omit<TestOptions, 'fileSystem'> = {},
): LogManagerOptions {
  return {
    fileSystem,
    clock,
    random: seededRandom(7),
    logger: silentLogger,
    directory: '/data',
    nodeId: 1,
    clusterId: 'cluster',
    defaultConfig: configWith(config),
    configOf: () => undefined,
    ...options,
  };
}

export function openManager(
  fileSystem: FileSystem,
  test: Omit<TestOptions, 'fileSystem'> = {},
): Promise<LogManager> {
  return LogManager.open(managerOptions(fileSystem, test));
}

/** A log manager over a memory file system, with partition 0 of topic `t`. */
export async function openLogs(test: TestOptions = {}): Promise<TestLogs> {
  const { fileSystem = new MemoryFileSystem(), clock = new ManualClock(startMs) } = test;
  const manager = await LogManager.open(managerOptions(fileSystem, { ...test, clock }));
  const log = await manager.create({
    topic: 't',
    partition: 0,
    topicId,
    config: configWith(test.config),
  });
  return { fileSystem, clock, manager, log };
}

export function appendAsClient(
  log: PartitionLog,
  records: Buffer,
  leaderEpoch = 0,
): Promise<AppendInfo> {
  return log.append(records, { origin: 'client', leaderEpoch });
}

/** Everything from `from` to the log end, batch by batch. */
export async function readAll(
  log: PartitionLog,
  from = log.logStartOffset,
): Promise<RecordBatch[]> {
  const found: RecordBatch[] = [];
  let offset = from;
  while (offset < log.logEndOffset) {
    const { records } = await log.read({
      offset,
      maxBytes: 1 << 20,
      upTo: 'logEnd',
      minOneBatch: true,
    });
    const read = [...batches(records)];
    const last = read.at(-1);
    if (last === undefined) throw new Error(`nothing at offset ${offset} of ${log.logEndOffset}`);
    found.push(...read);
    offset = last.header.lastOffset + 1n;
  }
  return found;
}

/** Values of records by offset, as `offset:value`. */
export function valuesOf(found: readonly RecordBatch[]): string[] {
  return found.flatMap((batch) =>
    [...readRecords(batch)].map(({ offset, value }) => `${offset}:${value?.toString() ?? 'null'}`),
  );
}

/** What the broker's log is told. */
export function listener(): { errors: string[]; warnings: string[]; logger: Logger } {
  const errors: string[] = [];
  const warnings: string[] = [];
  const logger: Logger = {
    ...silentLogger,
    error: (message) => void errors.push(message),
    warn: (message) => void warnings.push(message),
  };
  return { errors, warnings, logger };
}

export async function turns(count = 60): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

/** For `assert.rejects` and `assert.throws`. */
export function storageError(
  error: StorageErrorName,
  message?: RegExp,
): (thrown: unknown) => boolean {
  return (thrown) => {
    if (!(thrown instanceof StorageError)) throw thrown;
    if (thrown.error !== error) throw thrown;
    return message?.test(thrown.message) ?? true;
  };
}

export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}
