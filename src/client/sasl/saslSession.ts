import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import type { SaslOptions } from '../security.ts';
import type { AccessTokens } from './accessTokens.ts';
import { authenticate, type SaslChannel } from './authenticate.ts';

export interface SaslSessionOptions {
  readonly sasl: SaslOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly tokens: AccessTokens;
}

/** Who is there, told to a broker the first time, and again before the broker would end the session. [KIP-368] */
export class SaslSession {
  readonly #options: SaslSessionOptions;
  /** On the monotonic clock. */
  #dueAtMs = Infinity;
  #isUnderWay = false;

  constructor(options: SaslSessionOptions) {
    this.#options = options;
  }

  /** Amid an authentication a broker takes nothing else. [SaslServerAuthenticator] */
  get isUnderWay(): boolean {
    return this.#isUnderWay;
  }

  /** Looked at before a request rather than by a timer: a connection that is not used may lapse. */
  get isDue(): boolean {
    return !this.#isUnderWay && this.#options.clock.monotonicMs() >= this.#dueAtMs;
  }

  async authenticate(channel: SaslChannel): Promise<void> {
    const { sasl, clock, random, tokens } = this.#options;
    this.#isUnderWay = true;
    try {
      const lifetimeMs = await authenticate(channel, sasl, { random, tokens });
      // As Kafka's clients do: some time before the end, and not all connections at once.
      const share = 0.85 + random.below(100) / 1000;
      this.#dueAtMs = lifetimeMs > 0 ? clock.monotonicMs() + lifetimeMs * share : Infinity;
    } finally {
      this.#isUnderWay = false;
    }
  }
}
