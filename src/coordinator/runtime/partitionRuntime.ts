import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
import { errorCodes } from '../../protocol/errors.ts';
import {
  type CoordinatorEntry,
  type CoordinatorMarker,
  type CoordinatorRecord,
  isMarker,
  type PartitionWriter,
} from '../ports.ts';
import { appendErrorCode } from './appendErrors.ts';
import { Decision, RefusedError } from './decision.ts';
import { KeyedTimers } from './keyedTimers.ts';
import { Timeline } from './timeline.ts';

/** A coordinator's state for one partition of its topic: pure, driven by a `PartitionRuntime`. */
export interface CoordinatorShard {
  /** Applies a record; alone in changing what is durable. */
  replay(record: CoordinatorRecord): void;
  /** Applies the end of a transaction, where records can be part of one. */
  replayMarker?(marker: CoordinatorMarker): void;
  /** All records are read. */
  onLoaded(decision: Decision): void;
  /** The end: whoever is parked is to be failed with the code. */
  onUnloaded(errorCode: number): void;
}

/** What a shard is given to work with. */
export interface ShardTools {
  readonly timeline: Timeline;
  readonly timers: KeyedTimers;
}

interface PartitionRuntimeOptions<S> {
  readonly partition: number;
  readonly leaderEpoch: number;
  readonly clock: Clock;
  readonly writer: PartitionWriter;
  readonly logger: Logger;
  /** Answers wait this long for their records (Kafka: `offsets.commit.timeout.ms`). */
  readonly writeTimeoutMs: number;
  readonly makeShard: (tools: ShardTools) => S;
}

type Refuse = (errorCode: number, message?: string) => void;

interface PendingDecision {
  readonly decision: Decision;
  /** The timeline right after it. */
  readonly mark: number;
  readonly deadlineMs: number;
}

/** Records that go into one append; Kafka's `max.message.bytes` for the topic is 1 MiB. */
const maxBatchBytes = 512 * 1024;
/** Decisions that may wait on a log that does not answer, before further events are refused. */
const maxPendingDecisions = 10_000;

/**
 * Runs a shard: one event at a time, decide, append, answer. Kafka's CoordinatorRuntime for one partition.
 *
 * The state is changed when a decision is made, so that the next one sees it; answers wait until their
 * records and all before them are committed. One append is under way at a time, and decisions made
 * meanwhile go together into the next. If an append fails, everything not yet committed is undone and
 * failed, newest first: nothing of it is in the log, so state and log agree again.
 */
export class PartitionRuntime<S extends CoordinatorShard> implements Disposable {
  readonly shard: S;
  readonly leaderEpoch: number;
  readonly #options: PartitionRuntimeOptions<S>;
  readonly #timeline = new Timeline();
  readonly #timers: KeyedTimers;
  #status: 'loading' | 'active' | 'closed' = 'loading';
  #pending: PendingDecision[] = [];
  #inFlightCount = 0;
  #deadlineTimer: Disposable | undefined;

