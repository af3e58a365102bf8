import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { throwIfCancelled } from '../kafkaError.ts';
import type { ClientCredentials, TokenSource } from '../security.ts';
import { sleep } from '../waiting.ts';
import { requestToken, TokenEndpointBusyError } from './tokenEndpoint.ts';
import { unsecuredToken } from './unsecuredToken.ts';

/** A token of which nobody says how long it holds is used for no longer. */
const assumedLifetimeMs = 60_000;
/** When this part of its life is over, another is asked for. [sasl.login.refresh.window.factor] */
const refreshShare = 0.8;
const requestTimeoutMs = 10_000;
/** Between one attempt and the next. */
const pausesMs = [200, 1000];

interface Held {
  readonly token: string;
  readonly refreshAtMs: number;
  readonly endsAtMs: number;
}

/** The token of a client, used by all of its connections until another is needed. */
export class AccessTokens implements Disposable {
  readonly #clock: Clock;
  readonly #end = new AbortController();
  #held: Held | undefined;
  #asking: Promise<string> | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A token to show now. Rejects with a SecurityError. */
  async get(source: TokenSource): Promise<string> {
    switch (source.kind) {
      case 'fixed':
        return source.token.trim();
      case 'unsecured':
        return unsecuredToken(source, this.#clock.nowMs());
      case 'clientCredentials':
        return this.#issued(source);
    }
  }

  /** A broker does not take the token: the next is asked for anew. */
  forget(): void {
    this.#held = undefined;
  }

  /** Ends what is being asked: who asked has gone. */
  dispose(): void {
    this.#end.abort();
  }

  async #issued(source: ClientCredentials): Promise<string> {
    const held = this.#held;
    const nowMs = this.#clock.monotonicMs();
    if (held && nowMs < held.refreshAtMs) return held.token;
    this.#asking ??= this.#ask(source).finally(() => (this.#asking = undefined));
    try {
      return await this.#asking;
    } catch (error) {
      // One that is about to end is better than none.
      if (held && error instanceof TokenEndpointBusyError && nowMs < held.endsAtMs) {
        return held.token;
      }
      throw error;
    }
  }

  async #ask(source: ClientCredentials): Promise<string> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#askOnce(source);
      } catch (error) {
        const pauseMs = pausesMs[attempt];
        if (!(error instanceof TokenEndpointBusyError) || pauseMs === undefined) throw error;
        await sleep(this.#clock, pauseMs, this.#end.signal);
      }
    }
  }

  async #askOnce(source: ClientCredentials): Promise<string> {
    throwIfCancelled(this.#end.signal);
    const late = new AbortController();
    const timer = this.#clock.setTimer(requestTimeoutMs, () => late.abort());
    try {
      const askedAtMs = this.#clock.monotonicMs();
      const { token, lifetimeMs = assumedLifetimeMs } = await requestToken(
        source,
        this.#clock.nowMs(),
        AbortSignal.any([late.signal, this.#end.signal]),
      );
      this.#held = {
        token,
        refreshAtMs: askedAtMs + lifetimeMs * refreshShare,
        endsAtMs: askedAtMs + lifetimeMs,
      };
      return token;
    } catch (error) {
      throwIfCancelled(this.#end.signal);
      throw error;
    } finally {
      timer.dispose();
    }
  }
}
