import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { ErrorName } from '../protocol/errors.ts';
import {
  ConnectionError,
  isBrokerDown,
  isUnknownTopic,
  KafkaError,
  throwIfCancelled,
} from './kafkaError.ts';
import { type Deadline, sleep } from './waiting.ts';

/** retry.backoff.ms and retry.backoff.max.ms of Kafka's admin client, with its jitter of a fifth. */
const firstBackoffMs = 100;
const lastBackoffMs = 1000;

/**
 * How often a broker that is not there is tried, or a topic that nobody knows: for two to three seconds. A broker that
 * starts again, or learns of a topic, often takes no longer; and who has mistyped a name wants to be told. The deadline
 * ends all tries.
 */
const triesWhenAbsent = 6;

/** Retriable by Kafka's book, but the request may have been carried out. */
const mayHaveHappened: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'REQUEST_TIMED_OUT',
]);

/** What has been tried to the end. Who waits for it among other things does not begin again. */
const givenUp = new WeakSet<Error>();

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  /** False for what must not happen twice: then nothing that may have reached a broker is repeated. */
  readonly isRepeatable?: boolean;
  /** Whether an error is about a topic that is known to exist, which brokers will learn of. */
  readonly isAboutNews?: (error: unknown) => boolean;
  /** Called before each further try: to refresh what the failure showed to be stale. */
  readonly beforeRetry?: (error: unknown) => void;
}

/** Runs `operation` until it succeeds, fails for good, or the deadline leaves no room for another try. */
export async function retrying<T>(operation: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await operation();
    } catch (error) {
      throwIfCancelled(options.signal);
      const { isRepeatable, isAboutNews } = options;
      const attempt = { tries, isRepeatable, isAboutNews: isAboutNews?.(error) };
      const delayMs = backoffMs(tries, options.random);
      if (!isWorthRetrying(error, attempt) || options.deadline.remainingMs <= delayMs) {
        if (error instanceof Error) givenUp.add(error);
        throw error;
      }
      options.beforeRetry?.(error);
      await sleep(options.clock, delayMs, options.signal);
    }
  }
}

/** What has been tried. */
export interface Attempt {
  readonly tries: number;
  readonly isRepeatable?: boolean | undefined;
  readonly isAboutNews?: boolean | undefined;
}

/** Whether another try may help. */
export function isWorthRetrying(error: unknown, attempt: Attempt): boolean {
  const { tries, isRepeatable = true, isAboutNews = false } = attempt;
  if (error instanceof Error && givenUp.has(error)) return false;
  if (error instanceof ConnectionError) {
    return tries < triesWhenAbsent && (isRepeatable || !error.mayHaveBeenSent);
  }
  if (isBrokerDown(error)) return tries < triesWhenAbsent;
  if (!(error instanceof KafkaError) || !error.retriable) return false;
  if (!isRepeatable && mayHaveHappened.has(error.kafkaName)) return false;
  return !isUnknownTopic(error) || isAboutNews || tries < triesWhenAbsent;
}

export function backoffMs(tries: number, random: Random): number {
  const exact = Math.min(lastBackoffMs, firstBackoffMs * 2 ** (tries - 1));
  return exact * (0.8 + random.below(400) / 1000);
}