  constructor(options: PartitionRuntimeOptions<S>) {
    this.#options = options;
    this.leaderEpoch = options.leaderEpoch;
    this.#timers = new KeyedTimers(options.clock, (action) =>
      this.#decide((_shard, decision) => action(decision)),
    );
    this.shard = options.makeShard({ timeline: this.#timeline, timers: this.#timers });
  }

  get isLoading(): boolean {
    return this.#status === 'loading';
  }

  /** NONE, or why events are refused now. */
  get refusal(): number {
    if (this.#status === 'loading') return errorCodes.COORDINATOR_LOAD_IN_PROGRESS;
    if (this.#status === 'closed') return errorCodes.NOT_COORDINATOR;
    if (this.#pending.length >= maxPendingDecisions) return errorCodes.COORDINATOR_NOT_AVAILABLE;
    return errorCodes.NONE;
  }

  /** Reads the log into the state, then opens for events. Stops early when closed meanwhile. */
  async load(entries: AsyncIterable<CoordinatorEntry>): Promise<void> {
    for await (const entry of entries) {
      if (this.#status === 'closed') return;
      if (isMarker(entry)) this.shard.replayMarker?.(entry);
      else this.shard.replay(entry);
      this.#timeline.commit(this.#timeline.mark());
    }
    if (this.#status === 'closed') return;
    this.#status = 'active';
    this.#decide((shard, decision) => shard.onLoaded(decision));
  }

  /** Handles an event. `refuse` is called instead if the shard is not open, or if deciding throws. */
  run(decide: (shard: S, decision: Decision) => void, refuse: Refuse): void {
    const { refusal } = this;
    if (refusal !== errorCodes.NONE) refuse(refusal);
    else this.#decide(decide, refuse);
  }

  dispose(): void {
    if (this.#status === 'closed') return;
    this.#status = 'closed';
    this.#timers.dispose();
    this.#deadlineTimer?.dispose();
    for (const { decision } of this.#pending.splice(0)) decision.fail(errorCodes.NOT_COORDINATOR);
    this.shard.onUnloaded(errorCodes.NOT_COORDINATOR);
  }

  #decide(decide: (shard: S, decision: Decision) => void, refuse: Refuse = () => undefined): void {
    const before = this.#timeline.mark();
    const decision = new Decision(this.shard);
    try {
      decide(this.shard, decision);
    } catch (error) {
      this.#timeline.rollback(before);
      this.#refuse(error, decision, refuse);
      return;
    }
    const isEmpty = decision.records.length === 0 && decision.marker === undefined;
    if (isEmpty && this.#pending.length === 0) {
      this.#continue(decision.release(), errorCodes.NONE);
      return;
    }
    const deadlineMs = this.#options.clock.monotonicMs() + this.#options.writeTimeoutMs;
    this.#pending.push({ decision, mark: this.#timeline.mark(), deadlineMs });
    this.#watchDeadline();
    this.#flush();
  }

  #refuse(error: unknown, decision: Decision, refuse: Refuse): void {
    if (error instanceof RefusedError) {
      decision.fail(error.errorCode);
      refuse(error.errorCode, error.message);
      return;
    }
    this.#log('error', `a coordinator event failed: ${stackOf(error)}`);
    decision.fail(errorCodes.UNKNOWN_SERVER_ERROR);
    refuse(errorCodes.UNKNOWN_SERVER_ERROR);
  }

  #flush(): void {
    if (this.#inFlightCount > 0 || this.#pending.length === 0) return;
    const [first] = this.#pending;
    const append = first?.decision.isTransactional
      ? this.#appendAlone(first.decision)
      : this.#appendTogether();
    append.then(
      () => this.#onCommitted(),
      (error: unknown) => this.#onAppendFailed(error),
    );
  }

  /** A batch is of one transaction or of none. */
  #appendAlone({ records, transaction, marker }: Decision): Promise<void> {
    const { writer, partition } = this.#options;
    this.#inFlightCount = 1;
    return marker === undefined
      ? writer.append(partition, records, transaction)
      : writer.appendMarker(partition, marker);
  }

  async #appendTogether(): Promise<void> {
    const records: CoordinatorRecord[] = [];
    let bytes = 0;
    for (const { decision } of this.#pending) {
      bytes += decision.sizeInBytes;
      const isFull = this.#inFlightCount > 0 && bytes > maxBatchBytes;
      if (isFull || decision.isTransactional) break;
      for (const record of decision.records) records.push(record);
      this.#inFlightCount++;
    }
    if (records.length > 0) await this.#options.writer.append(this.#options.partition, records);
  }

  #onCommitted(): void {
    if (this.#status === 'closed') return;
    const committed = this.#pending.splice(0, this.#inFlightCount);
    this.#inFlightCount = 0;
    const last = committed.at(-1);
    if (last !== undefined) this.#timeline.commit(last.mark);
    for (const { decision } of committed) this.#continue(decision.release(), errorCodes.NONE);
    this.#flush();
  }

  #onAppendFailed(error: unknown): void {
    if (this.#status === 'closed') return;
    const failed = this.#pending.splice(0);
    const tried = this.#inFlightCount;
    this.#inFlightCount = 0;
    this.#log('warn', `undoing ${failed.length} decisions: ${errorMessage(error)}`);
    this.#timeline.rollback();
    const errorCode = appendErrorCode(error);
    // What is wrong with one producer's transaction is not wrong with what came after it.
    const isOfOne = failed[0]?.decision.isTransactional === true;
    const restCode = isOfOne ? errorCodes.COORDINATOR_NOT_AVAILABLE : errorCode;
    for (const [index, { decision }] of [...failed.entries()].reverse()) {
      const code = index < tried ? errorCode : restCode;
      this.#continue(decision.fail(code), code);
    }
    this.#flush();
  }

  #continue(continuations: ReturnType<Decision['release']>, errorCode: number): void {
    for (const next of continuations) this.#decide((_shard, decision) => next(errorCode, decision));
  }

  /** Fails answers that waited too long, though their records may yet be committed. */
  #watchDeadline(): void {
    if (this.#deadlineTimer !== undefined) return;
    const waiting = this.#pending.find(({ decision }) => decision.isAwaited);
    if (waiting === undefined) return;
    const delayMs = Math.max(0, waiting.deadlineMs - this.#options.clock.monotonicMs());
    this.#deadlineTimer = this.#options.clock.setTimer(delayMs, () => {
      this.#deadlineTimer = undefined;
      this.#failOverdue();
      this.#watchDeadline();
    });
  }

  #failOverdue(): void {
    const nowMs = this.#options.clock.monotonicMs();
    const overdue = this.#pending.filter(({ deadlineMs }) => deadlineMs <= nowMs);
    for (const { decision } of overdue) decision.expire(errorCodes.COORDINATOR_NOT_AVAILABLE);
  }

  #log(level: 'warn' | 'error', message: string): void {
    this.#options.logger[level](`[partition ${this.#options.partition}] ${message}`);
  }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
