import { inTurns, type Steps } from '../../../../src/base/turns.ts';
import { accessOf } from '../../../../src/broker/security/authorizer/access.ts';
import { Session } from '../../../../src/broker/security/session.ts';
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { seededRandom } from '../../../../src/base/random.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { BrokerNode } from '../../../../src/broker/brokerNode.ts';
import type { Handler } from '../../../../src/broker/handler.ts';
import { consumerGroupDescribe } from '../../../../src/broker/handlers/consumerGroupDescribe.ts';
import { consumerGroupHeartbeat } from '../../../../src/broker/handlers/consumerGroupHeartbeat.ts';
import { deleteGroups } from '../../../../src/broker/handlers/deleteGroups.ts';
import { describeGroups } from '../../../../src/broker/handlers/describeGroups.ts';
import { heartbeat } from '../../../../src/broker/handlers/heartbeat.ts';
import { joinGroup } from '../../../../src/broker/handlers/joinGroup.ts';
import { leaveGroup } from '../../../../src/broker/handlers/leaveGroup.ts';
import { listGroups } from '../../../../src/broker/handlers/listGroups.ts';
import { offsetCommit } from '../../../../src/broker/handlers/offsetCommit.ts';
import { offsetDelete } from '../../../../src/broker/handlers/offsetDelete.ts';
import { offsetFetch } from '../../../../src/broker/handlers/offsetFetch.ts';
import { syncGroup } from '../../../../src/broker/handlers/syncGroup.ts';
import {
  defaultGroupConfig,
  type GroupConfig,
} from '../../../../src/coordinator/group/groupConfig.ts';
import { GroupCoordinator } from '../../../../src/coordinator/group/groupCoordinator.ts';
import type { CoordinatorEntry, TopicDirectory } from '../../../../src/coordinator/ports.ts';
import { apis } from '../../../../src/protocol/apis.ts';
import { errorByCode } from '../../../../src/protocol/errors.ts';
import { decodeMessage, encodeMessage } from '../../../../src/protocol/messageCodec.ts';
import type { Message, MessageInput } from '../../../../src/protocol/schema.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { MemoryWriter } from './memoryWriter.ts';

const handlers = {
  joinGroup,
  syncGroup,
  heartbeat,
  leaveGroup,
  describeGroups,
  listGroups,
  deleteGroups,
  offsetCommit,
  offsetFetch,
  offsetDelete,
  consumerGroupHeartbeat,
  consumerGroupDescribe,
};

export type GroupApi = keyof typeof handlers;
export type RequestInput<A extends GroupApi> = MessageInput<(typeof apis)[A]['request']>;
export type Response<A extends GroupApi> = Message<(typeof apis)[A]['response']>;

/** Topics that tests commit for: 3 partitions each, if not said otherwise; `orders` was there from the start. */
export class FakeTopics implements TopicDirectory {
  readonly partitionCounts = new Map<string, number>();
  #version = 1n;
  readonly ids = new Map([
    ['orders', 'b3JkZXJzb3JkZXJzb3JkZQ'],
    ['payments', 'cGF5bWVudHNwYXltZW50cw'],
  ]);

  topicId(name: string): string | undefined {
    return this.ids.get(name);
  }

  topicName(id: string): string | undefined {
    return [...this.ids].find(([, each]) => each === id)?.[0];
  }

  names(): Iterable<string> {
    return this.ids.keys();
  }

  version(): bigint {
    return this.#version;
  }

  /** A topic whose id is made of its name. */
  add(name: string, partitionCount: number): string {
    const id = Buffer.from(name.padEnd(16, '.').slice(0, 16)).toString('base64url');
    this.ids.set(name, id);
    this.partitionCounts.set(name, partitionCount);
    this.#version++;
    return id;
  }

  partitionCount(name: string): number | undefined {
    return this.ids.has(name) ? (this.partitionCounts.get(name) ?? 3) : undefined;
  }
}

export interface ScenarioOptions {
  readonly config?: Partial<GroupConfig>;
  readonly seed?: number;
  /** Partitions of `__consumer_offsets` to load; all by default. */
  readonly load?: boolean;
  readonly records?: ReadonlyMap<number, readonly CoordinatorEntry[]>;
  readonly clock?: ManualClock;
}

/** A coordinator on a clock and a log that the test owns, reached through handlers and codecs. */
export class Scenario {
  readonly clock: ManualClock;
  readonly writer = new MemoryWriter();
  readonly topics = new FakeTopics();
  readonly config: GroupConfig;
  readonly coordinator: GroupCoordinator;

