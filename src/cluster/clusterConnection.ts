import { type Clock, systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { KafkaClient } from '../client/kafkaClient.ts';
import { CancelledError, ConnectionError } from '../client/kafkaError.ts';
import { plaintext, type SecurityOptions } from '../client/security.ts';
import { orCancelled } from '../client/waiting.ts';
import { GroupReads } from './groupReads.ts';
import type { ConnectionState } from './model.ts';
import { ProblemError, toProblem } from './problems.ts';
import { TopicReads } from './topicReads.ts';

export interface ConnectionOptions {
  /** Where to connect now. The embedded cluster's address may change with each start; empty: it is stopped. */
  readonly bootstrap: () => readonly string[];
  /** How to connect, with its secrets; asked for at each connecting. Left out: PLAINTEXT. */
  readonly security?: () => Promise<SecurityOptions>;
  readonly logger?: Logger;
  readonly clock?: Clock;
}

/** The client of a connection with what is read over it. */
export interface Connected {
  readonly client: KafkaClient;
  readonly topicReads: TopicReads;
  readonly groupReads: GroupReads;
}

const connectTimeoutMs = 10_000;
/** How long the check takes at most whether the whole cluster is gone, or one broker. */
const checkTimeoutMs = 3000;

/** The connection to one cluster: made when it is needed, and known to be gone when nobody answers. */
export class ClusterConnection implements Disposable {
  readonly #name: string;
  readonly #options: ConnectionOptions;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #stateEmitter = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  #state: ConnectionState = { kind: 'stopped' };
  #connected: Connected | undefined;
  #connecting: Promise<void> | undefined;
  /** Tells a connection attempt that it was overtaken by a disconnect. */
  #generation = 0;

  constructor(name: string, options: ConnectionOptions) {
    this.#name = name;
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
    this.#clock = options.clock ?? systemClock;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  get connected(): Connected | undefined {
    return this.#connected;
  }

  /** Connects, or answers at once when connected. Rejects with the reason, which `state` then also holds. */
  connect(signal?: AbortSignal): Promise<void> {
    if (this.#connected) return Promise.resolve();
    return orCancelled((this.#connecting ??= this.#begin()), signal);
  }

  /** Closes every connection; the state becomes `stopped`. */
  disconnect(): void {
    this.#close();
    this.#setState({ kind: 'stopped' });
  }

  dispose(): void {
    this.disconnect();
    this.#stateEmitter.dispose();
  }

  /** Runs work over the connection, and notices where the cluster is gone. */
  async use<T>(
    signal: AbortSignal | undefined,
    work: (connected: Connected) => Promise<T>,
  ): Promise<T> {
    await this.connect(signal);
    const connected = this.#connected;
    if (!connected) throw new CancelledError();
    try {
      return await work(connected);
    } catch (error) {
      if (error instanceof ConnectionError) void this.#checkIsAlive(connected.client);
      throw error;
    }
  }

  /** Once a disconnect has overtaken it, it is another attempt that is under way. */
  #begin(): Promise<void> {
    const connecting = this.#open().finally(() => {
      if (this.#connecting === connecting) this.#connecting = undefined;
    });
    return connecting;
  }

  async #open(): Promise<void> {
    const generation = ++this.#generation;
    const bootstrap = this.#options.bootstrap();
    this.#setState({ kind: 'connecting' });
    let client: KafkaClient | undefined;
    try {
      if (bootstrap.length === 0) {
        throw new ProblemError(t('{0} is not running', this.#name), t('Start it first.'));
      }
      const security = (await this.#options.security?.()) ?? plaintext;
      client = new KafkaClient({ bootstrap, security, logger: this.#logger, clock: this.#clock });
      const { clusterId } = await client.metadata([], { timeoutMs: connectTimeoutMs });
      if (generation !== this.#generation) throw new CancelledError();
      const [topicReads, groupReads] = [new TopicReads(client), new GroupReads(client)];
      this.#connected = { client, topicReads, groupReads };
      this.#setState({ kind: 'connected', bootstrap: bootstrap.join(','), clusterId });
    } catch (error) {
      client?.dispose();
      if (generation !== this.#generation) throw new CancelledError();
      this.#setState({ kind: 'failed', problem: toProblem(error) });
      throw error;
    }
  }

  /** One broker may be down and the others not: the session has failed only when none answers. */
  async #checkIsAlive(client: KafkaClient): Promise<void> {
    try {
      await client.metadata([], { timeoutMs: checkTimeoutMs });
    } catch (error) {
      if (this.#connected?.client !== client) return;
      this.#close();
      this.#setState({ kind: 'failed', problem: toProblem(error) });
    }
  }

  #close(): void {
    this.#generation++;
    this.#connecting = undefined;
    this.#connected?.client.dispose();
    this.#connected = undefined;
  }

  #setState(state: ConnectionState): void {
    if (state.kind === this.#state.kind && state.kind !== 'failed') return;
    this.#state = state;
    this.#stateEmitter.fire(state);
  }
}
