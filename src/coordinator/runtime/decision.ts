import { assert } from '../../base/assert.ts';
import { type Deferred, deferred } from '../../base/deferred.ts';
import { errorByCode, type ErrorName, errorCodes } from '../../protocol/errors.ts';
import type { CoordinatorRecord, TransactionalWrite, TransactionEnd } from '../ports.ts';

/** An event that is refused while it is decided: what it has done so far is undone, its asker is told why. */
export class RefusedError extends Error {
  override name = 'RefusedError';
  readonly errorCode: number;

  constructor(error: ErrorName, message: string) {
    super(message);
    this.errorCode = errorCodes[error];
  }
}

/** Where Kafka fails, and clients are told nothing more. [GroupCoordinatorService.handleOperationException] */
export function unknownServerError(): RefusedError {
  const error = 'UNKNOWN_SERVER_ERROR';
  return new RefusedError(error, errorByCode(errorCodes[error]).description);
}

/** The response that a request waits for. Answered once; a second answer is dropped. */
export class Reply<T> {
  readonly #deferred: Deferred<T> = deferred<T>();
  readonly #onError: (errorCode: number, message: string | null) => T;

  constructor(onError: (errorCode: number, message: string | null) => T) {
    this.#onError = onError;
  }

  get promise(): Promise<T> {
    return this.#deferred.promise;
  }

  send(response: T): void {
    this.#deferred.resolve(response);
  }

  fail(errorCode: number, message: string | null = null): void {
    this.#deferred.resolve(this.#onError(errorCode, message));
  }
}

/** Runs when a decision's records are committed (NONE) or never will be. */
type Continuation = (errorCode: number, decision: Decision) => void;

/** What applies records to a shard's state. */
interface Replayer {
  replay(record: CoordinatorRecord): void;
  replayMarker?(marker: TransactionEnd): void;
}

interface Delivery {
  send(): void;
  fail(errorCode: number): void;
}

/**
 * What handling one event came to: records to write, answers to give once they and all before them are
 * committed, and what to do then. Kafka's CoordinatorResult, as a collector, since one event may answer
 * many parked requests.
 */
export class Decision {
  readonly #shard: Replayer;
  readonly #records: CoordinatorRecord[] = [];
  readonly #deliveries: Delivery[] = [];
  readonly #continuations: Continuation[] = [];
  readonly #undoings: ((errorCode: number) => void)[] = [];
  #sizeInBytes = 0;
  #transaction: TransactionalWrite | undefined;
  #marker: TransactionEnd | undefined;

  constructor(shard: Replayer) {
    this.#shard = shard;
  }

  /** The transaction that all its records are part of; undefined: none. */
  get transaction(): TransactionalWrite | undefined {
    return this.#transaction;
  }

  /** The marker that it writes, in place of records. */
  get marker(): TransactionEnd | undefined {
    return this.#marker;
  }

  /** It goes to the log by itself, not together with other decisions. */
  get isTransactional(): boolean {
    return this.#transaction !== undefined || this.#marker !== undefined;
  }

  get records(): readonly CoordinatorRecord[] {
    return this.#records;
  }

  /** Somebody still waits for an answer. */
  get isAwaited(): boolean {
    return this.#deliveries.length > 0;
  }

  get sizeInBytes(): number {
    return this.#sizeInBytes;
  }

  /** Writes a record, and applies it to the state at once. */
  append(record: CoordinatorRecord): void {
    this.#shard.replay(record);
    this.persist(record);
  }

  /** Writes records of a transaction's producer as part of it, which is the one thing that this decision does. */
  appendTransactional(
    records: readonly CoordinatorRecord[],
    transaction: TransactionalWrite,
  ): void {
    assert(!this.isTransactional && this.#records.length === 0, 'nothing else is written');
    this.#transaction = transaction;
    for (const record of records) this.append(record);
  }

  /** Writes the end of a transaction, which is the one thing that this decision does. */
  appendMarker(marker: TransactionEnd): void {
    assert(!this.isTransactional && this.#records.length === 0, 'nothing else is written');
    this.#shard.replayMarker?.(marker);
    this.#marker = marker;
  }

  /**
   * Writes a record that the state already shows or will show when it is committed: the membership of a
   * live classic group is ahead of its record, and replaying would lose who is parked in it.
   */
  persist(record: CoordinatorRecord): void {
    this.#records.push(record);
    this.#sizeInBytes += record.key.byteLength + (record.value?.byteLength ?? 0);
  }

  answer<T>(reply: Reply<T>, response: T): void {
    this.#deliveries.push({
      send: () => reply.send(response),
      fail: (errorCode) => reply.fail(errorCode),
    });
  }

  /** A reply that is parked, or that a continuation answers: it fails with the decision, or if that takes too long. */
  park(reply: Reply<unknown>): void {
    this.#deliveries.push({
      send: () => undefined,
      fail: (errorCode) => reply.fail(errorCode),
    });
  }

  /** Runs if the decision is undone because it could not be written; the state is as before it by then. */
  ifUndone(action: (errorCode: number) => void): void {
    this.#undoings.push(action);
  }

  /** What to do once it is known whether the records are committed. */
  afterwards(continuation: Continuation): void {
    this.#continuations.push(continuation);
  }

  /** The records are committed: sends the answers, and hands over what comes next. */
  release(): Continuation[] {
    for (const delivery of this.#deliveries.splice(0)) delivery.send();
    return this.#continuations;
  }

  /** The records take too long: fails the answers. What comes next waits until their fate is known. */
  expire(errorCode: number): void {
    for (const delivery of this.#deliveries.splice(0)) delivery.fail(errorCode);
  }

  /** The records will never be committed and their effect is undone. */
  fail(errorCode: number): Continuation[] {
    for (const undo of this.#undoings) undo(errorCode);
    this.expire(errorCode);
    return this.#continuations;
  }
}
