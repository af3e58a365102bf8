import type { Clock } from '../../base/clock.ts';
import type { ApiName } from '../../protocol/apis.ts';
import { ClosingError } from '../requestError.ts';
import { type SaslExchange, SaslRefusal } from './saslExchange.ts';

/** How clients of a listener prove who they are. */
export interface SaslRules {
  readonly mechanisms: ReadonlyMap<string, SaslMechanism>;
  readonly failureDelayMs: number;
  /** sasl.server.max.receive.size: the largest request before a client has authenticated. */
  readonly maxReceiveBytes: number;
  readonly clock: Clock;
}

export interface SaslMechanism {
  readonly begin: () => SaslExchange;
  /** connections.max.reauth.ms; 0: once is enough. */
  readonly maxReauthMs: number;
}

type State = 'open' | 'handshake' | 'authenticate' | 'authenticated' | 'reauthenticate' | 'failed';

/** What may be asked in each state; undefined: everything. [SaslServerAuthenticator.SaslState] */
const admitted: Readonly<Record<State, readonly ApiName[] | undefined>> = {
  open: undefined,
  handshake: ['apiVersions', 'saslHandshake'],
  authenticate: ['saslAuthenticate'],
  authenticated: undefined,
  reauthenticate: ['saslAuthenticate'],
  failed: [],
};

export const anonymous = 'User:ANONYMOUS';

export interface SessionOptions {
  readonly listener: string;
  /** Undefined: nobody has to authenticate here. */
  readonly sasl: SaslRules | undefined;
  /** Who a client is without SASL. */
  readonly principal?: string;
}

/** Who is at the other end of a connection, and how far the proof of that has come. */
export class Session {
  readonly listener: string;
  readonly #sasl: SaslRules | undefined;
  #state: State;
  #principal: string;
  #mechanism = '';
  #exchange: SaslExchange | undefined;
  #isRaw = false;
  #expiresAtMs = Infinity;
  /** Called when the client has authenticated for the first time. */
  onDidAuthenticate: () => void = () => undefined;

  constructor({ listener, sasl, principal = anonymous }: SessionOptions) {
    this.listener = listener;
    this.#sasl = sasl;
    this.#state = sasl === undefined ? 'open' : 'handshake';
    this.#principal = principal;
  }

  /** `User:alice` */
  get principal(): string {
    return this.#principal;
  }

  get isAuthenticated(): boolean {
    return this.#state === 'open' || this.#state === 'authenticated';
  }

  /** The client has said how it authenticates, and has not finished. */
  get isBetweenTokens(): boolean {
    return this.#exchange !== undefined;
  }

  /** The client asked with version 0 of SaslHandshake: tokens come bare, without a request around them. */
  get expectsBareToken(): boolean {
    return this.#isRaw && this.#state === 'authenticate';
  }

  get mechanisms(): readonly string[] {
    return [...(this.#sasl?.mechanisms.keys() ?? [])];
  }

  /** Throws a ClosingError for what may not be asked yet, or any more. */
  admit(api: ApiName): void {
    const apis = admitted[this.#state];
    if (apis !== undefined && !apis.includes(api))
      throw new ClosingError(`${api} came where the client has to authenticate first`);
    const isSasl = api === 'saslHandshake' || api === 'saslAuthenticate';
    if (!isSasl && this.#state === 'authenticated' && this.#nowMs >= this.#expiresAtMs)
      throw new ClosingError(`the session of ${this.#principal} has expired`);
  }

  /** Answers why the mechanism cannot be used, undefined where it can. */
  handshake(
    mechanism: string,
    version: number,
  ): 'ILLEGAL_SASL_STATE' | 'UNSUPPORTED_SASL_MECHANISM' | undefined {
    const isAgain = this.#state === 'authenticated' && this.#expiresAtMs < Infinity;
    if (this.#state !== 'handshake' && !isAgain) return 'ILLEGAL_SASL_STATE';
    const begun = this.#sasl?.mechanisms.get(mechanism);
    const isChanged = isAgain && mechanism !== this.#mechanism;
    if (begun === undefined || isChanged) {
      this.#state = 'failed';
      return 'UNSUPPORTED_SASL_MECHANISM';
    }
    this.#mechanism = mechanism;
    this.#exchange = begun.begin();
    this.#isRaw = version === 0;
    this.#state = isAgain ? 'reauthenticate' : 'authenticate';
    return undefined;
  }

  /** Takes a token; answers ours and for how long the client is authenticated (0: for ever, or not yet). */
  authenticate(token: Buffer): { readonly token: Buffer; readonly lifetimeMs: number } {
    if (this.#exchange === undefined) throw new ClosingError('there was no SaslHandshake');
    try {
      const { token: answer, user } = this.#exchange.step(token);
      if (user === undefined) return { token: answer, lifetimeMs: 0 };
      return { token: answer, lifetimeMs: this.#complete(`User:${user}`) };
    } catch (error) {
      this.#state = 'failed';
      throw error;
    }
  }

  /** Resolves when a failed client is to be told so [connection.failed.authentication.delay.ms]. */
  delayFailure(): Promise<void> {
    const { clock, failureDelayMs = 0 } = this.#sasl ?? {};
    return new Promise((resolve) => {
      if (clock === undefined || failureDelayMs === 0) resolve();
      else clock.setTimer(failureDelayMs, resolve);
    });
  }

  #complete(principal: string): number {
    const isAgain = this.#state === 'reauthenticate';
    if (isAgain && principal !== this.#principal)
      throw new SaslRefusal(
        `Cannot change principals during re-authentication from ${this.#principal}: ${principal}`,
      );
    const maxReauthMs = this.#sasl?.mechanisms.get(this.#mechanism)?.maxReauthMs ?? 0;
    this.#principal = principal;
    this.#state = 'authenticated';
    this.#exchange = undefined;
    if (maxReauthMs > 0) this.#expiresAtMs = this.#nowMs + maxReauthMs;
    if (!isAgain) this.onDidAuthenticate();
    return maxReauthMs;
  }

  get #nowMs(): number {
    return this.#sasl?.clock.monotonicMs() ?? 0;
  }
}
