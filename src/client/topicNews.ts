import type { Clock } from '../base/clock.ts';
import type { TopicMetadata } from './metadata.ts';

interface News {
  /** -1: as many as the broker gives it. */
  readonly partitionCount: number;
  readonly endMs: number;
}

/** A broker that has not heard of it by then is not going to. */
const newsLastMs = 60_000;

/**
 * Topics that this client has created or made larger a moment ago. Brokers learn of that one after the other; one that
 * does not know such a topic is asked again, where it would be believed of any other.
 */
export class TopicNews {
  readonly #clock: Clock;
  readonly #news = new Map<string, News>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(topic: string, partitionCount: number): void {
    const nowMs = this.#clock.monotonicMs();
    for (const [name, { endMs }] of this.#news) if (endMs <= nowMs) this.#news.delete(name);
    this.#news.set(topic, { partitionCount, endMs: nowMs + newsLastMs });
  }

  /** Whether there is such a topic, or a partition of it, as far as this client can know. */
  has(topic: string, partition = 0): boolean {
    const news = this.#of(topic);
    return news !== undefined && (news.partitionCount === -1 || partition < news.partitionCount);
  }

  /** Whether what a broker says of a topic is from before the news. */
  isOld({ name, partitions }: TopicMetadata): boolean {
    const news = this.#of(name);
    return news !== undefined && partitions.length < Math.max(1, news.partitionCount);
  }

  forget(topic: string): void {
    this.#news.delete(topic);
  }

  #of(topic: string): News | undefined {
    const news = this.#news.get(topic);
    return news && news.endMs > this.#clock.monotonicMs() ? news : undefined;
  }
}
