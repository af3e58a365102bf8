import type { SecurityProfile } from './connections/profileSecurity.ts';

/**
 * A cluster as the workbench sees it: plain, immutable values, the same for the embedded cluster and for
 * real ones. Offsets are bigint and exact. What could not be read is an error beside the rest, so that one
 * row fails and not the view.
 */

/** Why something could not be read, in words for people. */
export interface Problem {
  /** What failed and why: "cannot reach 127.0.0.1:9092: connection refused". */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Kafka's error name, where a broker sent one. */
  readonly kafkaError?: string;
}

export type Readable<T> = { readonly value: T } | { readonly problem: Problem };

export interface BrokerInfo {
  readonly id: number;
  readonly host: string;
  readonly port: number;
  readonly rack: string | null;
  readonly isController: boolean;
}

export interface TopicSummary {
  readonly name: string;
  readonly topicId: string;
  readonly isInternal: boolean;
  readonly partitionCount: number;
  readonly underReplicated: number;
  readonly offline: number;
}

export interface PartitionInfo {
  readonly topic: string;
  readonly partition: number;
  /** -1: no leader. */
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
  readonly offlineReplicas: readonly number[];
}

/** Offsets of a partition; absent ones could not be read from this server. */
export interface PartitionOffsets {
  readonly logStart: bigint;
  /** The last stable offset: where read_committed consumers stop. */
  readonly lastStable: bigint;
  /** ListOffsets latest at read_uncommitted: the high watermark. */
  readonly highWatermark: bigint;
}

export interface PartitionRow extends PartitionInfo {
  readonly offsets: Readable<PartitionOffsets>;
}

/** A replica as the broker knows it that holds it. */
export interface Replica {
  readonly broker: number;
  /** Also what followers have not fetched yet; consumers are told of none of that. */
  readonly logEndOffset: Readable<bigint>;
  readonly log: Readable<{ readonly sizeBytes: bigint; readonly directory: string }>;
}

/** A group's position on one partition. */
export interface CommittedOffset {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** Null: the group has no commit here, which is not offset 0. */
  readonly committed: bigint | null;
  readonly leaderEpoch: number;
  readonly metadata: string;
  /** `highWatermark - committed`, not floored; null without a commit or where the end is unknown. */
  readonly lag: bigint | null;
  /** Why the commit could not be read; `committed` is then null without meaning that there is none. */
  readonly problem?: Problem;
}

export interface GroupSummary {
  readonly groupId: string;
  /** Kafka's state name: Stable, Empty, PreparingRebalance, CompletingRebalance, Dead, ... */
  readonly state: string;
  /** classic, consumer, share, streams. */
  readonly type: string;
  readonly protocolType: string;
}

export interface GroupMember {
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly clientId: string;
  readonly host: string;
  readonly assignment: readonly { readonly topic: string; readonly partition: number }[];
}

export interface GroupDetails extends GroupSummary {
  readonly protocol: string;
  readonly members: readonly GroupMember[];
  readonly coordinator: number;
}

/** A group's details with its offsets; `lag` totals the partitions that have one, null if none has. */
export interface GroupView {
  readonly details: GroupDetails;
  readonly offsets: readonly CommittedOffset[];
  readonly lag: bigint | null;
  /** A commit is past its partition's end. */
  readonly isPastEnd: boolean;
}

/** What a list of groups shows of each. */
export interface GroupFigures {
  readonly state: string;
  readonly memberCount: number;
  /** Over the partitions that have one; null if none has. */
  readonly lag: bigint | null;
  /** A commit is past its partition's end. */
  readonly isPastEnd: boolean;
}

/** The group that is furthest behind on a topic, over all its partitions. */
export interface TopicLag {
  readonly group: string;
  readonly lag: bigint;
}

/** Where a connection stands. */
export type ConnectionState =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'connecting' }
  | { readonly kind: 'connected'; readonly bootstrap: string; readonly clusterId: string }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** A configured cluster. The embedded one has id `embedded`. Secrets are never here. */
export interface ClusterProfile {
  readonly id: string;
  readonly name: string;
  readonly kind: 'embedded' | 'remote';
  /** Remote: `host:port` list. */
  readonly bootstrap: readonly string[];
  readonly readOnly: boolean;
  /** Left out: PLAINTEXT. */
  readonly security?: SecurityProfile;
  /** Whoever destroys something here types the cluster's name first. */
  readonly isProduction?: boolean;
  /** Tells clusters apart at a glance, beside their names. */
  readonly color?: ProfileColor;
}

export const profileColors = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
export type ProfileColor = (typeof profileColors)[number];
