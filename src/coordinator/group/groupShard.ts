import type { CoordinatorMarker, CoordinatorRecord } from '../ports.ts';
import type { Decision } from '../runtime/decision.ts';
import type { CoordinatorShard } from '../runtime/partitionRuntime.ts';
import type { ConsumerGroup } from './consumer/consumerGroup.ts';
import { expectBeat, expectRevocation } from './consumer/sessions.ts';
import type { GroupState } from './groupState.ts';
import { expectHeartbeat, prepareRebalance } from './rebalance.ts';

/** One partition's groups, as the runtime drives them. [GroupCoordinatorShard] */
export class GroupShard implements CoordinatorShard {
  readonly state: GroupState;

  constructor(state: GroupState) {
    this.state = state;
  }

  replay(record: CoordinatorRecord): void {
    this.state.replay(record);
  }

  replayMarker(marker: CoordinatorMarker): void {
    this.state.replayMarker(marker);
  }

  /** Sessions start anew. A group over a limit that was lowered rebalances, which keeps the last ones out. */
  onLoaded(decision: Decision): void {
    const { maxGroupSize } = this.state.config;
    for (const group of this.state.groups.values()) {
      if (group.type === 'consumer') {
        this.#expectMembers(group);
        continue;
      }
      for (const member of group.members) expectHeartbeat(this.state, group, member);
      if (group.size > maxGroupSize) {
        const reason = `loaded with ${group.size} members, ${maxGroupSize} allowed`;
        prepareRebalance(this.state, group, reason, decision);
      }
    }
  }

  /** Who waits is told, a joining member with its id. [GroupMetadataManager.onUnloaded] */
  onUnloaded(errorCode: number): void {
    for (const group of this.state.groups.values()) {
      if (group.type === 'consumer') continue;
      for (const member of group.members) {
        group.park(member, null)?.send({ memberId: member.memberId, errorCode });
        member.awaitingSync?.fail(errorCode);
        member.awaitingSync = null;
      }
    }
  }

  #expectMembers({ groupId, members }: ConsumerGroup): void {
    for (const member of members.values()) {
      expectBeat(this.state, groupId, member.memberId);
      if (member.state === 'unrevokedPartitions') expectRevocation(this.state, groupId, member);
    }
  }
}
