import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/assert.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import { type ApiName, apis } from '../protocol/apis.ts';
import { encodeRequestParts } from '../protocol/frames.ts';
import { type Address, formatAddress } from './address.ts';
import { AnswerMemory, type Holder } from './answerMemory.ts';
import { Answers } from './answers.ts';
import { type ApiVersions, askVersions } from './apiVersions.ts';
import { expectsTls, handshakeProblem, isTlsAlert, whyClosed } from './connectionProblems.ts';
import { CancelledError, ConnectionError, DeadlineError, SecurityError } from './kafkaError.ts';
import type { RequestOf, ResponseOf } from './request.ts';
import { RequestQueue } from './requestQueue.ts';
import { AccessTokens } from './sasl/accessTokens.ts';
import { SaslSession } from './sasl/saslSession.ts';
import { saslOf, type SecurityOptions } from './security.ts';
import { openSocket } from './socket.ts';
import { socketReason } from './socketReason.ts';
import { inSeconds, orCancelled } from './waiting.ts';

export interface ConnectionOptions {
  readonly address: Address;
  readonly clientId: string;
  readonly security: SecurityOptions;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by the connections of a client. Left out: this one's own. */
  readonly tokens?: AccessTokens;
  /** Shared by them too. */
  readonly memory?: AnswerMemory;
  /** For each step until the connection can be used: TCP and TLS, versions, SASL. */
  readonly connectTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions {
  readonly version: number;
  /** From when the request is handed over, waiting for a free place included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** False for what a broker never answers: Produce with acks 0. */
  readonly expectsResponse?: boolean;
}

/** Requests that a broker may have to answer at once; more wait here. */
const maxInFlight = 32;
const maxWaiting = 4096;
/**
 * Brokers close what is idle after ten minutes, load balancers after four, and some networks forget it without a word:
 * a request on such a connection would be lost, and not all may be repeated. [connections.max.idle.ms]
 */
const maxIdleMs = 180_000;

/**
 * One socket to one broker. Requests are pipelined, and anything malformed ends the connection. A request that misses
 * its deadline ends it too: every later answer would wait behind it. [NetworkClient]
 */
export class Connection implements Disposable, Holder {
  readonly address: string;
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #answers: Answers;
  readonly #memory: AnswerMemory;
  readonly #queue: RequestQueue;
  readonly #session: SaslSession | undefined;
  readonly #closeEmitter = new Emitter<Error>();
  readonly onDidClose = this.#closeEmitter.event;
  #versions: ApiVersions | undefined;
  #nextCorrelationId = 1;
  #bytesHeard = 0;
  /** By the wall clock, which goes on while a machine sleeps. */
  #lastUsedMs: number;
  /** Whether the broker has answered a request that is not part of getting acquainted. */
  #hasServed = false;
  #closedBy: ConnectionError | undefined;

  /** Connects, asks the broker what it speaks and tells it who is there. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const socket = await openSocket(options);
    const connection = new Connection(socket, options);
    try {
      await connection.#negotiate();
      await orCancelled(connection.#authenticate(), options.signal);
      return connection;
    } catch (error) {
      connection.dispose();
      const isLost = error instanceof ConnectionError || error instanceof DeadlineError;
      const lost = connection.#closedBy;
      throw isLost && lost ? handshakeProblem(lost, options.security) : error;
    }
  }

  private constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    this.#lastUsedMs = options.clock.nowMs();
    this.#queue = new RequestQueue(options.clock);
    this.#memory = options.memory ?? new AnswerMemory();
    this.address = formatAddress(options.address);
    this.#session = sessionOf(options);
    this.#answers = new Answers({
      clock: options.clock,
      source: socket,
      onDidChangeHeld: () => this.isOpen && this.#memory.count(this),
      onDidAnswer: () => this.#pump(),
      onDidBreak: (error) => this.#endMalformed(error),
    });
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('drain', () => this.#pump());
    socket.on('error', (error) => this.#end(socketReason(error), error));
    socket.on('close', () => this.#end(this.#whyClosed()));
  }

  get isOpen(): boolean {
    return this.#closedBy === undefined;
  }

  /** Whether it has been idle for so long that nobody can say what has become of it. */
  get isStale(): boolean {
    const isIdle = this.#answers.waiting === 0 && this.#queue.length === 0;
    return isIdle && this.#options.clock.nowMs() - this.#lastUsedMs > maxIdleMs;
  }

  get heldBytes(): number {
    return this.#answers.heldBytes;
  }

  get versions(): ApiVersions {
    assert(this.#versions, 'a connection is handed out after its versions are known');
    return this.#versions;
  }

  /** Sends one request and waits for its answer. */
  send<A extends ApiName>(
    api: A,
    body: RequestOf<A>,
    options: SendOptions,
  ): Promise<ResponseOf<A>> {
    return this.#enqueue(api, body, options);
  }

  giveUp(reason: string): void {
    this.#end(reason);
  }

  dispose(): void {
    this.#end(t('it was closed here'));
  }

  #enqueue<A extends ApiName>(
    api: A,
    body: RequestOf<A>,
    options: SendOptions,
  ): Promise<ResponseOf<A>> {
    if (options.signal?.aborted) return Promise.reject(new CancelledError());
    if (this.#closedBy) return Promise.reject(this.#lost(false));
    const isUrgent = api.startsWith('sasl');
    if (!isUrgent && this.#queue.length >= maxWaiting) {
      const message = t('{0}: {1} requests are waiting already', this.address, maxWaiting);
      return Promise.reject(new ConnectionError(message, { address: this.address }));
    }
    const answer = this.#queue.add({
      isUrgent,
      send: () => this.#write(api, body, options),
      timeoutMs: options.timeoutMs,
      signal: options.signal,
      onLate: () => this.#endLate(api, options.timeoutMs),
    });
    this.#pump();
    return answer as Promise<ResponseOf<A>>;
  }

