import type { ApiName } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Feature } from '../controller/features.ts';

/** Versions of an API that the other server has, both inclusive. */
export type VersionRange = readonly [min: number, max: number];

/** What a server allows of topics' configs; the error is for what it does not. */
export interface TopicConfigPolicy {
  readonly error: ErrorName;
  /** Configs that a topic may be made with and given later. */
  readonly settable: readonly string[];
  /** Others are taken without a word and change nothing, rather than refused. */
  readonly ignoresOthers?: boolean;
  /** Configs that a topic may be made with only. */
  readonly atCreation?: readonly string[];
  /** The largest and the smallest values. */
  readonly maxima?: Readonly<Record<string, number>>;
  readonly minima?: Readonly<Record<string, number>>;
}

/** Replication factors that a server takes. Ours has the replicas that there are brokers for. */
export interface ReplicationPolicy {
  readonly error: ErrorName;
  readonly accepted: readonly number[];
}

/**
 * How another server differs from Apache Kafka 4.4, as data: one file each. What is not said is as ours.
 * `docs/emulation.md` says where each line comes from.
 */
export interface Emulation {
  /** As clients are told in words. */
  readonly server: string;
  /** APIs that it has in other versions. What we do not have of them is not served either. */
  readonly versions?: Readonly<Partial<Record<ApiName, VersionRange>>>;
  /** APIs that it does not have: not advertised, and the connection ends where one is asked. */
  readonly absent?: readonly ApiName[];
  /** APIs that it has and answers with an error only. */
  readonly refused?: Readonly<Partial<Record<ApiName, ErrorName>>>;
  /** The features that it can have, and the levels that a new cluster gets. */
  readonly features?: readonly Feature[];
  readonly levels?: Readonly<Record<string, number>>;
  /** Defaults of broker configs. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** What it answers who changes a broker's configs. */
  readonly brokerConfigs?: ErrorName;
  readonly topicConfigs?: TopicConfigPolicy;
  readonly replication?: ReplicationPolicy;
}
