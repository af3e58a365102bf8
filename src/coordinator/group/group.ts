import type { Uuid } from '../../base/uuid.ts';
import type { CoordinatorRecord } from '../ports.ts';
import type { CommittedOffset } from './offsetTable.ts';

/** Who says that it may commit offsets. */
export interface CommitClaim {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  /** A generation or a member epoch; below 0: neither. */
  readonly epoch: number;
  readonly isTransactional: boolean;
  readonly apiVersion: number;
}

export interface TopicIdPartition {
  readonly topicId: Uuid;
  readonly partition: number;
}

/** Who says that it may read a group's offsets; both absent: an admin tool, or a client before KIP-848. */
export interface FetchClaim {
  readonly memberId: string | null;
  readonly memberEpoch: number;
}

/** What offsets need to know of a group, whatever its protocol. [Group] */
export interface OffsetOwner {
  readonly groupId: string;
  readonly type: 'classic' | 'consumer';
  readonly isEmpty: boolean;
  /** NONE, or why these partitions' offsets are not committed. */
  validateOffsetCommit(claim: CommitClaim, partitions: Iterable<TopicIdPartition>): number;
  /** NONE, or why offsets are not told, by the members as they are committed or as they are by now. */
  validateOffsetFetch(claim: FetchClaim, members: 'committed' | 'latest'): number;
  validateOffsetDelete(): number;
  validateDeleteGroup(): number;
  isSubscribedTo(topic: string): boolean;
  /** From when on an offset's retention counts; null: it does not count now. */
  retentionStart(offset: CommittedOffset): bigint | null;
  /** What takes the group out of the log. */
  tombstones(): CoordinatorRecord[];
}
