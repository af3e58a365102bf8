import { Worker } from 'node:worker_threads';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { spoken } from '../base/l10n.ts';
import type { Decoded } from '../codec/decoded.ts';
import { Channel } from '../shared/channel.ts';
import { scriptFields, type ScriptRecord, tailScript } from '../shared/contracts/tailScript.ts';
import { filterLengthMax } from '../shared/tailFilter.ts';
import { ProblemError } from './problems.ts';
import type { PlacedRecord, TailMatcher, Verdict } from './tailMatchers.ts';
import { decodedField, decodedHeader, type TailDecoders } from './tailDecoders.ts';
import { portTransport } from './tailPort.ts';

/** Where the parts of the worker are. */
export interface WorkerFiles {
  /** The script of this worker, which is that of a filter's thread as well. */
  readonly workerPath: string;
  readonly quickjsWasmPath: string;
}

export interface ScriptMatcherOptions {
  readonly files: WorkerFiles;
  readonly clock: Clock;
  /** How payloads are read; an expression gets what the decoder makes of it. */
  readonly decoders?: () => TailDecoders;
}

/** What ignores QuickJS's own deadline is ended after this. */
const answerWithinMs = 1500;
/** Starting the thread may take longer. */
const startWithinMs = 10_000;
/** An expression that so often takes too long is given up. */
const strikesMax = 3;
const recordsAtOnce = 200;

/** Judges records by a JavaScript expression, in a thread of its own that can be ended at any time. */
export class ScriptMatcher implements TailMatcher {
  readonly most = recordsAtOnce;
  readonly #source: string;
  readonly #options: ScriptMatcherOptions;
  readonly #fields: readonly (keyof ScriptRecord)[];
  #thread: ScriptThread | undefined;
  #strikes = 0;
  #isDisposed = false;

  constructor(source: string, options: ScriptMatcherOptions) {
    this.#source = source;
    this.#options = options;
    // A word of the expression is enough: a field that is passed for nothing costs a little time.
    this.#fields = scriptFields.filter((field) => new RegExp(`\\b${field}\\b`).test(source));
  }

  /** Rejects, in words, where the expression cannot be compiled. */
  async start(): Promise<void> {
    if (this.#source.length > filterLengthMax) {
      throw new ProblemError('the expression is too long');
    }
    const thread = new ScriptThread(this.#options);
    this.#thread = thread;
    const answer = await thread.compile(this.#source);
    if (answer && answer.problem === undefined) return;
    thread.dispose();
    this.#thread = undefined;
    throw new ProblemError(answer?.problem ?? 'the expression could not be compiled in time');
  }

  async match(records: readonly PlacedRecord[]): Promise<Verdict[]> {
    const verdicts: Verdict[] = [];
    while (verdicts.length < records.length && !this.#isDisposed) {
      verdicts.push(...(await this.#matchSome(records.slice(verdicts.length))));
    }
    return verdicts;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#thread?.dispose();
  }

  /** One verdict at least. */
  async #matchSome(records: readonly PlacedRecord[]): Promise<Verdict[]> {
    if (!this.#thread) await this.start();
    const json = JSON.stringify(records.map((record) => this.#scriptRecord(record)));
    const answer = await this.#thread?.judge(json);
    if (this.#isDisposed) return [false];
    // No verdict at all: the expression broke what it runs in.
    if (!answer || answer.verdicts.length === 0) {
      this.#strike();
      this.#thread?.dispose();
      this.#thread = undefined;
      const failure = 'the expression had to be ended while it was at this record or one near it';
      return records.map(() => ({ failure }));
    }
    if (answer.tookTooLong) this.#strike();
    return answer.verdicts.map((verdict) =>
      typeof verdict === 'boolean' ? verdict : { failure: verdict },
    );
  }

  #strike(): void {
    if (++this.#strikes < strikesMax) return;
    throw new ProblemError(
      `The filter was stopped: ${strikesMax} times the expression did not end in time.`,
      'Change the expression to filter on.',
    );
  }

  #scriptRecord({ partition, record }: PlacedRecord): ScriptRecord {
    const decoders = this.#options.decoders?.() ?? {};
    const whole = {
      key: () => textOf(record.key, decodedField(decoders, 'key', record)),
      value: () => textOf(record.value, decodedField(decoders, 'value', record)),
      headers: () =>
        record.headers.map(({ key, value }) => ({
          key: key.toString(),
          value: textOf(value, decodedHeader(decoders, value)),
        })),
      offset: () => String(record.offset),
      partition: () => partition,
      timestamp: () => String(record.timestamp),
    };
    return Object.fromEntries(this.#fields.map((field) => [field, whole[field]()]));
  }
}

/** What cannot be decoded is judged by its bytes as text: the row itself says what is wrong with it. */
function textOf(bytes: Buffer | null, decoded: Decoded | undefined): string | null {
  if (bytes === null) return null;
  return decoded && 'text' in decoded ? decoded.text : bytes.toString('utf8');
}

/** The thread of a filter, seen from the worker. */
class ScriptThread implements Disposable {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #channel: Channel<Record<string, never>, typeof tailScript>;

  constructor({ files, clock }: ScriptMatcherOptions) {
    this.#clock = clock;
    const { workerPath, quickjsWasmPath } = files;
    this.#worker = new Worker(workerPath, {
      workerData: { role: 'script', workerPath, quickjsWasmPath, language: spoken() },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    });
    // Why it ended does not matter: whoever waits for it gets no answer.
    this.#worker.on('error', () => this.dispose());
    this.#channel = new Channel({
      transport: portTransport(this.#worker),
      serves: {},
      handlers: {},
      calls: tailScript,
      onInvalid: () => undefined,
    });
  }

  /** All these answer with undefined where there was no answer in time. */
  compile(source: string): Promise<{ problem?: string | undefined } | undefined> {
    return this.#inTime(startWithinMs, (signal) =>
      this.#channel.call('compile', { source }, signal),
    );
  }

  judge(
    records: string,
  ): Promise<{ verdicts: (boolean | string)[]; tookTooLong: boolean } | undefined> {
    return this.#inTime(answerWithinMs, (signal) =>
      this.#channel.call('judge', { records }, signal),
    );
  }

  async #inTime<T>(
    withinMs: number,
    call: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const late = new AbortController();
    const timer = this.#clock.setTimer(withinMs, () => late.abort());
    try {
      return await call(late.signal);
    } catch {
      return undefined;
    } finally {
      timer.dispose();
    }
  }

  dispose(): void {
    this.#channel.dispose();
    void this.#worker.terminate();
  }
}
