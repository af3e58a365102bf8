// A member of a consumer group, as it knows itself.
import type { Beat } from '../../../differential/support/consumerRequests.ts';
import type { Run } from '../../../differential/support/run.ts';

export type Owned = NonNullable<Beat['topicPartitions']>;

export interface Member {
  readonly memberId: string;
  readonly instanceId: string | null;
  memberEpoch: number;
  /** What it was told to have, and before. */
  owned: Owned;
  before: Owned;
}

export const memberNamed = (memberId: string, instanceId: string | null = null): Member => ({
  memberId,
  instanceId,
  memberEpoch: 0,
  owned: [],
  before: [],
});

interface Said {
  readonly version: number;
  readonly label: string;
  readonly request: Partial<Beat> & { groupId: string };
}

/** A heartbeat of a member, which goes by what it is told. */
export async function say(run: Run, member: Member, { version, label, request }: Said) {
  const { memberId, instanceId, memberEpoch } = member;
  const answer = await run.prepare('consumerGroupHeartbeat', version, {
    memberId,
    instanceId,
    memberEpoch,
    rebalanceTimeoutMs: -1,
    subscribedTopicNames: null,
    ...request,
  });
  run.note('consumerGroupHeartbeat', version, inOrder(answer), label);
  if (answer.errorCode !== 0 || answer.memberEpoch < 0) return answer;
  member.memberEpoch = answer.memberEpoch;
  if (answer.assignment) {
    member.before = member.owned;
    member.owned = answer.assignment.topicPartitions;
  }
  return answer;
}

/** An answer with a member's partitions from the least: in Kafka they are in the order of a HashMap of some size. */
export function inOrder(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(inOrder);
  if (typeof answer !== 'object' || answer === null) return answer;
  const fields = Object.entries(answer).map(([name, value]): [string, unknown] =>
    name === 'partitions' && isNumbers(value)
      ? [name, value.toSorted((one, other) => one - other)]
      : [name, inOrder(value)],
  );
  return Object.fromEntries(fields);
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'number');
