// One scenario on one broker: what was asked, and what came back.
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import {
  RawClient,
  type RequestInput,
  type Response,
  SilenceError,
} from '../../wire/broker/support/rawClient.ts';
import { openAs } from '../../wire/broker/support/saslClient.ts';
import { createTopic } from '../../wire/broker/support/servers.ts';

export interface Topic {
  readonly name: string;
  readonly id: string;
  readonly partitions: number;
}

export interface Exchange {
  readonly label: string;
  readonly api: ApiName;
  readonly version: number;
  /** As decoded; the bytes of records become batches. Undefined until answered, or where none came. */
  response?: unknown;
  /** The server closed the connection instead, or never said anything. */
  isClosed?: true;
}

/** Versions that both sides serve. */
export type SharedVersions = (api: ApiName) => readonly number[];

export interface RunOptions {
  readonly bootstrap: string;
  /** Where clients have names, and ACLs decide what they may do. */
  readonly saslBootstrap?: string;
  /** Where the folders of partitions are. */
  readonly logFolder: string;
  /** Of the scenario: names start with it, and are the same on both sides. */
  readonly slug: string;
  readonly versions: SharedVersions;
}

type BodyOf<A extends ApiName> = (version: number) => RequestInput<A> | Promise<RequestInput<A>>;

/** Kafka applies what its controller has decided a little later, and on a busy machine much later. */
const untilLimit = 1500;
const untilPauseMs = 20;
const silenceMs = 10_000;

function undefinedIfSilent(error: unknown): undefined {
  if (!(error instanceof SilenceError)) throw error;
}

/** What a scenario does goes through this. */
export class Run {
  readonly exchanges: Exchange[] = [];
  readonly topics: Topic[] = [];
  readonly #options: RunOptions;
  readonly #connections: RawClient[] = [];
  #main: Promise<RawClient> | undefined;
  #names = 0;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  get bootstrap(): string {
    return this.#options.bootstrap;
  }

  get logFolder(): string {
    return this.#options.logFolder;
  }

  versions(api: ApiName): readonly number[] {
    return this.#options.versions(api);
  }

  latest(api: ApiName): number {
    return this.versions(api).at(-1) ?? -1;
  }

  /** A name that no other scenario has, and that is the same on both sides. */
  fresh(what = 'name'): string {
    return `${this.#options.slug}-${what}-${++this.#names}`;
  }

  /** A new topic with a leader. */
  async topic({
    partitions = 1,
    configs = {},
  }: { partitions?: number; configs?: Record<string, string> } = {}): Promise<Topic> {
    const name = this.fresh('topic');
    const id = await createTopic(await this.#client(), name, { partitions, configs });
    const topic = { name, id, partitions };
    this.topics.push(topic);
    return topic;
  }

  async connect(clientId = 'differential'): Promise<RawClient> {
    const client = await RawClient.open(this.#options.bootstrap, clientId);
    this.#connections.push(client);
    return client;
  }

  /** A connection of somebody who has not said yet who it is, and has to. */
  async connectUnknown(): Promise<RawClient> {
    const client = await RawClient.open(this.#options.saslBootstrap ?? '', 'differential');
    this.#connections.push(client);
    return client;
  }

  /** A connection of a user who may do what ACLs allow. */
  async connectAs(user: string): Promise<RawClient> {
    const client = await openAs(this.#options.saslBootstrap ?? '', user);
    this.#connections.push(client);
    return client;
  }

  /** Asks, and the answer is compared. */
  async ask<A extends ApiName>(
    api: A,
    version: number,
    body: RequestInput<A>,
    { label = '', on }: { label?: string; on?: RawClient } = {},
  ): Promise<Response<A>> {
    const exchange: Exchange = { label, api, version };
    this.exchanges.push(exchange);
    const client = on ?? (await this.#client());
    const response = await client.call(api, version, body);
    exchange.response = response;
    return response;
  }

  /** Asks at the latest version. */
  last<A extends ApiName>(
    api: A,
    body: RequestInput<A>,
    options: { label?: string; on?: RawClient } = {},
  ): Promise<Response<A>> {
    return this.ask(api, this.latest(api), body, options);
  }

  /** Asks at every version, one after the other. */
  async each<A extends ApiName>(api: A, bodyOf: BodyOf<A>, label = ''): Promise<void> {
    for (const version of this.versions(api)) {
      await this.ask(api, version, await bodyOf(version), { label });
    }
  }

  /** Asks, to prepare something; the answer is not compared. */
  async prepare<A extends ApiName>(
    api: A,
    version: number,
    body: RequestInput<A>,
  ): Promise<Response<A>> {
    return (await this.#client()).call(api, version, body);
  }

  /** Asks again and again until the answer is as wanted; that one is compared. */
  async until<A extends ApiName>(
    [api, version, body]: readonly [A, number, RequestInput<A>],
    isWanted: (response: Response<A>) => boolean,
    label = '',
    on?: RawClient,
  ): Promise<Response<A>> {
    const client = on ?? (await this.#client());
    let response = await client.call(api, version, body);
    for (let attempt = 0; attempt < untilLimit; attempt++) {
      if (isWanted(response)) {
        this.exchanges.push({ label, api, version, response });
        return response;
      }
      await sleep(untilPauseMs);
      response = await client.call(api, version, body);
    }
    const last = inspect(response, { depth: 6, breakLength: Infinity });
    throw new Error(`${api} v${version} ${label} was never answered as wanted, but ${last}`);
  }

  /**
   * Sends on a connection of its own, and says whether the server answers; if not, it closes or is silent for 10 s.
   * What is asked beside each other is compared in the order in which it was asked.
   */
  async closing<A extends ApiName>(
    api: A,
    version: number,
    body: RequestInput<A>,
    label = '',
  ): Promise<void> {
    await this.closingOn([api, version, body], this.connect(), label);
  }

  /** As `closing`, on a connection of the scenario's. */
  async closingOn<A extends ApiName>(
    [api, version, body]: readonly [A, number, RequestInput<A>],
    on: RawClient | Promise<RawClient>,
    label = '',
  ): Promise<void> {
    const exchange: Exchange = { label, api, version };
    this.exchanges.push(exchange);
    const client = await on;
    client.send(api, version, body);
    const response = await this.answerOn(api, version, client);
    if (response === undefined) exchange.isClosed = true;
    else exchange.response = response;
  }

  /** The next answer on a connection, which the scenario notes itself; undefined where the server closes it. */
  async answerOn<A extends ApiName>(
    api: A,
    version: number,
    client: RawClient,
  ): Promise<Response<A> | undefined> {
    const frame = await client.nextFrame(silenceMs).catch(undefinedIfSilent);
    return frame && decodeResponse<(typeof apis)[A]>(apis[api], version, frame).body;
  }

  /** An answer of which the scenario has taken out what is not its own. */
  note(api: ApiName, version: number, response: unknown, label = ''): void {
    this.exchanges.push({ label, api, version, response });
  }

  end(): void {
    for (const client of this.#connections) client.close();
  }

  #client(): Promise<RawClient> {
    this.#main ??= this.connect();
    return this.#main;
  }
}

/** A scenario, by what it shows. */
export type Scenarios = Readonly<Record<string, (run: Run) => Promise<void>>>;
