/** A feature of Kafka's that a cluster can have at a level. [FeatureVersion] */
export interface Feature {
  readonly name: string;
  /** The levels that this software can run at, both inclusive. */
  readonly min: number;
  readonly max: number;
}

/** What there is here of Kafka 4.4's features; a new cluster starts at the highest level of each. */
export const features: readonly Feature[] = [
  { name: 'metadata.version', min: 7, max: 33 },
  { name: 'group.version', min: 0, max: 1 },
  { name: 'transaction.version', min: 0, max: 2 },
];
