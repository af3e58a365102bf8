/**
 * One typed channel for every boundary: webview and host, editor and broker process, host and worker.
 * A contract names the methods that each side serves; parameters and results are validated on arrival,
 * whatever the other side's types promised. int64 travels as a decimal string.
 */
import * as v from 'valibot';
import { t } from '../base/l10n.ts';

type Schema = v.GenericSchema;

/** A method's parameters and result; without `result` it is a notification and is not answered. */
export interface Method {
  readonly params: Schema;
  readonly result?: Schema;
}

export type Methods = Readonly<Record<string, Method>>;

/** What carries messages; each message is structured-clonable and JSON-safe. */
export interface Transport {
  send(message: unknown): void;
  /** Calls `receive` for every message until the returned function is called. */
  listen(receive: (message: unknown) => void): () => void;
}

type Params<M extends Method> = v.InferOutput<M['params']>;
type Result<M extends Method> = M['result'] extends Schema ? v.InferOutput<M['result']> : undefined;

/** What a handler returns; that of a notification has nothing to say. */
type Answer<M extends Method> = M['result'] extends Schema
  ? Result<M> | Promise<Result<M>>
  : void | Promise<void>;

/** What a side serves: one function a method. `signal` aborts when the caller cancels or the channel ends. */
export type Handlers<M extends Methods> = {
  readonly [K in keyof M]: (params: Params<M[K]>, signal: AbortSignal) => Answer<M[K]>;
};

/** The other side answered with an error, broke the contract, or is gone. */
export class ChannelError extends Error {
  override name = 'ChannelError';
}

const wireMessage = v.variant('kind', [
  v.object({
    kind: v.literal('call'),
    id: v.optional(v.number()),
    method: v.string(),
    params: v.unknown(),
  }),
  v.object({ kind: v.literal('answer'), id: v.number(), result: v.optional(v.unknown()) }),
  v.object({ kind: v.literal('error'), id: v.number(), message: v.string() }),
  v.object({ kind: v.literal('cancel'), id: v.number() }),
]);

/** Of words about what went wrong. */
const longestProblem = 10_000;

interface Pending {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

export interface ChannelOptions<Served extends Methods, Called extends Methods> {
  readonly transport: Transport;
  readonly serves: Served;
  readonly handlers: Handlers<Served>;
  readonly calls: Called;
  /** Told of messages that break the contract and of notifications that failed; both are dropped. */
  readonly onInvalid: (problem: string) => void;
}

export class Channel<Served extends Methods, Called extends Methods> {
  readonly #options: ChannelOptions<Served, Called>;
  readonly #pending = new Map<number, Pending>();
  readonly #running = new Map<number, AbortController>();
  readonly #stopListening: () => void;
  #nextId = 1;
  #disposed = false;

  constructor(options: ChannelOptions<Served, Called>) {
    this.#options = options;
    this.#stopListening = options.transport.listen((message) => this.#receive(message));
  }

  /** Calls a method of the other side. Rejects with ChannelError on its error, on abort and on dispose. */
  call<K extends keyof Called & string>(
    method: K,
    params: Params<Called[K]>,
    signal?: AbortSignal,
  ): Promise<Result<Called[K]>> {
    if (this.#disposed) return Promise.reject(new ChannelError(t('the channel is closed')));
    if (signal?.aborted) return Promise.reject(new ChannelError('cancelled'));
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#pending.delete(id);
        this.#options.transport.send({ kind: 'cancel', id });
        reject(new ChannelError('cancelled'));
      };
      signal?.addEventListener('abort', abort, { once: true });
      const settled = (): void => signal?.removeEventListener('abort', abort);
      this.#pending.set(id, {
        method,
        resolve: (result) => {
          settled();
          resolve(result as Result<Called[K]>);
        },
        reject: (error) => {
          settled();
          reject(error);
        },
      });
      try {
        this.#options.transport.send({ kind: 'call', id, method, params });
      } catch (error) {
        this.#take(id)?.reject(
          new ChannelError(t('{0} could not be sent: {1}', method, words(error))),
        );
      }
    });
  }

  /** Tells the other side something that has no answer. */
  notify<K extends keyof Called & string>(method: K, params: Params<Called[K]>): void {
    if (!this.#disposed) this.#options.transport.send({ kind: 'call', method, params });
  }

  /** Ends the channel: waiting calls reject, running handlers are aborted. */
  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    this.#stopListening();
    for (const { reject } of this.#pending.values())
      reject(new ChannelError(t('the channel closed')));
    this.#pending.clear();
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #receive(raw: unknown): void {
    const parsed = v.safeParse(wireMessage, raw);
    if (!parsed.success) {
      this.#options.onInvalid('a message that is not of this channel');
      return;
    }
    const message = parsed.output;
    switch (message.kind) {
      case 'call':
        void this.#serve(message.id, message.method, message.params);
        break;
      case 'cancel':
        this.#running.get(message.id)?.abort();
        break;
      case 'error':
        this.#take(message.id)?.reject(new ChannelError(message.message));
        break;
      case 'answer':
        this.#settle(message.id, message.result);
        break;
    }
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }

  #settle(id: number, result: unknown): void {
    const pending = this.#take(id);
    if (!pending) return;
    const schema = this.#options.calls[pending.method]?.result;
    const parsed = schema ? v.safeParse(schema, result) : undefined;
    if (parsed?.success) {
      pending.resolve(parsed.output);
      return;
    }
    const problem = `an answer to ${pending.method} of the wrong shape: ${describe(parsed?.issues)}`;
    this.#options.onInvalid(problem);
    pending.reject(new ChannelError(problem));
  }

  async #serve(id: number | undefined, name: string, rawParams: unknown): Promise<void> {
    const fail = (problem: string): void => {
      if (this.#disposed) return;
      // What the caller sent may be in it, and has to go back whatever the transport's bounds are.
      const message = problem.slice(0, longestProblem);
      if (id === undefined) this.#options.onInvalid(message);
      else this.#options.transport.send({ kind: 'error', id, message });
    };
    const method = Object.hasOwn(this.#options.serves, name)
      ? this.#options.serves[name]
      : undefined;
    const parsed = method && v.safeParse(method.params, rawParams);
    if (!parsed?.success) {
      const problem = method
        ? `${name} of the wrong shape: ${describe(parsed?.issues)}`
        : `no method ${name}`;
      if (id !== undefined) this.#options.onInvalid(problem);
      fail(problem);
      return;
    }
    const controller = new AbortController();
    if (id !== undefined) this.#running.set(id, controller);
    try {
      const handler = this.#options.handlers[name] as (
        params: unknown,
        signal: AbortSignal,
      ) => unknown;
      const result = await handler(parsed.output, controller.signal);
      if (id !== undefined && !this.#disposed) {
        this.#options.transport.send({ kind: 'answer', id, result });
      }
    } catch (error) {
      fail(id === undefined ? `${name} failed: ${words(error)}` : words(error));
    } finally {
      if (id !== undefined) this.#running.delete(id);
    }
  }
}

function describe(issues: readonly v.BaseIssue<unknown>[] | undefined): string {
  const [issue] = issues ?? [];
  return issue ? `${v.getDotPath(issue) ?? 'message'}: ${issue.message}` : 'no result was agreed';
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