  /** Every later answer would wait behind this one. */
  #endLate(api: ApiName, timeoutMs: number): DeadlineError {
    const seconds = inSeconds(timeoutMs);
    const message = t('no answer from {0} to {1} within {2} s', this.address, api, seconds);
    this.#end(message);
    return new DeadlineError(message);
  }

  #pump(): void {
    if (this.#queue.length > 0) this.#authenticateAgainIfDue();
    while (this.#queue.length > 0 && this.#isReady) {
      if (this.#session?.isUnderWay && !this.#queue.isNextUrgent) return;
      this.#queue.sendNext();
    }
  }

  get #isReady(): boolean {
    // What is never answered is held back by a broker that does not read alone.
    return this.isOpen && this.#answers.waiting < maxInFlight && !this.#socket.writableNeedDrain;
  }

  async #write<A extends ApiName>(
    api: A,
    body: RequestOf<A>,
    options: SendOptions,
  ): Promise<unknown> {
    const { version, expectsResponse = true } = options;
    const correlationId = this.#nextCorrelationId;
    const { clientId } = this.#options;
    const request = { api: apis[api], version, correlationId, clientId, body } as never;
    const parts = encodeRequestParts(request);
    this.#nextCorrelationId = (correlationId + 1) & 0x7fffffff;
    const answer = expectsResponse
      ? this.#answers.expect({ api, version, correlationId })
      : undefined;
    this.#lastUsedMs = this.#options.clock.nowMs();
    this.#socket.cork();
    for (const part of parts) this.#socket.write(part);
    this.#socket.uncork();
    const answered = await answer;
    this.#hasServed ||= expectsResponse && api !== 'apiVersions' && !api.startsWith('sasl');
    return answered;
  }

  #receive(chunk: Buffer): void {
    try {
      this.#bytesHeard += chunk.length;
      this.#lastUsedMs = this.#options.clock.nowMs();
      if (this.#bytesHeard === chunk.length && isTlsAlert(chunk)) throw expectsTls(this.address);
      this.#answers.receive(chunk);
    } catch (error) {
      this.#endMalformed(error);
    }
    this.#pump();
  }

  async #negotiate(): Promise<void> {
    const { connectTimeoutMs: timeoutMs, signal } = this.#options;
    this.#versions = await askVersions((body, version) =>
      this.send('apiVersions', body, { version, timeoutMs, signal }),
    );
  }

  /** SASL, where the connection has it. */
  async #authenticate(): Promise<void> {
    const { connectTimeoutMs: timeoutMs, signal } = this.#options;
    const { address, versions } = this;
    await this.#session?.authenticate({
      address,
      versions,
      send: (api, body, version) => this.#enqueue(api, body, { version, timeoutMs, signal }),
    });
  }

  #authenticateAgainIfDue(): void {
    if (!this.#session?.isDue || this.#closedBy) return;
    this.#authenticate().then(
      () => this.#pump(),
      (error: unknown) => this.#end(errorMessage(error), error),
    );
  }

  #whyClosed(): string {
    return whyClosed(this.#options.security, {
      hasBeenHeard: this.#bytesHeard > 0,
      isNegotiated: this.#versions !== undefined,
      hasServed: this.#hasServed,
      isAsked: this.#answers.waiting > 0,
    });
  }

  #lost(mayHaveBeenSent: boolean): ConnectionError | SecurityError {
    const { address } = this;
    if (this.#closedBy?.cause instanceof SecurityError) return this.#closedBy.cause;
    const reason = this.#closedBy?.message ?? t('it is closed');
    const message = t('lost the connection to {0}: {1}', address, reason);
    return new ConnectionError(message, { address, mayHaveBeenSent, cause: this.#closedBy?.cause });
  }

  #endMalformed(error: unknown): void {
    const reason = errorMessage(error);
    this.#end(t("what it sent is not Kafka's protocol: {0}", reason), error);
  }

  #end(reason: string, cause?: unknown): void {
    if (this.#closedBy) return;
    this.#closedBy = new ConnectionError(reason, { address: this.address, cause });
    this.#socket.destroy();
    this.#memory.forget(this);
    this.#answers.fail(() => this.#lost(true));
    this.#queue.failAll(() => this.#lost(false));
    this.#closeEmitter.fire(this.#lost(false));
    this.#closeEmitter.dispose();
  }
}

function sessionOf({
  security,
  clock,
  random,
  tokens = new AccessTokens(clock),
}: ConnectionOptions): SaslSession | undefined {
  const sasl = saslOf(security);
  return sasl && new SaslSession({ sasl, clock, random, tokens });
}
