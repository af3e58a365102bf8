import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { deferred } from '../../../src/base/deferred.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { OpenFile, OpenMode } from '../../../src/storage/fileSystem.ts';
import type { LogConfig } from '../../../src/storage/logConfig.ts';
import type { PartitionLog } from '../../../src/storage/partitionLog.ts';
import { MemoryFileSystem } from '../../support/memoryFileSystem.ts';
import {
  appendAsClient,
  clientBatch,
  openLogs,
  storageError,
  transactionMarker,
} from './support.ts';

const config = { segmentBytes: 500, indexIntervalBytes: 1 };
const count = 12;

/** Transactions of two records with another batch and a marker each, of which every second one is aborted. */
async function writeTransactions(
  log: PartitionLog,
  lengthOfOther: (n: number) => number = () => 1,
): Promise<void> {
  for (let n = 0; n < count; n++) {
    const producer = { producerId: BigInt(n), producerEpoch: 0 };
    const transactional = { ...producer, isTransactional: true, baseSequence: 0 };
    await appendAsClient(log, clientBatch(2, transactional));
    await appendAsClient(log, clientBatch(lengthOfOther(n)));
    const marker = transactionMarker({ ...producer, isAbort: n % 2 === 0 });
    await log.append(marker, { origin: 'coordinator', leaderEpoch: 0 });
  }
  log.advanceHighWatermark(log.logEndOffset);
}

/** Transactions that were aborted, some of which begin in a segment before that of their marker. */
async function aborting(): Promise<MemoryFileSystem> {
  const { log, manager, fileSystem } = await openLogs({ config });
  await writeTransactions(log, (n) => 1 + (n % 3));
  await manager.close();
  return fileSystem;
}

async function abortedIn(fileSystem: MemoryFileSystem): Promise<bigint[]> {
  const { log, manager } = await openLogs({ fileSystem, config });
  await log.open();
  log.advanceHighWatermark(log.logEndOffset);
  const aborted = new Set<bigint>();
  for (let offset = log.logStartOffset; offset < log.logEndOffset; offset++) {
    const options = { offset, maxBytes: 1, upTo: 'lastStable', minOneBatch: true } as const;
    const { abortedTransactions } = await log.read(options);
    for (const { producerId } of abortedTransactions) aborted.add(producerId);
  }
  await manager.close();
  return [...aborted].sort((a, b) => Number(a - b));
}

const expected = Array.from({ length: count / 2 }, (_, n) => BigInt(2 * n));

const indexesOf = (fileSystem: MemoryFileSystem): string[] =>
  fileSystem.paths().filter((path) => path.endsWith('.txnindex'));

const damages: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'cut within an entry': (bytes) => bytes.subarray(0, bytes.length - 5),
  'of another version': (bytes) => Buffer.concat([Buffer.from([1, 1]), bytes.subarray(2)]),
  'longer than what was written': (bytes) => Buffer.concat([bytes, Buffer.alloc(40, 0xa5)]),
  'with offsets that cannot be': (bytes) =>
    Buffer.concat([bytes.subarray(0, 10), Buffer.alloc(8, 0x7f), bytes.subarray(18)]),
};

/** Which producers' aborted transactions are told with one batch from the beginning. */
async function toldAtStart(config: Partial<LogConfig>, maxBytes = 1): Promise<bigint[]> {
  const { log, manager } = await openLogs({ config });
  await writeTransactions(log);
  const options = { offset: 0n, upTo: 'lastStable', minOneBatch: maxBytes > 0 } as const;
  const { abortedTransactions } = await log.read({ ...options, maxBytes });
  await manager.close();
  return abortedTransactions.map(({ producerId }) => producerId);
}

describe('aborted transactions of a read', () => {
  it('are told up to the next entry of the offset index', async () => {
    assert.deepEqual(await toldAtStart({ indexIntervalBytes: 1 }), [0n]);
    assert.deepEqual(await toldAtStart({ indexIntervalBytes: 600 }), [0n, 2n]);
  });

  it('are told up to the next segment where there is no such entry', async () => {
    const indexIntervalBytes = 1_000_000;
    assert.deepEqual(await toldAtStart({ indexIntervalBytes }), expected);
    assert.deepEqual(await toldAtStart({ indexIntervalBytes, segmentBytes: 1000 }), [0n, 2n]);
  });

  it('are told also where no byte was asked for', async () => {
    assert.deepEqual(await toldAtStart({ indexIntervalBytes: 600 }, 0), [0n, 2n]);
  });
});

describe('a read whose segment is deleted meanwhile', () => {
  it('does not look for the indexes that went with it', async () => {
    const { fileSystem, hold } = holding();
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const { log } = await openLogs({ fileSystem, config, options: { logger } });
    await writeTransactions(log);
    const read = (offset: bigint, maxBytes: number) =>
      log.read({ offset, maxBytes, upTo: 'lastStable', minOneBatch: true });
    // Where this one ends is remembered: the next needs no index to begin.
    await read(0n, 1);
    const release = hold();
    const reading = assert.rejects(read(2n, 1000), storageError('OFFSET_OUT_OF_RANGE'));
    await log.deleteRecordsBefore(log.logEndOffset / 2n);
    const before = log.segmentCount;
    const deleted = log.applyRetention();
    while (log.segmentCount === before) await immediate();
    release();
    await Promise.all([reading, deleted]);
    assert.deepEqual(warnings, []);
  });
});

/** A file system whose next read of the first segment can be held. */
function holding(): { fileSystem: MemoryFileSystem; hold: () => () => void } {
  let held: Promise<unknown> | undefined;
  const fileSystem = new (class extends MemoryFileSystem {
    override async open(path: string, mode: OpenMode): Promise<OpenFile> {
      const file = await super.open(path, mode);
      if (!path.endsWith('/00000000000000000000.log')) return file;
      const read = file.read.bind(file);
      file.read = async (into, position) => {
        await held;
        return read(into, position);
      };
      return file;
    }
  })();
  const hold = () => {
    const gate = deferred<undefined>();
    held = gate.promise;
    return () => gate.resolve(undefined);
  };
  return { fileSystem, hold };
}

describe('the index of aborted transactions', () => {
  for (const [title, damage] of Object.entries(damages))
    it(`is made anew from the log where its file is ${title}`, async () => {
      const fileSystem = await aborting();
      assert.ok(indexesOf(fileSystem).length > 2);
      for (const path of indexesOf(fileSystem))
        fileSystem.place(path, damage(fileSystem.contents(path) ?? Buffer.alloc(0)));
      assert.deepEqual(await abortedIn(fileSystem), expected);
      assert.deepEqual(await abortedIn(fileSystem), expected, 'and is kept');
    });

  it('is left as it is where it is sound', async () => {
    const fileSystem = await aborting();
    const contents = () =>
      indexesOf(fileSystem).map((path) => fileSystem.contents(path)?.toString('hex'));
    const before = contents();
    assert.deepEqual(await abortedIn(fileSystem), expected);
    assert.deepEqual(contents(), before);
  });
});
