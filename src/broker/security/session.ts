import type { Clock } from '../../base/clock.ts';
import type { ApiName } from '../../protocol/apis.ts';
import { ClosingError } from '../requestError.ts';
import {
  IllegalSaslState,
  InvalidCredentials,
  type SaslExchange,
  SaslRefusal,
  type SaslStep,
} from './saslExchange.ts';

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

type State =
  | 'open'
  | 'handshake'
  | 'versionsTold'
  | 'authenticate'
  | 'authenticated'
  | 'reauthenticate'
  | 'otherMechanism'
  | 'failed';

/** What may be asked in each state; undefined: everything. [SaslServerAuthenticator.SaslState] */
const admitted: Readonly<Record<State, readonly ApiName[] | undefined>> = {
  open: undefined,
  handshake: ['apiVersions', 'saslHandshake'],
  // HANDSHAKE_REQUEST: versions are told once.
  versionsTold: ['saslHandshake'],
  authenticate: ['saslAuthenticate'],
  authenticated: undefined,
  reauthenticate: ['saslAuthenticate'],
  // REAUTH_BAD_MECHANISM: whatever comes next ends the connection.
  otherMechanism: [],
  failed: [],
};

/** Whoever wants to authenticate again sooner is told that it is not the time. [KafkaChannel] */
const leastBetweenAgainMs = 1000;

/** What a client calls itself in ApiVersions. */
export interface ClientSoftware {
  readonly name: string;
  readonly version: string;
}

export const unknownSoftware: ClientSoftware = { name: 'unknown', version: 'unknown' };

export const anonymous = 'User:ANONYMOUS';

/** Kafka counts in nanoseconds of 64 bits, and does not answer where there are more. [Utils.msToNs] */
const longestLifetimeMs = Number(2n ** 63n / 1_000_000n);

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
  /** What the client calls itself in ApiVersions. [ClientInformation, KIP-511] */
  software: ClientSoftware = unknownSoftware;
  /** What the client calls itself in its latest request; undefined until there was one. */
  clientId: string | undefined;
  readonly #sasl: SaslRules | undefined;
  #state: State;
  #principal: string;
  #mechanism = '';
  #exchange: SaslExchange | undefined;
  #isRaw = false;
  /** On the monotonic clock. */
  #expiresAtMs = Infinity;
  #lastAgainAtMs = -Infinity;
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

  /** The client has said how it authenticates, and has not finished. */
  get isBetweenTokens(): boolean {
    return this.#exchange !== undefined;
  }

  /** The client asked with version 0 of SaslHandshake: tokens come bare, without a request around them. */
  get expectsBareToken(): boolean {
    return this.#isRaw && this.#awaitsToken;
  }

  /** Nothing was said yet that authentication begins with. */
  get isBeforeTokens(): boolean {
    return this.#state === 'handshake';
  }

  get #awaitsToken(): boolean {
    return this.#state === 'authenticate' || this.#state === 'reauthenticate';
  }

  get mechanisms(): readonly string[] {
    return [...(this.#sasl?.mechanisms.keys() ?? [])];
  }

  /** Throws for what may not be asked yet, or any more: an IllegalSaslState where that is to be answered. */
  admit(api: ApiName): void {
    if (this.#awaitsToken && api !== 'saslAuthenticate') throw new IllegalSaslState(api);
    const apis = admitted[this.#state];
    if (apis !== undefined && !apis.includes(api))
      throw new ClosingError(`${api} came where the client has to authenticate first`);
    const isBeginning = api === 'saslHandshake' && this.#mayBeginAgain;
    if (this.#state === 'authenticated' && !isBeginning && this.#nowMs > this.#expiresAtMs)
      throw new ClosingError(`the session of ${this.#principal} has expired`);
  }

  /** The client was told of versions, and how it calls itself. */
  tellVersions(software: ClientSoftware): void {
    this.software = software;
    if (this.#state === 'handshake') this.#state = 'versionsTold';
  }

  /** Answers why the mechanism cannot be used, undefined where it can. */
  handshake(
    mechanism: string,
    version: number,
  ): 'ILLEGAL_SASL_STATE' | 'UNSUPPORTED_SASL_MECHANISM' | undefined {
    const isAgain = this.#mayBeginAgain;
    if (this.#state !== 'handshake' && this.#state !== 'versionsTold' && !isAgain)
      return 'ILLEGAL_SASL_STATE';
    if (isAgain) this.#lastAgainAtMs = this.#nowMs;
    const begun = this.#sasl?.mechanisms.get(mechanism);
    if (begun === undefined) {
      this.#state = 'failed';
      return 'UNSUPPORTED_SASL_MECHANISM';
    }
    if (isAgain && mechanism !== this.#mechanism) {
      this.#state = 'otherMechanism';
      return undefined;
    }
    this.#mechanism = mechanism;
    this.#exchange = begun.begin();
    this.#isRaw = version === 0;
    this.#state = isAgain ? 'reauthenticate' : 'authenticate';
    return undefined;
  }

  /** Takes a token; answers ours and for how long the client is authenticated (0: for ever, or not yet). */
  async authenticate(
    token: Buffer,
  ): Promise<{ readonly token: Buffer; readonly lifetimeMs: number }> {
    if (this.#exchange === undefined) throw new ClosingError('there was no SaslHandshake');
    try {
      const step = await this.#exchange.step(token);
      return { token: step.token, lifetimeMs: this.#complete(step) };
    } catch (error) {
      const during = this.#state === 'reauthenticate' ? 're-authentication' : 'authentication';
      this.#state = 'failed';
      if (!(error instanceof InvalidCredentials)) throw error;
      throw new SaslRefusal(
        `Authentication failed during ${during} due to invalid credentials with SASL mechanism ${this.#mechanism}`,
      );
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

  #complete({ user, lifetimeMs: credentialMs = Infinity }: SaslStep): number {
    if (user === undefined) return 0;
    const isAgain = this.#state === 'reauthenticate';
    const principal = `User:${user}`;
    if (isAgain && principal !== this.#principal)
      throw new SaslRefusal(
        `Cannot change principals during re-authentication from ${dotted(this.#principal)}: ${dotted(principal)}`,
      );
    const lifetimeMs = Math.max(0, Math.floor(Math.min(this.#maxReauthMs, credentialMs)));
    if (lifetimeMs > longestLifetimeMs && lifetimeMs < Infinity)
      throw new ClosingError('a credential holds for more than 292 years');
    this.#principal = principal;
    this.#state = 'authenticated';
    this.#exchange = undefined;
    this.#expiresAtMs = this.#nowMs + lifetimeMs;
    if (!isAgain) this.onDidAuthenticate();
    return Number.isSafeInteger(lifetimeMs) ? lifetimeMs : 0;
  }

  get #maxReauthMs(): number {
    const maxReauthMs = this.#sasl?.mechanisms.get(this.#mechanism)?.maxReauthMs ?? 0;
    return maxReauthMs > 0 ? maxReauthMs : Infinity;
  }

  /** Only a session that ends can be renewed. [KafkaChannel.maybeBeginServerReauthentication, KIP-368] */
  get #mayBeginAgain(): boolean {
    return (
      this.#state === 'authenticated' &&
      this.#expiresAtMs < Infinity &&
      this.#nowMs - this.#lastAgainAtMs >= leastBetweenAgainMs
    );
  }

  get #nowMs(): number {
    return this.#sasl?.clock.monotonicMs() ?? 0;
  }
}

/** As Kafka prints a principal there. */
function dotted(principal: string): string {
  return principal.replace(':', '.');
}