  constructor(options: ScenarioOptions = {}) {
    this.config = { ...defaultGroupConfig, offsetsTopicPartitions: 2, ...options.config };
    this.clock = options.clock ?? new ManualClock();
    this.coordinator = new GroupCoordinator({
      clock: this.clock,
      random: seededRandom(options.seed ?? 1),
      writer: this.writer,
      topics: this.topics,
      config: this.config,
      logger: silentLogger,
    });
  }

  /** A scenario whose coordinator has read its partitions. */
  static async start(options: ScenarioOptions = {}): Promise<Scenario> {
    const scenario = new Scenario(options);
    for (let partition = 0; partition < scenario.config.offsetsTopicPartitions; partition++) {
      const records = options.records?.get(partition) ?? [];
      await scenario.coordinator.load(partition, 1, streamOf(records));
    }
    return scenario;
  }

  /** Sends a request as a client of some version would, and reads the response as it would. */
  async call<A extends GroupApi>(
    api: A,
    version: number,
    request: RequestInput<A>,
    client: { clientId?: string } = {},
  ): Promise<Response<A>> {
    const schemas = apis[api];
    const handler = handlers[api] as unknown as Handler<A>;
    const bytes = encodeMessage(schemas.request, version, request);
    const received = decodeMessage(schemas.request, version, bytes);
    const { signal } = new AbortController();
    const answer = handler.handle(received, {
      node: { id: 1, groupCoordinator: this.coordinator } as unknown as BrokerNode,
      apiVersion: version,
      clientId: client.clientId ?? 'client',
      clientHost: '/127.0.0.1',
      clientPort: 1,
      signal,
      waitSignal: signal,
      session: new Session({ listener: 'PLAINTEXT', sasl: undefined }),
      access: accessOf(undefined, { principal: 'User:ANONYMOUS', host: '' }, silentLogger),
      closeAfterAnswer: () => undefined,
      keepUntilSent: () => undefined,
      quotaClient: { user: 'ANONYMOUS', clientId: client.clientId ?? 'client' },
      requestBytes: bytes.length,
      throttle: () => undefined,
      inTurns: (steps) => inTurns(steps),
    });
    // The frame's memory is used again by the next one.
    bytes.fill(0xee);
    // Of groups none answers in steps.
    const response = (await answer) as Awaited<Exclude<typeof answer, Steps<unknown>>>;
    assert(response !== null);
    const sent = encodeMessage(schemas.response, version, response);
    return decodeMessage(schemas.response, version, sent);
  }

  member(name: string, options: Partial<MemberOptions> = {}): ScriptedMember {
    return new ScriptedMember(this, { ...defaultMember, clientId: name, ...options });
  }

  /** Lets time pass, and what follows from it happen. */
  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    await settle();
  }

  async stateOf(groupId = 'group'): Promise<string> {
    const { groups } = await this.call('describeGroups', 6, { groups: [groupId] });
    return groups[0]?.groupState ?? '';
  }

  async memberIdsOf(groupId = 'group'): Promise<string[]> {
    const { groups } = await this.call('describeGroups', 6, { groups: [groupId] });
    return (groups[0]?.members ?? []).map(({ memberId }) => memberId).sort();
  }

  /** Another coordinator that reads what this one wrote. */
  restart(options: ScenarioOptions = {}): Promise<Scenario> {
    return Scenario.start({
      config: this.config,
      clock: this.clock,
      records: this.writer.entries,
      ...options,
    });
  }
}

export interface MemberOptions {
  readonly groupId: string;
  readonly clientId: string;
  readonly groupInstanceId: string | null;
  readonly protocolType: string;
  readonly protocols: readonly { name: string; metadata: Uint8Array }[];
  readonly sessionTimeoutMs: number;
  readonly rebalanceTimeoutMs: number;
  readonly joinVersion: number;
}

export const sessionTimeoutMs = 10_000;
export const rebalanceTimeoutMs = 60_000;

const defaultMember: MemberOptions = {
  groupId: 'group',
  clientId: 'client',
  groupInstanceId: null,
  protocolType: 'consumer',
  protocols: [{ name: 'range', metadata: subscription('orders') }],
  sessionTimeoutMs,
  rebalanceTimeoutMs,
  joinVersion: 9,
};

/** A consumer that does what the test says. */
export class ScriptedMember {
  readonly #scenario: Scenario;
  options: MemberOptions;
  memberId = '';
  generationId = -1;
  protocolName: string | null = null;

  constructor(scenario: Scenario, options: MemberOptions) {
    this.#scenario = scenario;
    this.options = options;
  }

