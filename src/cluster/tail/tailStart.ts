import { t } from '../../base/l10n.ts';
import { fetchGroupOffsets } from '../../client/admin/groupOffsets.ts';
import { type IsolationLevel, listOffsets } from '../../client/admin/listOffsets.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { mapBounded, valueOf } from '../../client/outcome.ts';
import { PartitionMap } from '../../client/partitionMap.ts';
import type { Seek, SeekPoint, SeekStart } from '../../shared/seek.ts';
import { startOfLastRecords } from './lastRecords.ts';
import type { PartitionOffsets } from '../model.ts';
import { ProblemError } from '../problems.ts';
import { readOffsets } from '../topicReads.ts';

/** What to read of a partition. */
export interface TailRange {
  readonly partition: number;
  /** Where reading begins: inside of the log. */
  readonly position: bigint;
  /** Rows begin here, which may be past the end of the log. */
  readonly from: bigint;
  /** Not included. Null: follow. */
  readonly to: bigint | null;
  /** The high watermark when the tail began. */
  readonly end: bigint;
  /** A time was asked for, and no record was as late: it begins at the end. */
  readonly noneAsLate: boolean;
}

/** Of those that the log held when the tail began: how many offsets there are to read. */
export function offsetsIn({ position, from, to, end }: TailRange): bigint {
  const first = from > position ? from : position;
  const last = to !== null && to < end ? to : end;
  return last - first;
}

/** Whether a start is a place in the log, from which on is read, and not what is newest in it. */
export function isPlace({ kind }: SeekStart): boolean {
  return kind !== 'latest' && kind !== 'last';
}

export interface TailScope {
  readonly topic: string;
  readonly partitions: readonly number[];
  readonly isolation: IsolationLevel;
}

const concurrentLooks = 4;

/** Finds the offsets that a seek expression means now, on each partition. Rejects where one cannot be read. */
export async function resolveTail(
  client: KafkaClient,
  scope: TailScope,
  seek: Seek,
  signal?: AbortSignal,
): Promise<TailRange[]> {
  const logs = await readLogs(client, scope, signal);
  const resolve = new SeekResolver(client, { ...scope, logs, signal });
  const starts = await resolve.start(seek.start);
  const ends = seek.end ? await resolve.end(seek.end) : undefined;
  return [...logs].map(([partition, log]) => {
    const end = log.highWatermark;
    const start = starts.get(partition);
    const from = start ?? end;
    const stop = ends?.get(partition);
    const to = stop === null ? end : (stop ?? null);
    return { partition, position: within(from, log), from, to, end, noneAsLate: start === null };
  });
}

type Logs = ReadonlyMap<number, PartitionOffsets>;
/** Null: none is as late as a time. */
type Offsets = ReadonlyMap<number, bigint | null>;

async function readLogs(
  client: KafkaClient,
  { topic, partitions }: TailScope,
  signal?: AbortSignal,
): Promise<Logs> {
  const wanted = partitions.map((partition) => ({ topic, partition }));
  const logs = new Map<number, PartitionOffsets>();
  for (const { partition, value } of await readOffsets(client, wanted, { signal })) {
    if ('problem' in value) throw new ProblemError(value.problem.message, value.problem.hint);
    logs.set(partition, value.value);
  }
  return logs;
}

function within(offset: bigint, { logStart, highWatermark }: PartitionOffsets): bigint {
  if (offset < logStart) return logStart;
  return offset > highWatermark ? highWatermark : offset;
}

interface ResolverContext {
  readonly topic: string;
  readonly isolation: IsolationLevel;
  readonly logs: Logs;
  readonly signal: AbortSignal | undefined;
}

class SeekResolver {
  readonly #client: KafkaClient;
  readonly #topic: string;
  readonly #isolation: IsolationLevel;
  readonly #logs: Logs;
  readonly #signal: AbortSignal | undefined;

  constructor(client: KafkaClient, { topic, isolation, logs, signal }: ResolverContext) {
    this.#client = client;
    this.#topic = topic;
    this.#isolation = isolation;
    this.#logs = logs;
    this.#signal = signal;
  }

  start(start: SeekStart): Promise<Offsets> {
    switch (start.kind) {
      case 'last':
        return this.#last(start.count);
      case 'group':
        return this.#committed(start.group);
      case 'earliest':
      case 'latest':
      case 'offset':
      case 'time':
      case 'ago':
        return this.#point(start);
    }
  }

  /** A time to come, or none as late, ends nothing before it is there: such a tail follows. */
  async end(end: SeekPoint): Promise<Offsets> {
    const { clock } = this.#client;
    if (end.kind === 'time' && end.epochMs > clock.nowMs()) return new Map();
    return this.#point(end);
  }

  async #point(point: SeekPoint): Promise<Offsets> {
    switch (point.kind) {
      case 'earliest':
        return this.#each(({ logStart }) => logStart);
      case 'latest':
        return this.#each(({ highWatermark }) => highWatermark);
      case 'offset':
        return this.#each(() => point.offset);
      case 'time':
        return this.#at(point.epochMs);
      case 'ago':
        return this.#at(this.#client.clock.nowMs() - point.agoMs);
    }
  }

  #each(choose: (log: PartitionOffsets) => bigint): Offsets {
    return new Map([...this.#logs].map(([partition, log]) => [partition, choose(log)]));
  }

  /** The first record at or after a time. */
  async #at(epochMs: number): Promise<Offsets> {
    const topic = this.#topic;
    const timestamp = BigInt(Math.max(0, Math.trunc(epochMs)));
    const queries = [...this.#logs.keys()].map((partition) => ({ topic, partition, timestamp }));
    const listed = await listOffsets(this.#client, queries, { signal: this.#signal });
    return new Map([...listed].map(({ partition, value }) => [partition, valueOf(value).offset]));
  }

  async #last(count: number): Promise<Offsets> {
    const found = await mapBounded([...this.#logs], concurrentLooks, async ([partition, log]) => {
      const isolation = this.#isolation;
      const end = isolation === 'read_committed' ? log.lastStable : log.highWatermark;
      const part = { topic: this.#topic, partition, logStart: log.logStart, end, isolation };
      const offset = await startOfLastRecords(this.#client, part, count, this.#signal);
      return [partition, offset] as const;
    });
    return new Map(found);
  }

  /** A partition without a commit begins at its end, as a consumer by default would. */
  async #committed(group: string): Promise<Offsets> {
    const options = { signal: this.#signal };
    const outcome = (await fetchGroupOffsets(this.#client, [group], options)).get(group);
    const commits = outcome ? valueOf(outcome) : new PartitionMap<never>();
    const offsets = new Map<number, bigint>();
    for (const [partition, { highWatermark }] of this.#logs) {
      const commit = commits.get(this.#topic, partition);
      offsets.set(partition, commit ? valueOf(commit).offset : highWatermark);
    }
    const hasAny = [...this.#logs.keys()].some((partition) => commits.get(this.#topic, partition));
    if (hasAny) return offsets;
    throw new ProblemError(
      t('{0} has no committed offset on {1}', group, this.#topic),
      t('See the topic’s partitions for the groups that have one.'),
    );
  }
}
