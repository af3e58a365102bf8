import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/random.ts';
import type { ErrorName } from '../protocol/errors.ts';
import { ConnectionError, isBrokerDown, KafkaError, throwIfCancelled } from './kafkaError.ts';
import { type Deadline, sleep } from './waiting.ts';

/** retry.backoff.ms and retry.backoff.max.ms of Kafka's admin client, with its jitter of a fifth. */
const firstBackoffMs = 100;
const lastBackoffMs = 1000;

/** How often each kind of failure is tried, the first time included; the deadline ends all of them. */
const triesWhenUnreachable = 3;
/** A topic just created is unknown to some brokers for a moment; one that was deleted stays unknown. */
const triesWhenUnknown = 4;

/** Retriable by Kafka's book, but the request may have been carried out. */
const mayHaveHappened: ReadonlySet<ErrorName> = new Set<ErrorName>([
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'REQUEST_TIMED_OUT',
]);

export interface RetryOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly deadline: Deadline;
  readonly signal?: AbortSignal | undefined;
  /** False for what must not happen twice: then nothing that may have reached a broker is repeated. */
  readonly isRepeatable?: boolean;
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
      if (!isWorthRetrying(error, tries, options.isRepeatable ?? true)) throw error;
      const delayMs = backoffMs(tries, options.random);
      if (options.deadline.remainingMs <= delayMs) throw error;
      options.beforeRetry?.(error);
      await sleep(options.clock, delayMs, options.signal);
    }
  }
}

/** Whether another try may help, after `tries` of them. */
export function isWorthRetrying(error: unknown, tries: number, isRepeatable = true): boolean {
  if (error instanceof ConnectionError) {
    return tries < triesWhenUnreachable && (isRepeatable || !error.mayHaveBeenSent);
  }
  if (isBrokerDown(error)) return tries < triesWhenUnreachable;
  if (!(error instanceof KafkaError) || !error.retriable) return false;
  if (!isRepeatable && mayHaveHappened.has(error.kafkaName)) return false;
  const isUnknown = error.kafkaName.startsWith('UNKNOWN_TOPIC');
  return !isUnknown || tries < triesWhenUnknown;
}

export function backoffMs(tries: number, random: Random): number {
  const exact = Math.min(lastBackoffMs, firstBackoffMs * 2 ** (tries - 1));
  return exact * (0.8 + random.below(400) / 1000);
}
