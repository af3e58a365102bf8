import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import type { CoordinatorRecord, PartitionWriter, TopicDirectory } from '../ports.ts';
import type { GroupConfig } from './groupConfig.ts';
import type * as m from './messages.ts';

export interface GroupCoordinatorOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly writer: PartitionWriter;
  readonly topics: TopicDirectory;
  readonly config: GroupConfig;
  readonly logger: Logger;
}

/** Consumer groups and their offsets, for the partitions of `__consumer_offsets` that this broker leads. */
export class GroupCoordinator implements Disposable {
  readonly #options: GroupCoordinatorOptions;

  constructor(options: GroupCoordinatorOptions) {
    this.#options = options;
  }

  /** The partition of `__consumer_offsets` that keeps the group, as Kafka's `Utils.abs(groupId.hashCode) % n`. */
  partitionFor(groupId: string): number {
    return javaStringHash(groupId) % this.#options.config.offsetsTopicPartitions;
  }

  /** This broker became leader of a partition: reads it, then serves its groups. Rejects if reading fails. */
  load(
    _partition: number,
    _leaderEpoch: number,
    _records: AsyncIterable<CoordinatorRecord>,
  ): Promise<void> {
    return notYet();
  }

  /** This broker leads the partition no more: whoever waits on its groups is told NOT_COORDINATOR. */
  unload(_partition: number): void {
    return;
  }

  joinGroup(
    _request: m.JoinGroupRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.JoinGroupResponse> {
    return notYet();
  }

  syncGroup(
    _request: m.SyncGroupRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.SyncGroupResponse> {
    return notYet();
  }

  heartbeat(
    _request: m.HeartbeatRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.HeartbeatResponse> {
    return notYet();
  }

  leaveGroup(
    _request: m.LeaveGroupRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.LeaveGroupResponse> {
    return notYet();
  }

  describeGroups(
    _request: m.DescribeGroupsRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.DescribeGroupsResponse> {
    return notYet();
  }

  listGroups(
    _request: m.ListGroupsRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.ListGroupsResponse> {
    return notYet();
  }

  deleteGroups(
    _request: m.DeleteGroupsRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.DeleteGroupsResponse> {
    return notYet();
  }

  offsetCommit(
    _request: m.OffsetCommitRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.OffsetCommitResponse> {
    return notYet();
  }

  offsetFetch(
    _request: m.OffsetFetchRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.OffsetFetchResponse> {
    return notYet();
  }

  offsetDelete(
    _request: m.OffsetDeleteRequest,
    _context: m.GroupRequestContext,
  ): Promise<m.OffsetDeleteResponse> {
    return notYet();
  }

  /** Topics are gone: their offsets go too, as tombstones. */
  onTopicsDeleted(_names: readonly string[]): Promise<void> {
    return notYet();
  }

  /** Drops expired offsets and groups that are empty and have none left. The runtime calls it on a timer. */
  cleanExpired(): Promise<void> {
    return notYet();
  }

  /** Embedded cluster only: removes every member, so that a reset of the group's offsets is accepted. */
  removeMembers(_groupId: string, _reason: string): Promise<void> {
    return notYet();
  }

  dispose(): void {
    return;
  }
}

function notYet(): Promise<never> {
  return Promise.reject(new Error('the group coordinator is not there yet'));
}

/** Java's `String.hashCode`, made non-negative as Kafka's `Utils.abs` does. */
function javaStringHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) {
    hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  }
  return hash === -(2 ** 31) ? 0 : Math.abs(hash);
}
