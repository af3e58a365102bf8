import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { type Clock, systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { type Random, systemRandom } from '../../base/random.ts';
import { randomUuid } from '../../base/uuid.ts';
import { byTopic } from '../../client/partitionMap.ts';
import type { EarlierOffset } from './offsetReset.ts';
import { ProblemError } from '../problems.ts';

/** Which group of which cluster, by Kafka's own cluster id: a connection may come to name another cluster. */
export interface HistoryKey {
  readonly clusterId: string;
  readonly group: string;
}

export interface HistoryEntry {
  readonly id: string;
  readonly savedAtMs: number;
  /** What was done then: "to earliest". */
  readonly summary: string;
  readonly partitionCount: number;
}

export interface OffsetHistoryOptions {
  readonly folder: string;
  readonly clock?: Clock;
  readonly random?: Random;
}

const entriesKept = 20;
const groupsKept = 500;
const largestFile = 64 * 1024 * 1024;

/** Partition, offset, leader epoch, metadata. */
const storedOffset = v.tuple([
  v.pipe(v.number(), v.integer(), v.minValue(0)),
  v.nullable(v.pipe(v.string(), v.regex(/^\d{1,19}$/))),
  v.pipe(v.number(), v.integer()),
  v.string(),
]);

const storedEntry = v.object({
  version: v.literal(1),
  clusterId: v.string(),
  group: v.string(),
  savedAtMs: v.number(),
  summary: v.string(),
  topics: v.array(v.tuple([v.string(), v.array(storedOffset)])),
});

/**
 * Where groups were before each reset: a folder for each group, a file for each reset, so that windows that write at
 * once lose nothing of each other. The oldest go, of a group and of all groups.
 */
export class OffsetHistory {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #random: Random;

  constructor({ folder, clock = systemClock, random = systemRandom }: OffsetHistoryOptions) {
    this.#folder = folder;
    this.#clock = clock;
    this.#random = random;
  }

  /** Keeps offsets as they are before a reset; answers with the entry's id. */
  async save(key: HistoryKey, summary: string, offsets: readonly EarlierOffset[]): Promise<string> {
    const savedAtMs = this.#clock.nowMs();
    const topics = byTopic(offsets).map(({ topic, partitions }) => [
      topic,
      partitions.map(({ partition, offset, leaderEpoch, metadata }) => [
        partition,
        offset?.toString() ?? null,
        leaderEpoch,
        metadata,
      ]),
    ]);
    const entry = { version: 1, ...key, savedAtMs, summary, topics };
    const id = `${String(savedAtMs).padStart(15, '0')}-${randomUuid(this.#random)}`;
    const folder = this.#folderOf(key);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = path.join(folder, `${id}.json`);
    await writeFile(`${file}.new`, JSON.stringify(entry), { mode: 0o600 });
    await rename(`${file}.new`, file);
    await this.#prune(folder);
    return id;
  }

  /** The newest first. What cannot be read, from another version, is left out. */
  async list(key: HistoryKey): Promise<HistoryEntry[]> {
    const ids = await idsIn(this.#folderOf(key));
    const entries = await Promise.all(
      ids.reverse().map(async (id) => {
        const entry = await this.#read(key, id);
        if (!entry) return [];
        const { savedAtMs, summary, topics } = entry;
        const partitionCount = topics.reduce((sum, [, of]) => sum + of.length, 0);
        return [{ id, savedAtMs, summary, partitionCount }];
      }),
    );
    return entries.flat();
  }

  /** Rejects, in words, where the entry is gone. */
  async load(key: HistoryKey, id: string): Promise<EarlierOffset[]> {
    const entry = /^\d{15}-[\w-]{1,64}$/.test(id) ? await this.#read(key, id) : undefined;
    if (!entry) throw new ProblemError(t('These earlier offsets are not kept any more'));
    return entry.topics.flatMap(([topic, partitions]) =>
      partitions.map(([partition, offset, leaderEpoch, metadata]) => ({
        topic,
        partition,
        offset: offset === null ? null : BigInt(offset),
        leaderEpoch,
        metadata,
      })),
    );
  }

  /** Forgets a reset that changed nothing. */
  async remove(key: HistoryKey, id: string): Promise<void> {
    await rm(path.join(this.#folderOf(key), `${id}.json`), { force: true });
  }

  #folderOf({ clusterId, group }: HistoryKey): string {
    // A group's name may be anything, and longer than a file's.
    const name = createHash('sha256')
      .update(JSON.stringify([clusterId, group]))
      .digest('hex');
    return path.join(this.#folder, name.slice(0, 32));
  }

  async #read(key: HistoryKey, id: string): Promise<v.InferOutput<typeof storedEntry> | undefined> {
    try {
      const file = path.join(this.#folderOf(key), `${id}.json`);
      if ((await stat(file)).size > largestFile) return undefined;
      const parsed = v.safeParse(storedEntry, JSON.parse(await readFile(file, 'utf8')));
      if (!parsed.success) return undefined;
      const { clusterId, group } = parsed.output;
      return clusterId === key.clusterId && group === key.group ? parsed.output : undefined;
    } catch {
      return undefined;
    }
  }

  async #prune(folder: string): Promise<void> {
    const ids = await idsIn(folder);
    for (const id of ids.slice(0, -entriesKept)) {
      await rm(path.join(folder, `${id}.json`), { force: true });
    }
    const groups = await readdir(this.#folder);
    if (groups.length <= groupsKept) return;
    const used = await Promise.all(
      groups.map(async (name) => {
        const found = path.join(this.#folder, name);
        return { found, atMs: (await stat(found)).mtimeMs };
      }),
    );
    const oldest = used.sort((a, b) => a.atMs - b.atMs).slice(0, groups.length - groupsKept);
    for (const { found } of oldest) await rm(found, { recursive: true, force: true });
  }
}

/** The oldest first. */
async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}
