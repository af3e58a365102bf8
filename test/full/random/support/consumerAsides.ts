// What a sequence does with groups of their own, beside the one that it is of.
import { joining } from '../../../differential/support/consumerRequests.ts';
import type { Run } from '../../../differential/support/run.ts';
import { inOrder, memberNamed, say } from './consumerMember.ts';

/** Who does not make an id is given one; alone, as members are gone through in the order of their ids' hashes. */
export async function joinWithoutId(run: Run, names: readonly string[]): Promise<void> {
  const groupId = run.fresh('alone');
  const request = { ...joining(groupId, '', ...names), groupId };
  const member = memberNamed('');
  const joined = await say(run, member, { version: 0, label: 'without an id', request });
  const { memberEpoch } = joined;
  const memberId = joined.memberId ?? '';
  const known = { ...member, memberId };
  await say(run, known, { version: 1, label: 'with the id', request: { groupId } });
  await run.last('consumerGroupHeartbeat', { groupId, memberId, memberEpoch: memberEpoch + 1 });
  await run.last('consumerGroupHeartbeat', { groupId, memberId, memberEpoch: -1 });
}

/** Long enough for the heartbeats before it, as it counts from where there is something to give up. */
const rebalanceTimeoutMs = 300;

/** A member that does not give up what another is to have is taken out. `names` are of two partitions at least. */
export async function starve(run: Run, names: readonly string[]): Promise<void> {
  const groupId = run.fresh('slow');
  const [slow, other] = [memberNamed(run.fresh('member')), memberNamed(run.fresh('member'))];
  const joins = joining(groupId, '', ...names);
  const beat = (member: typeof slow, request: Partial<typeof joins>) =>
    say(run, member, { version: 1, label: 'slow', request: { ...request, groupId } });
  await beat(slow, { ...joins, memberId: slow.memberId, rebalanceTimeoutMs });
  await beat(other, { ...joins, memberId: other.memberId });
  const { owned } = slow;
  await beat(slow, { topicPartitions: owned });
  for (let isGone = false; !isGone;) {
    const { groups } = await run.prepare('consumerGroupDescribe', 1, { groupIds: [groupId] });
    isGone = groups[0]?.members.length === 1;
  }
  await beat(slow, { topicPartitions: [] });
  await beat(other, { topicPartitions: other.owned });
  const left = await run.prepare('consumerGroupDescribe', 1, { groupIds: [groupId] });
  run.note('consumerGroupDescribe', 1, inOrder(left), 'slow');
}
