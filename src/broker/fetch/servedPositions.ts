import type { Clock } from '../../base/clock.ts';
import type { Steps } from '../../base/turns.ts';
import { batches } from '../../protocol/records/recordBatch.ts';
import type { PartitionRead } from './partitionFetch.ts';

/** Up to where a client has been sent a partition. */
export interface ServedPosition {
  readonly clientId: string;
  /** As in group descriptions: `/127.0.0.1`. */
  readonly clientHost: string;
  readonly topic: string;
  readonly partition: number;
  /** The first offset that it has not been sent. */
  readonly offset: bigint;
}

interface Client {
  readonly clientId: string;
  readonly clientHost: string;
  /** Each connection has its own. */
  readonly session: object;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
}

/** Who looks asks again within seconds. */
const watchedMs = 60_000;
/** Of all connections together; what comes beyond is not noted. */
const mostPositions = 10_000;

/**
 * How far each connection has been served, noted only while somebody looks. A fetch names no group and no member:
 * who looks puts the two together by client id and host.
 */
export class ServedPositions {
  readonly #clock: Clock;
  readonly #connections = new Map<object, Map<string, ServedPosition>>();
  #watchedUntilMs = -Infinity;
  #count = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What was noted of some topics; from now on more is. */
  look(topics: ReadonlySet<string>): ServedPosition[] {
    if (!this.isWatched) this.#forget();
    this.#watchedUntilMs = this.#clock.monotonicMs() + watchedMs;
    return [...this.#connections.values()].flatMap((positions) =>
      [...positions.values()].filter(({ topic }) => topics.has(topic)),
    );
  }

  /** Notes what a fetch is answered with. */
  *note(
    { clientId, clientHost, session, signal }: Client,
    reads: readonly PartitionRead[],
  ): Steps<void> {
    if (!this.isWatched) return;
    let positions = this.#connections.get(session);
    if (!positions) {
      if (signal.aborted) return;
      this.#connections.set(session, (positions = new Map<string, ServedPosition>()));
      signal.addEventListener('abort', () => this.#drop(session), { once: true });
    }
    for (const { fetch, error, records } of reads) {
      yield;
      // It has closed meanwhile: what is noted now would count for good.
      if (signal.aborted) return;
      const { topic, partition, fetchOffset } = fetch;
      if (error !== 'NONE' || topic === undefined) continue;
      const key = `${partition}:${topic}`;
      if (!positions.has(key)) {
        if (this.#count >= mostPositions) continue;
        this.#count++;
      }
      const offset = endOf(records) ?? fetchOffset;
      positions.set(key, { clientId, clientHost, topic, partition, offset });
    }
  }

  /** Whether somebody looks: else there is nothing to be noted. */
  get isWatched(): boolean {
    return this.#clock.monotonicMs() < this.#watchedUntilMs;
  }

  #drop(session: object): void {
    this.#count -= this.#connections.get(session)?.size ?? 0;
    this.#connections.delete(session);
  }

  /** What was noted while somebody looked the last time is old. */
  #forget(): void {
    for (const positions of this.#connections.values()) positions.clear();
    this.#count = 0;
  }
}

/** The offset after the last whole batch. */
function endOf(records: Buffer): bigint | undefined {
  let end: bigint | undefined;
  for (const { header } of batches(records)) end = header.lastOffset + 1n;
  return end;
}
