import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiName, apis } from '../../../../src/protocol/apis.ts';
import { decodeResponse, encodeRequest } from '../../../../src/protocol/frames.ts';
import { FrameSplitter } from '../../../../src/protocol/frameSplitter.ts';
import type { Message, MessageInput } from '../../../../src/protocol/schema.ts';
import {
  type GroupApi,
  nameOf,
  type RequestInput,
  type Response,
  type Scenario,
  settle,
} from '../../../unit/coordinator/support/scenario.ts';

/** Something that answers group requests: ours or Kafka. */
export interface Talker {
  call<A extends GroupApi>(api: A, version: number, request: RequestInput<A>): Promise<Response<A>>;
}

/** Our coordinator; the shortest timers fire by themselves. */
export function ourTalker(scenario: Scenario): Talker {
  return {
    async call(api, version, request) {
      const answer = scenario.call(api, version, request, { clientId: 'script' });
      await settle();
      scenario.clock.advance(1);
      return answer;
    },
  };
}

/** A Kafka broker, one connection per request, so that parked ones hold nothing up. */
export class KafkaTalker implements Talker {
  readonly #port: number;

  constructor(bootstrap: string) {
    this.#port = Number(bootstrap.split(':').at(-1));
  }

  async call<A extends ApiName>(
    name: A,
    version: number,
    body: MessageInput<(typeof apis)[A]['request']>,
  ): Promise<Message<(typeof apis)[A]['response']>> {
    const api: (typeof apis)[A] = apis[name];
    const socket = connect(this.#port, '127.0.0.1');
    try {
      const request = { api, version, correlationId: 1, clientId: 'script', body };
      socket.write(encodeRequest(request));
      const frames = new FrameSplitter();
      for (;;) {
        const [chunk] = (await once(socket, 'data')) as [Buffer];
        frames.push(chunk);
        const frame = frames.next();
        if (frame) return decodeResponse(api, version, frame).body;
      }
    } finally {
      socket.destroy();
    }
  }

  /** Makes topics of three partitions; resolves with their ids when group requests are served. */
  async prepare(topics: readonly string[], groupId: string): Promise<Map<string, string>> {
    const created = await this.call('createTopics', 7, {
      topics: topics.map((name) => ({ name, numPartitions: 3, replicationFactor: 1 })),
    });
    await this.#untilCoordinated(groupId);
    return new Map(created.topics.map(({ name, topicId }) => [name, topicId]));
  }

  async #untilCoordinated(groupId: string): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      await this.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: [groupId] });
      const { groups } = await this.call('describeGroups', 5, { groups: [groupId] });
      if (groups[0]?.errorCode === 0) return;
      await sleep(100);
    }
    throw new Error('Kafka has no group coordinator after 30 s');
  }
}

/** A script's requests and their answers, in words that do not depend on who answered. */
export class Transcript {
  /** In the order of the answers; ids are as they came. */
  readonly raw: string[] = [];
  readonly #talker: Talker;
  readonly #names = new Map<string, string>();

  constructor(talker: Talker) {
    this.#talker = talker;
  }

  /** Says it and waits for the answer. */
  async say<A extends GroupApi>(
    label: string,
    api: A,
    version: number,
    request: RequestInput<A>,
  ): Promise<Response<A>> {
    const response = await this.#talker.call(api, version, request);
    this.raw.push(`${label}: ${api} v${version}: ${wordsOf(response)}`);
    return response;
  }

  /** Says it over and over until it is answered with the error; only the last time is noted. */
  async sayUntil<A extends GroupApi>(
    isIt: (response: Response<A>) => boolean,
    [label, api, version, request]: [string, A, number, RequestInput<A>],
  ): Promise<void> {
    for (let attempt = 0; attempt < 500; attempt++) {
      if (isIt(await this.say(label, api, version, request))) return;
      this.raw.pop();
      await sleep(10);
    }
    throw new Error(`${label}: ${api} was never answered as expected`);
  }

  /** The last answers came in any order. */
  sortLast(count: number): void {
    this.raw.push(...this.raw.splice(-count).sort());
  }

  /** An id that the broker made up is written under this name. */
  name(id: string, name: string): void {
    if (id !== '') this.#names.set(id, name);
  }

  lines(): string[] {
    return this.raw.map((line) => withMembersInOrder(this.named(line)));
  }

  /** With the names that were given to ids. */
  named(line: string): string {
    let words = line;
    for (const [id, name] of this.#names) words = words.replaceAll(id, `<${name}>`);
    return words;
  }
}

/** Kafka lists members in the order of a hash of their ids, which are random: here, in that of their names. */
function withMembersInOrder(line: string): string {
  const start = /: \w+ v\d+: /.exec(line);
  if (!start) return line;
  const answerAt = start.index + start[0].length;
  const sorted = JSON.parse(line.slice(answerAt), (key, value: unknown) => {
    if (key !== 'members' || !Array.isArray(value)) return value;
    return value.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) as unknown;
  }) as unknown;
  return line.slice(0, answerAt) + JSON.stringify(sorted);
}

function wordsOf(response: unknown): string {
  return JSON.stringify(response, plain).replace(
    /"errorCode":(-?\d+)/g,
    (_, code) => `"error":"${nameOf(Number(code))}"`,
  );
}

const unordered = new Set([
  'topics',
  'partitions',
  'groups',
  'topicPartitions',
  'subscribedTopicNames',
]);

/** Bytes as text, int64 as digits, and topics and groups, whose order is nobody's promise, sorted. */
function plain(key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  const isBuffer = typeof value === 'object' && value !== null && 'data' in value;
  if (isBuffer) return Buffer.from(value.data as number[]).toString('latin1');
  if (!Array.isArray(value) || !unordered.has(key)) return value;
  const place = (item: unknown): string =>
    JSON.stringify(item, (_, each: unknown) => (typeof each === 'bigint' ? String(each) : each));
  return [...(value as unknown[])].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}
