import type { Steps } from '../../base/turns.ts';
import type {
  consumerGroupDescribeRequest,
  consumerGroupDescribeResponse,
} from '../../protocol/messages/consumerGroupDescribe.ts';
import type {
  consumerGroupHeartbeatRequest,
  consumerGroupHeartbeatResponse,
} from '../../protocol/messages/consumerGroupHeartbeat.ts';
import type {
  deleteGroupsRequest,
  deleteGroupsResponse,
} from '../../protocol/messages/deleteGroups.ts';
import type {
  describeGroupsRequest,
  describeGroupsResponse,
} from '../../protocol/messages/describeGroups.ts';
import type { heartbeatRequest, heartbeatResponse } from '../../protocol/messages/heartbeat.ts';
import type { joinGroupRequest, joinGroupResponse } from '../../protocol/messages/joinGroup.ts';
import type { leaveGroupRequest, leaveGroupResponse } from '../../protocol/messages/leaveGroup.ts';
import type { listGroupsRequest, listGroupsResponse } from '../../protocol/messages/listGroups.ts';
import type {
  offsetCommitRequest,
  offsetCommitResponse,
} from '../../protocol/messages/offsetCommit.ts';
import type {
  offsetDeleteRequest,
  offsetDeleteResponse,
} from '../../protocol/messages/offsetDelete.ts';
import type {
  offsetFetchRequest,
  offsetFetchResponse,
} from '../../protocol/messages/offsetFetch.ts';
import type { syncGroupRequest, syncGroupResponse } from '../../protocol/messages/syncGroup.ts';
import type {
  txnOffsetCommitRequest,
  txnOffsetCommitResponse,
} from '../../protocol/messages/txnOffsetCommit.ts';
import type { Message, MessageInput } from '../../protocol/schema.ts';
import type { GroupAccess } from './groupAccess.ts';

export type ConsumerGroupHeartbeatRequest = Message<typeof consumerGroupHeartbeatRequest>;
export type ConsumerGroupHeartbeatResponse = MessageInput<typeof consumerGroupHeartbeatResponse>;
export type ConsumerGroupDescribeRequest = Message<typeof consumerGroupDescribeRequest>;
export type ConsumerGroupDescribeResponse = MessageInput<typeof consumerGroupDescribeResponse>;
export type JoinGroupRequest = Message<typeof joinGroupRequest>;
export type JoinGroupResponse = MessageInput<typeof joinGroupResponse>;
export type SyncGroupRequest = Message<typeof syncGroupRequest>;
export type SyncGroupResponse = MessageInput<typeof syncGroupResponse>;
export type HeartbeatRequest = Message<typeof heartbeatRequest>;
export type HeartbeatResponse = MessageInput<typeof heartbeatResponse>;
export type LeaveGroupRequest = Message<typeof leaveGroupRequest>;
export type LeaveGroupResponse = MessageInput<typeof leaveGroupResponse>;
export type DescribeGroupsRequest = Message<typeof describeGroupsRequest>;
export type DescribeGroupsResponse = MessageInput<typeof describeGroupsResponse>;
export type ListGroupsRequest = Message<typeof listGroupsRequest>;
export type ListGroupsResponse = MessageInput<typeof listGroupsResponse>;
export type DeleteGroupsRequest = Message<typeof deleteGroupsRequest>;
export type DeleteGroupsResponse = MessageInput<typeof deleteGroupsResponse>;
export type OffsetCommitRequest = Message<typeof offsetCommitRequest>;
export type OffsetCommitResponse = MessageInput<typeof offsetCommitResponse>;
export type OffsetFetchRequest = Message<typeof offsetFetchRequest>;
export type OffsetFetchResponse = MessageInput<typeof offsetFetchResponse>;
export type OffsetDeleteRequest = Message<typeof offsetDeleteRequest>;
export type OffsetDeleteResponse = MessageInput<typeof offsetDeleteResponse>;
export type TxnOffsetCommitRequest = Message<typeof txnOffsetCommitRequest>;
export type TxnOffsetCommitResponse = MessageInput<typeof txnOffsetCommitResponse>;

/** Who asks. The broker's request context fits. */
export interface GroupRequestContext {
  readonly apiVersion: number;
  readonly clientId: string;
  /** As Kafka prints it: `/127.0.0.1`. */
  readonly clientHost: string;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
  /** Does what grows with the request in turns with the work of others. */
  readonly inTurns: <T>(steps: Steps<T>) => Promise<T>;
  /** Left out: it may do everything. */
  readonly access?: GroupAccess;
}
