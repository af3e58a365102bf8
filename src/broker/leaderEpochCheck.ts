import type { ErrorName } from '../protocol/errors.ts';
import type { Partition } from './partition.ts';

/** Whether the client's idea of the leader epoch is older or newer than ours; -1 asks for no check. [KIP-320] */
export function checkLeaderEpoch(partition: Partition, epoch: number): ErrorName | undefined {
  if (!partition.isLeader) return 'NOT_LEADER_OR_FOLLOWER';
  if (epoch === -1 || epoch === partition.leaderEpoch) return undefined;
  return epoch < partition.leaderEpoch ? 'FENCED_LEADER_EPOCH' : 'UNKNOWN_LEADER_EPOCH';
}
