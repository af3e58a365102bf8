import { type Clock, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { CancelledError } from '../../client/kafkaError.ts';
import { PartitionMap } from '../../client/partitionMap.ts';
import { orCancelled } from '../../client/waiting.ts';
import type { ClusterSession } from '../clusterSession.ts';
import type { ServedPosition } from '../embedded/embeddedControl.ts';
import { servedOf } from './lagServed.ts';
import type { LagPosition } from './lagFigures.ts';
import { type LagReading, readLag } from './lagReading.ts';
import { LagHistory, type Rates } from './lagHistory.ts';
import type { LagTime, TimeFound, TimeQuery } from './lagTime.ts';
import type { ConnectionState, GroupDetails, Problem } from '../model.ts';
import { toProblem } from '../problems.ts';

export interface SampledPosition extends LagPosition {
  readonly time: LagTime;
  readonly rates: Rates;
  /** Up to where its member has been sent records, where the cluster can tell. Not included. */
  readonly served?: bigint;
}

export interface LagSample {
  readonly atMs: number;
  readonly details: GroupDetails;
  readonly positions: readonly SampledPosition[];
  readonly rates: Rates;
}

export interface LagSamplerOptions {
  /** Asked for at each sample: an edited connection gets another one. */
  readonly session: () => ClusterSession;
  readonly group: string;
  readonly clock?: Clock;
  /** How far clients were sent the partitions of topics, where the cluster can tell. */
  readonly served?: (topics: readonly string[]) => Promise<readonly ServedPosition[]>;
  /** How far the cluster's clock is ahead of ours, where that is known: its append times are by its clock. */
  readonly clockAheadMs?: () => number;
}

/** Of so many partitions the record at the commit is read in one sample; a request carries several. */
const mostTimesRead = 64;

interface KnownTime {
  readonly query: TimeQuery;
  readonly time: TimeFound;
}

/** One group's lag, sampled when told to, with what was seen of it before. */
export class LagSampler implements Disposable {
  readonly history = new LagHistory();
  readonly #options: LagSamplerOptions;
  readonly #clock: Clock;
  readonly #emitter = new Emitter<void>();
  /** There is a new sample, or a new problem. */
  readonly onDidSample = this.#emitter.event;
  /** Times of records by where they are: a group that stands still is asked about once. */
  #times = new PartitionMap<KnownTime>();
  #latest: LagSample | undefined;
  #problem: Problem | undefined;
  readonly #end = new AbortController();
  #running: Promise<boolean> | undefined;

  constructor(options: LagSamplerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get latest(): LagSample | undefined {
    return this.#latest;
  }

  /** Why there is no newer sample. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /**
   * Takes a sample, or waits for the one that is being taken. Resolves to whether that succeeded; the problem is then
   * kept beside the last sample.
   */
  sample(signal?: AbortSignal): Promise<boolean> {
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
    return orCancelled(this.#running, signal);
  }

  /** As `sample`, where nobody asked for it: somebody who has disconnected is not connected again. */
  sampleAgain(): Promise<boolean> {
    const isLeft = this.#latest !== undefined && this.#sessionState() === 'stopped';
    if (!isLeft) return this.sample();
    const hint = t('Refresh, or connect again.');
    this.#problem = { message: t('The cluster is not connected.'), hint };
    this.#emitter.fire();
    return Promise.resolve(false);
  }

  dispose(): void {
    this.#end.abort(new CancelledError());
    this.#emitter.dispose();
  }

  /** Undefined: the cluster was removed. */
  #sessionState(): ConnectionState['kind'] | undefined {
    try {
      return this.#options.session().state.kind;
    } catch {
      return undefined;
    }
  }

  async #run(): Promise<boolean> {
    const { signal } = this.#end;
    try {
      const session = this.#options.session();
      this.#latest = await session.use((client) => this.#sample(client, signal), signal);
      this.#problem = undefined;
    } catch (error) {
      this.#problem = toProblem(error);
    }
    this.#emitter.fire();
    return this.#problem === undefined;
  }

  async #sample(client: KafkaClient, signal?: AbortSignal): Promise<LagSample> {
    const reading = await readLag(client, this.#options.group, signal);
    const atMs = this.#clock.nowMs();
    this.history.add(atMs, reading.positions);
    await this.#readTimes(client, reading, signal);
    const served = servedOf(reading.positions, await this.#served(reading));
    const positions = reading.positions.map((position) => ({
      ...position,
      ...servedAt(served, position),
      time: this.#timeOf(position, atMs),
      rates: this.history.rates(position),
    }));
    return { atMs, details: reading.details, positions, rates: this.history.rates() };
  }

  /** It is more than a lag needs: without it there still is one. */
  async #served({ positions }: LagReading): Promise<readonly ServedPosition[]> {
    const { served } = this.#options;
    const topics = new Set(positions.flatMap(({ topic, owner }) => (owner ? [topic] : [])));
    if (!served || topics.size === 0) return [];
    return served([...topics]).catch(() => []);
  }

  /** Reads those that neither the history nor an earlier look tells. */
  async #readTimes(
    client: KafkaClient,
    { positions }: LagReading,
    signal?: AbortSignal,
  ): Promise<void> {
    const known = new PartitionMap<KnownTime>();
    const wanted: TimeQuery[] = [];
    for (const position of positions) {
      const query = waitingOf(position);
      if (!query || this.history.appendedAtMs(query, query.offset) !== undefined) continue;
      const before = this.#known(query);
      if (before) known.set(query.topic, query.partition, before);
      else if (wanted.length < mostTimesRead) wanted.push(query);
    }
    // It reads records: the codecs for that are loaded by a window that looks at lag, not by every one.
    const { recordTimes } = await import('./lagTime.ts');
    const found = await recordTimes(client, wanted, signal);
    for (const query of wanted) {
      const time = found.get(query.topic, query.partition);
      if (time) known.set(query.topic, query.partition, { query, time });
    }
    this.#times = known;
  }

  /** What is known of the same place; where nothing was there, something may be by now. */
  #known({ topic, partition, offset, end }: TimeQuery): KnownTime | undefined {
    const known = this.#times.get(topic, partition);
    if (known?.query.offset !== offset) return undefined;
    return known.time === 'nothing' && known.query.end !== end ? undefined : known;
  }

  #timeOf(position: LagPosition, nowMs: number): LagTime {
    if (position.committed === null || 'problem' in position.offsets) return { kind: 'unknown' };
    const query = waitingOf(position);
    if (!query) return { kind: 'none' };
    const isAtLeast = query.offset !== position.committed;
    const seenMs = this.history.appendedAtMs(query, query.offset);
    if (seenMs !== undefined) {
      return { kind: 'known', lagMs: sinceMs(seenMs, nowMs), source: 'history', isAtLeast };
    }
    const time = this.#known(query)?.time ?? 'untimed';
    if (time === 'untimed') return { kind: 'unknown' };
    if (time === 'nothing') return { kind: 'none' };
    const aheadMs = time.source === 'appendTime' ? (this.#options.clockAheadMs?.() ?? 0) : 0;
    const lagMs = sinceMs(Number(time.timestamp) - aheadMs, nowMs);
    return { kind: 'known', lagMs, source: time.source, isAtLeast };
  }
}

function servedAt(
  served: PartitionMap<bigint>,
  { topic, partition }: LagPosition,
): Pick<SampledPosition, 'served'> {
  const offset = served.get(topic, partition);
  return offset === undefined ? {} : { served: offset };
}

/** Clocks differ: a record of the future has been there for no time. */
function sinceMs(fromMs: number, nowMs: number): number {
  return Math.max(0, nowMs - fromMs);
}

/** The first offset that the group has not read and that is still there; undefined where there is none. */
function waitingOf({ topic, partition, committed, offsets }: LagPosition): TimeQuery | undefined {
  if (committed === null || 'problem' in offsets) return undefined;
  const { logStart, highWatermark: end } = offsets.value;
  const offset = committed < logStart ? logStart : committed;
  return offset < end ? { topic, partition, offset, end } : undefined;
}
