import type { ApiName } from '../protocol/apis.ts';
import { errorByCode, errorCodes, type ErrorName } from '../protocol/errors.ts';

/** What a failed request was about. */
export interface ErrorContext {
  readonly api: ApiName;
  readonly topic?: string | undefined;
  readonly partition?: number | undefined;
  readonly group?: string | undefined;
  /** The broker's own words, where it sent some. */
  readonly detail?: string | null | undefined;
  /** It came with who leads the partition now: that need not be asked for. [KIP-951] */
  readonly isLeaderKnown?: boolean | undefined;
}

/** A broker answered with an error. The one error that the client raises for it. */
export class KafkaError extends Error {
  override name = 'KafkaError';
  readonly code: number;
  /** Kafka's name, such as `NOT_LEADER_OR_FOLLOWER`. */
  readonly kafkaName: ErrorName;
  /** The same request may succeed later, or on another broker. */
  readonly retriable: boolean;
  readonly api: ApiName;
  readonly topic: string | undefined;
  readonly partition: number | undefined;
  readonly group: string | undefined;
  readonly isLeaderKnown: boolean;

  constructor(code: number, context: ErrorContext) {
    const { name, retriable, description } = errorByCode(code);
    const words = context.detail ? context.detail : description;
    super(`${subject(context)}${words} (${name})`);
    this.code = code;
    this.kafkaName = name;
    this.retriable = retriable;
    this.api = context.api;
    this.topic = context.topic;
    this.partition = context.partition;
    this.group = context.group;
    this.isLeaderKnown = context.isLeaderKnown ?? false;
  }
}

/** Whether a broker that was to be asked is not up: who leads or coordinates in its place is not known yet. */
export function isBrokerDown(error: unknown): boolean {
  return error instanceof KafkaError && error.code === errorCodes.BROKER_NOT_AVAILABLE;
}

/** UNKNOWN_TOPIC_OR_PARTITION or UNKNOWN_TOPIC_ID. */
export function isUnknownTopic(error: unknown): error is KafkaError {
  return error instanceof KafkaError && error.kafkaName.startsWith('UNKNOWN_TOPIC');
}

function subject({ topic, partition, group }: ErrorContext): string {
  if (topic !== undefined) return `${topic}${partition === undefined ? '' : `-${partition}`}: `;
  return group === undefined ? '' : `${group}: `;
}

/** Throws what a wire code means, unless it means that all is well. */
export function throwOnError(code: number, context: ErrorContext): void {
  if (code !== errorCodes.NONE) throw new KafkaError(code, context);
}

/** A broker could not be reached, or the connection to it broke. */
export class ConnectionError extends Error {
  override name = 'ConnectionError';
  /** `host:port`. */
  readonly address: string;
  /** Whether a request may have reached the broker: then only one that is safe to repeat is repeated. */
  readonly mayHaveBeenSent: boolean;

  constructor(
    message: string,
    options: {
      readonly address: string;
      readonly mayHaveBeenSent?: boolean;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.address = options.address;
    this.mayHaveBeenSent = options.mayHaveBeenSent ?? false;
  }
}

/**
 * The two sides do not agree on how the connection is protected or on who is asking. Trying again with
 * the same settings does not help, and may lock an account.
 */
export class SecurityError extends Error {
  override name = 'SecurityError';
  /** `host:port`. */
  readonly address: string;
  /** What to do next. */
  readonly hint: string;

  constructor(
    message: string,
    options: { readonly address: string; readonly hint: string; readonly cause?: unknown },
  ) {
    super(message, { cause: options.cause });
    this.address = options.address;
    this.hint = options.hint;
  }
}

/** A deadline of ours passed. The message names it. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** The caller asked to stop. */
export class CancelledError extends Error {
  override name = 'AbortError';

  constructor() {
    super('cancelled');
  }
}

/** The server, or the part of the protocol that we know, has no version that would do. */
export class UnsupportedError extends Error {
  override name = 'UnsupportedError';
  readonly api: ApiName;

  constructor(api: ApiName, message: string) {
    super(message);
    this.api = api;
  }
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new CancelledError();
}
