import type { EmbeddedState } from '../../cluster/embeddedCluster.ts';
import type {
  BrokerInfo,
  ClusterProfile,
  CommittedOffset,
  ConnectionState,
  GroupMember,
  GroupSummary,
  GroupView,
  PartitionRow,
  Problem,
  TopicSummary,
} from '../../cluster/model.ts';

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
  | { readonly kind: 'brokers' | 'topics' | 'groups'; readonly count: number | undefined }
  | { readonly kind: 'broker'; readonly broker: BrokerInfo }
  | {
      readonly kind: 'topic';
      readonly topic: TopicSummary;
      /** Offsets between log start and end, over all partitions; undefined: not known. */
      readonly recordCount: bigint | undefined;
    }
  | { readonly kind: 'partition'; readonly row: PartitionRow }
  /** A group's commit, under a partition. */
  | { readonly kind: 'commit'; readonly commit: CommittedOffset }
  | {
      readonly kind: 'group';
      readonly group: GroupSummary;
      readonly view: GroupView | undefined;
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
  | { readonly kind: 'groupPartition'; readonly commit: CommittedOffset }
  | { readonly kind: 'problem'; readonly problem: Problem }
  /** Says that there is nothing, and what would be there. */
  | { readonly kind: 'nothing'; readonly text: string };

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
