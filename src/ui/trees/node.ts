import type { EmbeddedState } from '../../cluster/embedded/embeddedState.ts';
import type {
  BrokerInfo,
  ClusterProfile,
  CommittedOffset,
  ConnectionState,
  GroupFigures,
  GroupMember,
  GroupSummary,
  GroupView,
  PartitionRow,
  Problem,
  TopicLag,
  TopicSummary,
} from '../../cluster/model.ts';
import type { SortOrder } from './treeChoices.ts';

/** One row of the Clusters view as plain data. `id` is unique in the view and the same after a refresh. */
export type Node = { readonly id: string; readonly cluster: ClusterProfile } & NodeContent;
export type NodeKind = Node['kind'];
export type NodeOf<K extends NodeKind> = Extract<Node, { kind: K }>;

export type NodeContent =
  | {
      readonly kind: 'cluster';
      readonly connection: ConnectionState;
      /** Only for the embedded cluster. */
      readonly embedded: EmbeddedState | undefined;
      readonly brokerCount: number | undefined;
    }
  /** Undefined: not counted yet. */
  | { readonly kind: 'brokers'; readonly count: number | undefined }
  | { readonly kind: 'topics' | 'groups'; readonly list: ListSummary | undefined }
  | { readonly kind: 'broker'; readonly broker: BrokerInfo }
  | {
      readonly kind: 'topic';
      readonly topic: TopicSummary;
      /** Offsets between log start and end, over all partitions; undefined: not known. */
      readonly recordCount: bigint | undefined;
      /** Only where topics are in order of it. */
      readonly lag?: TopicLag;
      readonly isPinned?: boolean;
    }
  | { readonly kind: 'partition'; readonly row: PartitionRow }
  /** A group's commit, under a partition. */
  | { readonly kind: 'commit'; readonly commit: CommittedOffset; readonly isLagging?: boolean }
  | {
      readonly kind: 'group';
      readonly group: GroupSummary;
      /** What a list shows of it; undefined: not read yet. */
      readonly figures: GroupFigures | undefined;
      /** Once it has been opened. */
      readonly view: GroupView | undefined;
      readonly isLagging?: boolean;
      readonly isPinned?: boolean;
    }
  | { readonly kind: 'members'; readonly group: string; readonly members: readonly GroupMember[] }
  | { readonly kind: 'member'; readonly group: string; readonly member: GroupMember }
  | {
      readonly kind: 'assignment';
      readonly group: string;
      readonly topic: string;
      readonly partitions: readonly number[];
    }
  | {
      readonly kind: 'groupTopic';
      readonly group: string;
      readonly topic: string;
      readonly commits: readonly CommittedOffset[];
    }
  /** A group's commit, under the group. */
  | {
      readonly kind: 'groupPartition';
      readonly commit: CommittedOffset;
      readonly isLagging?: boolean;
    }
  /** Rows that are not shown until asked for. */
  | { readonly kind: 'more'; readonly hiddenCount: number; readonly nextCount: number }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Says that there is nothing, and what would be there. */
  | { readonly kind: 'nothing'; readonly text: string };

/** What a folder says of its list. */
export interface ListSummary {
  readonly matching: number;
  readonly total: number;
  /** As it was typed; undefined: none. */
  readonly filter: string | undefined;
  readonly sort: SortOrder;
  /** How many of all, filtered or not, are in trouble. */
  readonly troubled: number;
}

/**
 * A row's place in the tree. The editor knows rows by identity, so a place stays the same object while
 * what stands in it is replaced.
 */
export interface TreeCell {
  readonly id: string;
  readonly parent: TreeCell | undefined;
  node: Node;
  /** The children last shown; undefined: never asked for. */
  children: readonly TreeCell[] | undefined;
}

/** A part of an id: names may hold a slash. */
export function idPart(name: string): string {
  return encodeURIComponent(name);
}
