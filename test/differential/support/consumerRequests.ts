// Requests of members of consumer groups.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Topic } from './run.ts';

export type Beat = RequestInput<'consumerGroupHeartbeat'>;

/** Made by the client, as version 1 wants it; the same on both sides. */
export const memberOf = (run: Run) => run.fresh('member');

export const joining = (groupId: string, memberId: string, ...topics: string[]): Beat => ({
  groupId,
  memberId,
  memberEpoch: 0,
  rebalanceTimeoutMs: 60_000,
  subscribedTopicNames: topics,
  topicPartitions: [],
});

/** A topic that the coordinator too knows of: it hears of a new one a moment after the partitions' leaders. */
export async function knownTopic(run: Run, options: { partitions?: number } = {}): Promise<Topic> {
  const topic = await run.topic(options);
  for (let attempt = 0; attempt < 100; attempt++) {
    const [groupId, memberId] = [`${topic.name}-probe-${attempt}`, 'probe'];
    const { assignment } = await run.prepare(
      'consumerGroupHeartbeat',
      1,
      joining(groupId, memberId, topic.name),
    );
    if (assignment !== null && assignment.topicPartitions.length > 0) return topic;
    await sleep(20);
  }
  throw new Error(`the coordinator does not hear of ${topic.name}`);
}

export const beat = (run: Run, request: Beat, label = '') =>
  run.ask('consumerGroupHeartbeat', 1, request, { label });

export const described = (run: Run, groupId: string, label = '') =>
  run.ask('consumerGroupDescribe', 1, { groupIds: [groupId] }, { label });

/** What a member says that has given up and got all that it was to. */
export async function catchUp(run: Run, groupId: string, memberId: string): Promise<void> {
  const { groups } = await run.prepare('consumerGroupDescribe', 1, { groupIds: [groupId] });
  const member = groups[0]?.members.find((each) => each.memberId === memberId);
  const topicPartitions = member?.assignment.topicPartitions ?? [];
  await beat(run, { groupId, memberId, memberEpoch: member?.memberEpoch ?? 0, topicPartitions });
}
