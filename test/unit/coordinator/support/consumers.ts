import { nameOf, type RequestInput, type Response, type Scenario } from './scenario.ts';

type Beat = RequestInput<'consumerGroupHeartbeat'>;
type BeatResponse = Response<'consumerGroupHeartbeat'>;

export interface ConsumerOptions {
  readonly groupId: string;
  readonly memberId: string;
  readonly instanceId: string | null;
  readonly serverAssignor: string | null;
  readonly rebalanceTimeoutMs: number;
  topics: readonly string[] | null;
  regex: string | null;
}

/** A consumer of the consumer protocol that does what the test says. */
export class ScriptedConsumer {
  readonly #scenario: Scenario;
  options: ConsumerOptions;
  memberId: string;
  memberEpoch = 0;
  /** `<topic id>-<partition>`; what it was told to give up it has given up. */
  owned = new Set<string>();
  /** The partitions as requests list them. */
  #reported: NonNullable<BeatResponse['assignment']>['topicPartitions'] = [];

  constructor(scenario: Scenario, options: Partial<ConsumerOptions> & { memberId: string }) {
    this.#scenario = scenario;
    this.memberId = options.memberId;
    this.options = {
      groupId: 'group',
      instanceId: null,
      serverAssignor: null,
      rebalanceTimeoutMs: 60_000,
      topics: ['orders'],
      regex: null,
      ...options,
    };
  }

  /** A heartbeat that tells all. Follows the answer; starts over where it is fenced. */
  async beat(): Promise<string> {
    const response = await this.send({
      memberEpoch: this.memberEpoch,
      rebalanceTimeoutMs: this.options.rebalanceTimeoutMs,
      subscribedTopicNames: this.options.topics,
      subscribedTopicRegex: this.options.regex,
      serverAssignor: this.options.serverAssignor,
      topicPartitions: this.memberEpoch === 0 ? [] : this.#reported,
    });
    const error = nameOf(response.errorCode);
    if (error === 'NONE') this.#follow(response);
    else if (isOut.has(error)) this.startOver();
    return error;
  }

  /** A heartbeat that tells nothing new. */
  async briefBeat(): Promise<string> {
    const response = await this.send({ memberEpoch: this.memberEpoch });
    if (response.errorCode === 0) this.#follow(response);
    return nameOf(response.errorCode);
  }

  /** The answer to any heartbeat; it is not followed. */
  send(request: Beat): Promise<BeatResponse> {
    const { groupId, instanceId } = this.options;
    const { memberId } = this;
    const whole = { groupId, memberId, instanceId, ...request };
    return this.#scenario.call('consumerGroupHeartbeat', 1, whole);
  }

  async leave(memberEpoch = -1): Promise<string> {
    const response = await this.send({ memberEpoch });
    this.startOver();
    return nameOf(response.errorCode);
  }

  startOver(): void {
    this.memberEpoch = 0;
    this.owned.clear();
    this.#reported = [];
  }

  async commit(topic: string, partition: number, offset: bigint): Promise<string> {
    const { topics } = await this.#scenario.call('offsetCommit', 9, {
      groupId: this.options.groupId,
      memberId: this.memberId,
      groupInstanceId: this.options.instanceId,
      generationIdOrMemberEpoch: this.memberEpoch,
      topics: [
        { name: topic, partitions: [{ partitionIndex: partition, committedOffset: offset }] },
      ],
    });
    return nameOf(topics[0]?.partitions[0]?.errorCode ?? 0);
  }

  #follow({ memberEpoch, assignment }: BeatResponse): void {
    this.memberEpoch = memberEpoch;
    if (assignment === null) return;
    this.#reported = assignment.topicPartitions;
    this.owned = partitionNames(assignment.topicPartitions);
  }
}

const isOut = new Set(['FENCED_MEMBER_EPOCH', 'UNKNOWN_MEMBER_ID', 'FENCED_INSTANCE_ID']);

export function partitionNames(
  topics: readonly { readonly topicId: string; readonly partitions: readonly number[] }[],
): Set<string> {
  return new Set(
    topics.flatMap(({ topicId, partitions }) => partitions.map((each) => `${topicId}-${each}`)),
  );
}

export type DescribedConsumerGroup = Response<'consumerGroupDescribe'>['groups'][number];

export async function describeConsumers(
  scenario: Scenario,
  groupId = 'group',
): Promise<DescribedConsumerGroup> {
  const { groups } = await scenario.call('consumerGroupDescribe', 1, { groupIds: [groupId] });
  const [group] = groups;
  if (group === undefined) throw new Error(`nothing about ${groupId}`);
  return group;
}

/** All beat in turn until nothing moves any more, at most so many rounds. */
export async function beatAll(members: readonly ScriptedConsumer[], rounds = 6): Promise<void> {
  for (let round = 0; round < rounds; round++) for (const member of members) await member.beat();
}
