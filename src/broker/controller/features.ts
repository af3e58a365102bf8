/** A feature of Kafka's that a cluster can have at a level. [FeatureVersion] */
export interface Feature {
  readonly name: string;
  /** The levels that this software can run at, both inclusive. */
  readonly min: number;
  readonly max: number;
}

/** With it min.insync.replicas is one for all brokers, or a topic's own: the controller goes by it. [KIP-966] */
const eligibleReplicas = 'eligible.leader.replicas.version';

/** Whether min.insync.replicas is a default of the cluster that stays. [FeatureControlManager.isElrFeatureEnabled] */
export function hasEligibleReplicas(levels: ReadonlyMap<string, number>): boolean {
  return (levels.get(eligibleReplicas) ?? 0) > 0;
}

/** What there is here of Kafka 4.4's features; a new cluster starts at the highest level of each. */
export const features: readonly Feature[] = [
  { name: 'metadata.version', min: 7, max: 33 },
  { name: eligibleReplicas, min: 0, max: 1 },
  { name: 'group.version', min: 0, max: 1 },
  { name: 'transaction.version', min: 0, max: 2 },
];

/**
 * Those that are not here: their level is 0, and stays so. With the level that Kafka gives them in a new cluster: from
 * there 0 is a way down. [KRaftVersion, ShareVersion, StreamsVersion]
 */
export const absentFeatures: ReadonlyMap<string, number> = new Map([
  ['kraft.version', 0],
  ['share.version', 2],
  ['streams.version', 1],
]);

/** What a new cluster has. */
export const newClusterLevels: ReadonlyMap<string, number> = new Map(
  features.map(({ name, max }) => [name, max]),
);
