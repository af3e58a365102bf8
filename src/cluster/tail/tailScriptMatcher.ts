import { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { spoken, t } from '../../base/l10n.ts';
import { Channel } from '../../shared/channel.ts';
import {
  fieldsNamedIn,
  type ScriptField,
  type ScriptRecords,
  scriptVerdicts,
  tailScript,
} from '../../shared/contracts/tailScript.ts';
import { filterLengthMax } from '../../shared/tailFilter.ts';
import { ProblemError } from '../problems.ts';
import type { PlacedRecord, TailMatcher, Verdict } from './tailMatchers.ts';
import type { TailDecoders } from './tailDecoders.ts';
import { portTransport } from './tailPort.ts';
import { type Picks, picksIn } from './tailScriptPicks.ts';
import { writeScriptRecords } from './tailScriptRecords.ts';

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
  readonly decoders?: TailDecoders;
}

/** What ignores QuickJS's own deadline is ended after this. */
const answerWithinMs = 1500;
/** Starting the thread may take longer. */
const startWithinMs = 10_000;
/** An expression that so often takes too long is given up. */
const strikesMax = 3;
/** As many as take a few milliseconds. */
const recordsAtOnce = 1000;
/** Once an expression had to be ended: so many may suffer from one that cannot be judged. */
const carefulRecordsAtOnce = 8;

/** Judges records by a JavaScript expression, in a thread of its own that can be ended at any time. */
export class ScriptMatcher implements TailMatcher {
  readonly most = recordsAtOnce;
  problem: ProblemError | undefined;
  readonly #source: string;
  readonly #options: ScriptMatcherOptions;
  readonly #fields: readonly ScriptField[];
  readonly #picks: Picks;
  #thread: ScriptThread | undefined;
  #lastTurn = Promise.resolve();
  #strikes = 0;
  #isCareful = false;
  #isDisposed = false;

  constructor(source: string, options: ScriptMatcherOptions) {
    this.#source = source;
    this.#options = options;
    this.#fields = fieldsNamedIn(source);
    this.#picks = picksIn(source);
  }

  /** Rejects, in words, where the expression cannot be compiled. */
  async start(): Promise<void> {
    if (this.#source.length > filterLengthMax) {
      throw new ProblemError(t('the expression is too long'));
    }
    const thread = new ScriptThread(this.#options);
    this.#thread = thread;
    const answer = await thread.compile(this.#source);
    if (answer && answer.problem === undefined) return;
    thread.dispose();
    this.#thread = undefined;
    throw new ProblemError(answer?.problem ?? t('the expression could not be compiled in time'));
  }

  /** Writes the records at once, and judges them in its turn: while others are judged, more can be written. */
  match(records: readonly PlacedRecord[]): Promise<Verdict[]> {
    const written = this.#write(records);
    const judged = this.#lastTurn.then(() => this.#judge(records, written));
    this.#lastTurn = judged.then(
      () => undefined,
      () => undefined,
    );
    return judged;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#thread?.dispose();
  }

  async #judge(records: readonly PlacedRecord[], all: ScriptRecords): Promise<Verdict[]> {
    const verdicts = this.#isCareful || this.#isOver ? [] : await this.#judgeSome(all);
    while (verdicts.length < records.length && !this.#isOver) {
      const first = verdicts.length;
      const end = this.#isCareful ? first + carefulRecordsAtOnce : records.length;
      verdicts.push(...(await this.#judgeSome(this.#write(records.slice(first, end)))));
    }
    return verdicts;
  }

  /** One verdict at least, unless the expression broke what it runs in and fewer are to be tried. */
  async #judgeSome(records: ScriptRecords): Promise<Verdict[]> {
    if (!this.#thread) await this.start();
    const answer = await this.#thread?.judge(records);
    if (this.#isDisposed) return [false];
    const verdicts = readVerdicts(answer?.verdicts ?? '');
    if (!answer || verdicts.length === 0 || verdicts.length > records.count) {
      return this.#startAgain(records);
    }
    if (answer.tookTooLong) this.#strike();
    return verdicts.map((verdict) =>
      typeof verdict === 'boolean' ? verdict : { failure: verdict },
    );
  }

  /** Without a verdict it is not known at which record it was: from now on few are tried at a time. */
  #startAgain({ count }: ScriptRecords): Verdict[] {
    this.#thread?.dispose();
    this.#thread = undefined;
    this.#isCareful = true;
    if (count > carefulRecordsAtOnce) return [];
    this.#strike();
    const failure = t('the expression had to be ended while it was at this record or one near it');
    return Array.from({ length: count }, () => ({ failure }));
  }

  #write(records: readonly PlacedRecord[]): ScriptRecords {
    const { decoders = {} } = this.#options;
    return writeScriptRecords(records, this.#fields, { decoders, picks: this.#picks });
  }

  get #isOver(): boolean {
    return this.#isDisposed || this.problem !== undefined;
  }

  #strike(): void {
    if (++this.#strikes < strikesMax) return;
    this.problem = new ProblemError(
      t('The filter was stopped: {0} times the expression did not end in time.', strikesMax),
      t('Change the expression to filter on.'),
    );
  }
}

/** What came from the sandbox; none where it is not what it should be. */
function readVerdicts(json: string): (boolean | string)[] {
  try {
    const parsed = v.safeParse(scriptVerdicts, JSON.parse(json));
    return parsed.success ? parsed.output : [];
  } catch {
    return [];
  }
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

  judge(records: ScriptRecords): Promise<{ verdicts: string; tookTooLong: boolean } | undefined> {
    return this.#inTime(answerWithinMs, (signal) => this.#channel.call('judge', records, signal));
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