  /** One JoinGroup. */
  async sendJoin(): Promise<Response<'joinGroup'>> {
    const { clientId, joinVersion, ...request } = this.options;
    const response = await this.#scenario.call(
      'joinGroup',
      joinVersion,
      { ...request, memberId: this.memberId },
      { clientId },
    );
    if (response.memberId !== '') this.memberId = response.memberId;
    if (response.errorCode === 0) {
      this.generationId = response.generationId;
      this.protocolName = response.protocolName;
    }
    return response;
  }

  /** JoinGroup, a second time with the id if one is required. */
  async join(): Promise<Response<'joinGroup'>> {
    const response = await this.sendJoin();
    return nameOf(response.errorCode) === 'MEMBER_ID_REQUIRED' ? this.sendJoin() : response;
  }

  sync(
    assignments: readonly { memberId: string; assignment: Uint8Array }[] = [],
  ): Promise<Response<'syncGroup'>> {
    return this.#scenario.call('syncGroup', 5, {
      groupId: this.options.groupId,
      memberId: this.memberId,
      groupInstanceId: this.options.groupInstanceId,
      generationId: this.generationId,
      protocolType: this.options.protocolType,
      protocolName: this.protocolName ?? 'range',
      assignments,
    });
  }

  async heartbeat(): Promise<string> {
    const { errorCode } = await this.#scenario.call('heartbeat', 4, {
      groupId: this.options.groupId,
      memberId: this.memberId,
      groupInstanceId: this.options.groupInstanceId,
      generationId: this.generationId,
    });
    return nameOf(errorCode);
  }

  async leave(): Promise<string> {
    const { errorCode, members } = await this.#scenario.call('leaveGroup', 5, {
      groupId: this.options.groupId,
      members: [{ memberId: this.memberId, groupInstanceId: this.options.groupInstanceId }],
    });
    return nameOf(errorCode || (members[0]?.errorCode ?? 0));
  }

  async commit(topic: string, partition: number, offset: bigint): Promise<string> {
    const { topics } = await this.#scenario.call('offsetCommit', 9, {
      groupId: this.options.groupId,
      memberId: this.memberId,
      groupInstanceId: this.options.groupInstanceId,
      generationIdOrMemberEpoch: this.generationId,
      topics: [
        { name: topic, partitions: [{ partitionIndex: partition, committedOffset: offset }] },
      ],
    });
    return nameOf(topics[0]?.partitions[0]?.errorCode ?? 0);
  }
}

/** Joins new members into a group's first generation. Returns the leader's id. */
export async function joinAll(
  scenario: Scenario,
  ...members: readonly ScriptedMember[]
): Promise<string> {
  const joining = members.map((member) => member.join());
  await settle();
  await scenario.pass(0);
  const responses = await Promise.all(joining);
  for (const { errorCode } of responses) assert.equal(nameOf(errorCode), 'NONE');
  return responses[0]?.leader ?? '';
}

/** Joins new members into a group's first generation and syncs them. Returns the leader's id. */
export async function stabilise(
  scenario: Scenario,
  ...members: readonly ScriptedMember[]
): Promise<string> {
  const leaderId = await joinAll(scenario, ...members);
  await syncAll(members, leaderId);
  return leaderId;
}

/** All sync; the leader assigns `for <member id>` to each. */
export async function syncAll(
  members: readonly ScriptedMember[],
  leaderId: string,
): Promise<Response<'syncGroup'>[]> {
  const assignments = members.map(({ memberId }) => ({
    memberId,
    assignment: bytesOf(`for ${memberId}`),
  }));
  const responses = await Promise.all(
    members.map((member) => member.sync(member.memberId === leaderId ? assignments : [])),
  );
  for (const { errorCode } of responses) assert.equal(nameOf(errorCode), 'NONE');
  return responses;
}

export function nameOf(errorCode: number): string {
  return errorByCode(errorCode).name;
}

/** Waits until nothing more happens by itself. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}

export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending');
  await settle();
  return (await Promise.race([promise, Promise.resolve(pending)])) === pending;
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** A consumer's subscription, version 0: version, topics, no user data. */
export function subscription(...topics: string[]): Uint8Array {
  const names = topics.map((topic) => {
    const name = Buffer.from(topic);
    const length = Buffer.alloc(2);
    length.writeInt16BE(name.length);
    return Buffer.concat([length, name]);
  });
  const head = Buffer.alloc(6);
  head.writeInt32BE(topics.length, 2);
  return Buffer.concat([head, ...names, Buffer.from([0xff, 0xff, 0xff, 0xff])]);
}

export async function* streamOf(
  records: readonly CoordinatorEntry[],
): AsyncGenerator<CoordinatorEntry> {
  await Promise.resolve();
  yield* records;
}
