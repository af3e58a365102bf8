/** What becomes of the topic of a tail: more partitions, its end, and another of its name after that. */
import type { Disposable } from '../../base/disposable.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { isUnknownTopic } from '../../client/kafkaError.ts';
import { TopicReplacedError } from '../../client/sameTopic.ts';
import { sleep } from '../../client/waiting.ts';
import type { TailProgress } from '../../shared/contracts/tailProgress.ts';

/** Consumers look every metadata.max.age.ms, which is for minutes; somebody is looking at this. */
const lookEveryMs = 5000;

export interface TopicWatchOptions {
  readonly client: KafkaClient;
  readonly topic: string;
  /** Of which so many partitions are known; undefined: nobody asks for more. */
  readonly partitionCount: number | undefined;
  /** Partitions were added. False: they cannot be taken in now, and it is told again. */
  readonly onGrown: (added: readonly number[]) => boolean;
  /** Nobody reads the topic for now, so that nobody else learns that it is gone. */
  readonly isUnread: () => boolean;
  /** It has grown, was deleted while nobody read it, or one of its name is there again. */
  readonly onChange: () => void;
}

/** Looks again and again, for as long as the tail lives. */
export class TopicWatch implements Disposable {
  readonly #options: TopicWatchOptions;
  readonly #end = new AbortController();
  #topicId: string | undefined;
  #partitionCount: number | undefined;
  #gone: TailProgress['topicGone'];
  /** The last look has not found it. */
  #isMissed = false;

  constructor(options: TopicWatchOptions) {
    this.#options = options;
    this.#partitionCount = options.partitionCount;
    // Ends with the tail.
    this.#run().catch(() => undefined);
  }

  get progress(): Pick<TailProgress, 'partitionCount' | 'topicGone'> {
    const [partitionCount, topicGone] = [this.#partitionCount, this.#gone];
    return {
      ...(partitionCount !== undefined && { partitionCount }),
      ...(topicGone && { topicGone }),
    };
  }

  get gone(): TailProgress['topicGone'] {
    return this.#gone;
  }

  /** Reading has ended with an error: it may be since the topic was deleted. */
  noteFailure(error: unknown): void {
    this.#isMissed = false;
    if (error instanceof TopicReplacedError) this.#gone = 'back';
    else if (isUnknownTopic(error)) this.#gone = 'deleted';
  }

  dispose(): void {
    this.#end.abort();
  }

  async #run(): Promise<void> {
    const { clock } = this.#options.client;
    const { signal } = this.#end;
    while (!signal.aborted) {
      // What a cluster cannot answer now it is asked again.
      await this.#look().catch(() => undefined);
      await sleep(clock, lookEveryMs, signal);
    }
  }

  async #look(): Promise<void> {
    const { client, topic: name, onGrown, onChange } = this.#options;
    const { topics } = await client.metadata([name], { signal: this.#end.signal });
    const topic = topics.get(name);
    if (this.#gone !== undefined) {
      const gone = this.#goneBy(topic?.topicId);
      if (gone === this.#gone) return;
      this.#gone = gone;
      onChange();
      return;
    }
    this.#topicId ??= topic?.topicId;
    if (!topic || topic.topicId !== this.#topicId) {
      this.#miss(topic ? 'back' : 'deleted');
      return;
    }
    this.#isMissed = false;
    const { length } = topic.partitions;
    const known = this.#partitionCount;
    if (known === undefined || length <= known) return;
    const added = Array.from({ length: length - known }, (_, index) => known + index);
    if (!onGrown(added)) return;
    this.#partitionCount = length;
    onChange();
  }

  /** What was only missed may be there as it was: the broker that was asked did not know it. */
  #goneBy(topicId: string | undefined): TailProgress['topicGone'] {
    if (topicId === undefined) return 'deleted';
    if (!this.#isMissed || topicId !== this.#topicId) return 'back';
    this.#isMissed = false;
    return undefined;
  }

  /**
   * The reader learns of it by itself, but for one that is paused. A broker that has just started may not know it yet.
   */
  #miss(gone: NonNullable<TailProgress['topicGone']>): void {
    const { isUnread, onChange } = this.#options;
    if (!isUnread()) return;
    if (this.#isMissed) {
      this.#gone = gone;
      onChange();
    }
    this.#isMissed = true;
  }
}
