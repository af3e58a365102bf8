import { t } from '../base/l10n.ts';
import { errorCodes } from '../protocol/errors.ts';
import type { KafkaClient } from './kafkaClient.ts';
import { KafkaError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import { valueOf } from './outcome.ts';

/** A topic that must stay the one it was at first: offsets mean nothing in another that is made under its name. */
export class SameTopic {
  readonly name: string;
  readonly #client: KafkaClient;
  #topicId: string | undefined;

  constructor(client: KafkaClient, name: string) {
    this.#client = client;
    this.name = name;
  }

  /** What is known of it. Throws the broker's error, or a TopicReplacedError. */
  async get(signal: AbortSignal): Promise<TopicMetadata> {
    const { name } = this;
    const outcome = (await this.#client.topics([name], { signal })).get(name);
    const context = { api: 'metadata', topic: name } as const;
    if (!outcome) throw new KafkaError(errorCodes.UNKNOWN_TOPIC_OR_PARTITION, context);
    const topic = valueOf(outcome);
    this.#topicId ??= topic.topicId;
    if (this.#topicId === topic.topicId) return topic;
    throw new TopicReplacedError(name);
  }
}

/** The topic was deleted, and another made under its name. */
export class TopicReplacedError extends Error {
  override name = 'TopicReplacedError';

  constructor(topic: string) {
    super(t('{0} was deleted and made anew while it was being read', topic));
  }
}
