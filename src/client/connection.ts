import type { Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { assert } from '../base/assert.ts';
import { type Deferred, deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import type { Random } from '../base/random.ts';
import { type ApiName, apis } from '../protocol/apis.ts';
import { errorCodes } from '../protocol/errors.ts';
import { correlationIdOf, decodeResponse, encodeRequestParts } from '../protocol/frames.ts';
import { FrameSplitter } from '../protocol/frameSplitter.ts';
import { type Address, formatAddress } from './address.ts';
import { type ApiVersions, askVersions } from './apiVersions.ts';
import { expectsTls, handshakeProblem, isTlsAlert, whyClosed } from './connectionProblems.ts';
import { decodeInSlices } from './decodeInSlices.ts';
import { CancelledError, ConnectionError, DeadlineError, SecurityError } from './kafkaError.ts';
import type { RequestOf, ResponseOf } from './request.ts';
import { RequestQueue } from './requestQueue.ts';
import { AccessTokens } from './sasl/accessTokens.ts';
import { authenticate } from './sasl/authenticate.ts';
import { saslOf, type SecurityOptions } from './security.ts';
import { openSocket } from './socket.ts';
import { socketReason } from './socketReason.ts';

export interface ConnectionOptions {
  readonly address: Address;
  readonly clientId: string;
  readonly security: SecurityOptions;
  readonly clock: Clock;
  readonly random: Random;
  /** Shared by the connections of a client. Left out: this one's own. */
  readonly tokens?: AccessTokens;
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
/** A fetch may return one batch that is larger than all limits, so responses may be larger than requests. */
const maxResponseBytes = 256 * 1024 * 1024;
/** A larger answer, such as one about ten thousand topics, is read in slices, between which others have their turns. */
const largeFrameBytes = 128 * 1024;

interface Pending {
  readonly api: ApiName;
  readonly version: number;
  readonly correlationId: number;
  readonly answer: Deferred<unknown>;
}

/**
 * One socket to one broker. Requests are pipelined; a broker answers them in order, so an answer that
 * is not the oldest request's ends the connection, as anything malformed does. A request that misses
 * its deadline ends it too: every later answer would wait behind it. [NetworkClient]
 */
export class Connection implements Disposable {
  readonly address: string;
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly #splitter = new FrameSplitter(maxResponseBytes);
  readonly #pending: Pending[] = [];
  readonly #queue: RequestQueue;
  readonly #closeEmitter = new Emitter<Error>();
  readonly onDidClose = this.#closeEmitter.event;
  #versions: ApiVersions | undefined;
  #nextCorrelationId = 1;
  #bytesHeard = 0;
  /** Whether the broker has answered a request that is not part of getting acquainted. */
  #hasServed = false;
  /** When the broker is to be told again who is there, on the monotonic clock. */
  #authenticateAgainAtMs = Infinity;
  #isAuthenticating = false;
  #closedBy: ConnectionError | undefined;

  /** Connects, asks the broker what it speaks and tells it who is there. */
  static async open(options: ConnectionOptions): Promise<Connection> {
    const socket = await openSocket(options);
    const connection = new Connection(socket, options);
    try {
      await connection.#negotiate();
      await connection.#authenticate();
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
    this.#queue = new RequestQueue(options.clock);
    this.address = formatAddress(options.address);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('error', (error) => this.#end(socketReason(error), error));
    socket.on('close', () => this.#end(this.#whyClosed()));
  }

  get isOpen(): boolean {
    return this.#closedBy === undefined;
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
    const seconds = timeoutMs / 1000;
    const message = t('no answer from {0} to {1} within {2} s', this.address, api, seconds);
    this.#end(message);
    return new DeadlineError(message);
  }

  #pump(): void {
    if (this.#queue.length > 0) this.#authenticateAgainIfDue();
    while (this.#queue.length > 0 && this.#pending.length < maxInFlight && this.isOpen) {
      // Amid an authentication a broker takes nothing else. [SaslServerAuthenticator]
      if (this.#isAuthenticating && !this.#queue.isNextUrgent) return;
      this.#queue.sendNext();
    }
  }

  async #write<A extends ApiName>(
    api: A,
    body: RequestOf<A>,
    options: SendOptions,
  ): Promise<unknown> {
    const { version } = options;
    const correlationId = this.#nextCorrelationId;
    const { clientId } = this.#options;
    const request = { api: apis[api], version, correlationId, clientId, body } as never;
    const parts = encodeRequestParts(request);
    this.#nextCorrelationId = (correlationId + 1) & 0x7fffffff;
    const answer = deferred<unknown>();
    const expectsResponse = options.expectsResponse ?? true;
    if (expectsResponse) this.#pending.push({ api, version, correlationId, answer });
    this.#socket.cork();
    for (const part of parts) this.#socket.write(part);
    this.#socket.uncork();
    return expectsResponse ? answer.promise : undefined;
  }

  #receive(chunk: Buffer): void {
    try {
      this.#bytesHeard += chunk.length;
      if (this.#bytesHeard === chunk.length && isTlsAlert(chunk)) throw expectsTls(this.address);
      this.#splitter.push(chunk);
      for (let frame = this.#splitter.next(); frame; frame = this.#splitter.next()) {
        this.#take(frame);
      }
    } catch (error) {
      const reason = errorMessage(error);
      this.#end(t("what it sent is not Kafka's protocol: {0}", reason), error);
    }
    this.#pump();
  }

  #take(frame: Buffer): void {
    const pending = this.#pending.shift();
    const correlationId = correlationIdOf(frame);
    if (pending?.correlationId !== correlationId) {
      if (pending) this.#pending.unshift(pending);
      throw new Error(t('an answer to request {0}, which is not the one waiting', correlationId));
    }
    const { api, version, answer } = pending;
    if (frame.length > largeFrameBytes) {
      void this.#takeLarge(pending, frame);
      return;
    }
    try {
      answer.resolve(decodeResponse(apis[api], answeredVersion(api, version, frame), frame).body);
      this.#hasServed ||= this.#versions !== undefined && !api.startsWith('sasl');
    } catch (error) {
      this.#pending.unshift(pending);
      throw error;
    }
  }

  /** The next answer may be read before this one is. */
  async #takeLarge({ api, version, answer }: Pending, frame: Buffer): Promise<void> {
    try {
      answer.resolve(await decodeInSlices(api, version, frame, this.#options.clock));
      this.#hasServed ||= this.#versions !== undefined;
    } catch (error) {
      const reason = errorMessage(error);
      this.#end(t("what it sent is not Kafka's protocol: {0}", reason), error);
      answer.reject(this.#lost(true));
    }
  }

  async #negotiate(): Promise<void> {
    const { connectTimeoutMs: timeoutMs, signal } = this.#options;
    this.#versions = await askVersions((body, version) =>
      this.send('apiVersions', body, { version, timeoutMs, signal }),
    );
  }

  /** SASL, where the connection has it; sets when it is due again. [KIP-368] */
  async #authenticate(): Promise<void> {
    const { security, connectTimeoutMs: timeoutMs, clock, random, signal } = this.#options;
    const sasl = saslOf(security);
    if (sasl === undefined) return;
    const { address, versions } = this;
    const { tokens = new AccessTokens(clock) } = this.#options;
    const lifetimeMs = await authenticate(
      {
        address,
        versions,
        send: (api, body, version) => this.#enqueue(api, body, { version, timeoutMs, signal }),
      },
      sasl,
      { random, tokens },
    );
    // As Kafka's clients do: some time before the end, and not all connections at once.
    const share = 0.85 + random.below(100) / 1000;
    this.#authenticateAgainAtMs =
      lifetimeMs > 0 ? clock.monotonicMs() + lifetimeMs * share : Infinity;
  }

  /** Before a request rather than by a timer: a connection that is not used may lapse. */
  #authenticateAgainIfDue(): void {
    const isDue = this.#options.clock.monotonicMs() >= this.#authenticateAgainAtMs;
    if (!isDue || this.#isAuthenticating || this.#closedBy) return;
    this.#isAuthenticating = true;
    this.#authenticate().then(
      () => {
        this.#isAuthenticating = false;
        this.#pump();
      },
      (error: unknown) => this.#end(errorMessage(error), error),
    );
  }

  #whyClosed(): string {
    return whyClosed(this.#options.security, {
      hasBeenHeard: this.#bytesHeard > 0,
      isNegotiated: this.#versions !== undefined,
      hasServed: this.#hasServed,
      isAsked: this.#pending.length > 0,
    });
  }

  #lost(mayHaveBeenSent: boolean): ConnectionError | SecurityError {
    const { address } = this;
    if (this.#closedBy?.cause instanceof SecurityError) return this.#closedBy.cause;
    const reason = this.#closedBy?.message ?? t('it is closed');
    const message = t('lost the connection to {0}: {1}', address, reason);
    return new ConnectionError(message, { address, mayHaveBeenSent, cause: this.#closedBy?.cause });
  }

  #end(reason: string, cause?: unknown): void {
    if (this.#closedBy) return;
    this.#closedBy = new ConnectionError(reason, { address: this.address, cause });
    this.#socket.destroy();
    for (const { answer } of this.#pending.splice(0)) answer.reject(this.#lost(true));
    this.#queue.failAll(() => this.#lost(false));
    this.#closeEmitter.fire(this.#lost(false));
    this.#closeEmitter.dispose();
  }
}

/** A broker that lacks our version of ApiVersions answers error 35 with a body of version 0. [KIP-511] */
function answeredVersion(api: ApiName, version: number, frame: Buffer): number {
  const isUnsupported =
    api === 'apiVersions' &&
    frame.length >= 6 &&
    frame.readInt16BE(4) === errorCodes.UNSUPPORTED_VERSION;
  return isUnsupported ? 0 : version;
}
