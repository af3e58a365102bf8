import { authorizerConfigs, pluginConfigs } from './authorizerConfigs.ts';
import { cleanerProblem, segmentTimesProblem } from './brokerRules.ts';
import { coarserConfigs, inMilliseconds } from './coarserConfigs.ts';
import { booleanOf, numberOf } from './configText.ts';
import { type ConfigTable, configProblem } from './configType.ts';
import { consumerGroupConfigs } from './groupConfigs.ts';
import { internalConfigs } from './internalConfigs.ts';
import { connectionConfigs } from './connectionConfigs.ts';
import { withoutListenerAndMechanism } from './listenerPrefix.ts';
import { quickstartConfigs } from './quickstartConfigs.ts';
import { securityConfigs } from './securityConfigs.ts';
import { shareStateConfigs } from './shareStateConfigs.ts';
import { startProblem } from './startRules.ts';
import { brokerSynonyms, topicConfigNames, topicConfigs } from './topicConfigs.ts';
import { isUnused, unusedConfig } from './unusedConfigs.ts';

/** The configs of a broker that are its own; those that only give topics their defaults are added below. */
const ownConfigs = {
  'add.partitions.to.txn.retry.backoff.max.ms': {
    type: 'int',
    default: '100',
    min: 0,
    documentation:
      'For how long a batch of a transaction waits in the broker for the transaction before to be complete.',
  },
  'add.partitions.to.txn.retry.backoff.ms': {
    type: 'int',
    default: '20',
    min: 1,
    documentation:
      'How often a batch of a transaction asks whether the transaction before is complete.',
  },
  'auto.create.topics.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether asking for an unknown topic creates it, where the client allows that.',
  },
  'connections.max.idle.ms': {
    type: 'long',
    default: '600000',
    documentation: 'After how long without a request a connection is closed.',
  },
  'cordoned.log.dirs': {
    type: 'list',
    default: '',
    documentation:
      'Log directories that get no new partitions: * or, as a broker has one, that one.',
  },
  'default.replication.factor': {
    type: 'int',
    default: '1',
    documentation: 'Replicas of a topic that does not say how many.',
  },
  'delete.topic.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether topics can be deleted.',
  },
  'fetch.max.bytes': {
    type: 'int',
    default: '57671680',
    min: 1024,
    documentation: 'The most that one fetch gives, whatever the client asks for.',
  },
  ...consumerGroupConfigs,
  ...internalConfigs,
  'group.initial.rebalance.delay.ms': {
    type: 'int',
    default: '3000',
    documentation:
      'How long an empty group waits for more members before its first rebalance. A broker starts with 0, as in the quickstart of Kafka.',
  },
  'group.max.session.timeout.ms': {
    type: 'int',
    default: '1800000',
    documentation: 'The longest session timeout that a group member may ask for.',
  },
  'group.max.size': {
    type: 'int',
    default: '2147483647',
    min: 1,
    documentation: 'The most members that a group may have.',
  },
  'group.min.session.timeout.ms': {
    type: 'int',
    default: '6000',
    documentation: 'The shortest session timeout that a group member may ask for.',
  },
  'log.cleaner.backoff.ms': {
    type: 'long',
    default: '15000',
    min: 0,
    documentation: 'How long compaction rests when no log is dirty enough.',
  },
  'log.cleaner.dedupe.buffer.size': {
    type: 'long',
    default: '134217728',
    documentation:
      'The most memory that compaction takes to remember the latest offset of each key.',
  },
  'log.cleaner.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether compaction runs; without it, compacted topics keep everything.',
  },
  'log.retention.check.interval.ms': {
    type: 'long',
    default: '300000',
    min: 1,
    documentation: 'How often it is checked whether segments can be deleted.',
  },
  'max.incremental.fetch.session.cache.slots': {
    type: 'int',
    default: '1000',
    min: 0,
    documentation: 'The most fetch sessions that are kept at the same time.',
  },
  'num.partitions': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'Partitions of a topic that does not say how many.',
  },
  'offset.metadata.max.bytes': {
    type: 'int',
    default: '4096',
    documentation: 'The longest text that may be committed with an offset.',
  },
  'offsets.commit.timeout.ms': {
    type: 'int',
    default: '5000',
    min: 1,
    documentation: 'How long an answer waits for the offsets that it is about to be written.',
  },
  'offsets.retention.check.interval.ms': {
    type: 'long',
    default: '600000',
    min: 1,
    documentation: 'How often it is checked whether committed offsets have expired.',
  },
  'offsets.retention.minutes': {
    type: 'int',
    default: '10080',
    min: 1,
    documentation: 'How long the offsets of a group without members are kept.',
  },
  'offsets.topic.num.partitions': {
    type: 'int',
    default: '50',
    min: 1,
    documentation: 'Partitions of __consumer_offsets when it is made.',
  },
  'offsets.topic.replication.factor': {
    type: 'short',
    default: '3',
    min: 1,
    documentation:
      'Replicas of __consumer_offsets when it is made. A broker starts with 1, as in the quickstart of Kafka.',
  },
  'offsets.topic.segment.bytes': {
    type: 'int',
    default: '104857600',
    min: 1,
    documentation: 'Segment size of __consumer_offsets when it is made.',
  },
  'producer.id.expiration.ms': {
    type: 'int',
    default: '86400000',
    min: 1,
    documentation: 'How long an idle idempotent producer is remembered.',
  },
  'queued.max.request.bytes': {
    type: 'long',
    default: '-1',
    documentation:
      'Memory for requests that come in and are served; -1: 64 MiB. Beyond it connections are read one at a time.',
  },
  'socket.request.max.bytes': {
    type: 'int',
    default: '104857600',
    min: 1,
    documentation: 'The largest request; a larger one closes its connection.',
  },
  'telemetry.max.bytes': {
    type: 'int',
    default: '1048576',
    min: 1,
    documentation: 'The most metrics that a client may push at once.',
  },
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': {
    type: 'int',
    default: '10000',
    min: 1,
    documentation: 'How often transactions are aborted that have been open for too long.',
  },
  'transaction.max.timeout.ms': {
    type: 'int',
    default: '900000',
    min: 1,
    documentation: 'The longest timeout that a producer may ask for its transactions.',
  },
  'transaction.partition.verification.enable': {
    type: 'boolean',
    default: 'true',
    documentation:
      'Whether the coordinator is asked if a partition is part of a transaction before it is written to.',
  },
  'transaction.remove.expired.transaction.cleanup.interval.ms': {
    type: 'int',
    default: '3600000',
    min: 1,
    documentation: 'How often transactional ids are removed that nobody uses any more.',
  },
  'transaction.state.log.min.isr': {
    type: 'int',
    default: '2',
    min: 1,
    documentation:
      'Replicas of __transaction_state that have to have what is written to it. A broker starts with 1, as in the quickstart of Kafka.',
  },
  'transaction.state.log.num.partitions': {
    type: 'int',
    default: '50',
    min: 1,
    documentation: 'Partitions of __transaction_state when it is made.',
  },
  'transaction.state.log.replication.factor': {
    type: 'short',
    default: '3',
    min: 1,
    documentation:
      'Replicas of __transaction_state when it is made. A broker starts with 1, as in the quickstart of Kafka.',
  },
  'transaction.state.log.segment.bytes': {
    type: 'int',
    default: '104857600',
    min: 1,
    documentation: 'Segment size of __transaction_state when it is made.',
  },
  'transactional.id.expiration.ms': {
    type: 'int',
    default: '604800000',
    min: 1,
    documentation: 'How long a transactional id is remembered that nobody uses.',
  },
} as const satisfies ConfigTable;

type OwnConfigName =
  | keyof typeof ownConfigs
  | keyof typeof connectionConfigs
  | keyof typeof securityConfigs
  | keyof typeof shareStateConfigs
  | keyof typeof authorizerConfigs
  | keyof typeof pluginConfigs;

/** Of these Kafka has a default in hours or of another config only. [ServerLogConfigs, LogConfig] */
const unsetByDefault: ReadonlySet<string> = new Set([
  'log.flush.interval.ms',
  'log.retention.ms',
  'log.roll.jitter.ms',
  'log.roll.ms',
]);

/** Where a broker may have less than a topic; what it goes by is looked at by itself. [LogConfig.SERVER_CONFIG_DEF] */
const ofBrokersAlone: Readonly<Record<string, { min: number }>> = {
  'log.flush.interval.ms': { min: Number.NEGATIVE_INFINITY },
  'log.retention.ms': { min: Number.NEGATIVE_INFINITY },
  'log.roll.jitter.ms': { min: Number.NEGATIVE_INFINITY },
  'log.roll.ms': { min: Number.NEGATIVE_INFINITY },
};

/** Every config that a broker goes by, by name; those in larger units are beside them. */
export const brokerConfigs: ConfigTable = {
  ...Object.fromEntries(
    topicConfigNames.flatMap((name) => {
      const synonym = brokerSynonyms[name];
      if (synonym === undefined) return [];
      const definition = { ...topicConfigs[name], ...ofBrokersAlone[synonym] };
      return [
        [synonym, unsetByDefault.has(synonym) ? { ...definition, default: null } : definition],
      ];
    }),
  ),
  ...ownConfigs,
  ...connectionConfigs,
  ...securityConfigs,
  ...shareStateConfigs,
  ...authorizerConfigs,
  ...pluginConfigs,
};

/** What the metadata has set for a broker, and for all brokers. */
export interface DynamicConfigs {
  readonly broker: ReadonlyMap<string, string>;
  readonly cluster: ReadonlyMap<string, string>;
}

const nothingDynamic: DynamicConfigs = { broker: new Map(), cluster: new Map() };

/** A broker config was given a name or a value that it cannot have; the message says which. */
export class BrokerConfigError extends Error {
  override name = 'BrokerConfigError';
}

interface BrokerConfigOptions {
  readonly dynamic?: () => DynamicConfigs;
  /** Of another server. */
  readonly defaults?: Readonly<Record<string, string>> | undefined;
  /** What the broker has been given by who starts it, where its user says nothing else. */
  readonly presets?: Readonly<Record<string, string>>;
}

/** The settings of a broker: what the metadata says now, over what it was started with, over the defaults. */
export class BrokerConfig {
  /** As it was given. */
  readonly #given: ReadonlyMap<string, string>;
  readonly #values: ReadonlyMap<string, string>;
  readonly #presets: Readonly<Record<string, string>>;
  readonly #defaults: Readonly<Record<string, string>>;
  /** What has been set while the cluster runs. */
  readonly dynamic: () => DynamicConfigs;

  /** Throws a BrokerConfigError for an unknown name or a value that the config cannot have. */
  constructor(
    values: Readonly<Record<string, string>> = {},
    { dynamic = () => nothingDynamic, defaults = {}, presets = {} }: BrokerConfigOptions = {},
  ) {
    for (const [name, value] of Object.entries(values)) {
      const known = withoutListenerAndMechanism(name) ?? name;
      const definition = Object.hasOwn(brokerConfigs, known)
        ? brokerConfigs[known]
        : (coarserConfigs.get(name) ?? unusedConfig(known));
      if (!definition) throw new BrokerConfigError(`there is no broker config ${name}`);
      const problem = configProblem(name, definition, value);
      if (problem) throw new BrokerConfigError(problem);
    }
    this.#given = new Map(Object.entries(values));
    this.#values = inMilliseconds(this.#given);
    this.#presets = { ...quickstartConfigs, ...presets };
    this.#defaults = defaults;
    this.dynamic = dynamic;
    const text = (name: string): string | null => this.static(name) ?? this.default(name);
    const problem = segmentTimesProblem(text) ?? cleanerProblem(text) ?? startProblem(text);
    if (problem) throw new BrokerConfigError(problem);
  }

  /** The same, as a broker sees it that has been given `presets`, and for which more is set in the metadata. */
  withDynamic(dynamic: () => DynamicConfigs, presets = this.#presets): BrokerConfig {
    const defaults = this.#defaults;
    return new BrokerConfig(Object.fromEntries(this.#given), { dynamic, defaults, presets });
  }

  /** What holds since the start, times in milliseconds. */
  static(name: string): string | undefined {
    return this.#values.get(name) ?? this.#preset(name);
  }

  /** What was set at the start by this very name. */
  given(name: string): string | undefined {
    return this.#given.get(name) ?? this.#preset(name);
  }

  /** All that was set by name, at the start or since. */
  givenNames(): ReadonlySet<string> {
    const { broker, cluster } = this.dynamic();
    return new Set([...this.#given.keys(), ...cluster.keys(), ...broker.keys()]);
  }

  #preset(name: string): string | undefined {
    return Object.hasOwn(this.#defaults, name) ? undefined : ownText(this.#presets, name);
  }

  /** What was set at the start, is one of Kafka's, and changes nothing here. */
  unusedNames(): string[] {
    return [...this.#values.keys()].filter(isUnused);
  }

  /** What was set, without the defaults. */
  explicit(name: string): string | undefined {
    const { broker, cluster } = this.dynamic();
    return broker.get(name) ?? cluster.get(name) ?? this.static(name);
  }

  /** The default that another server has, where this one behaves as that. */
  emulatedDefault(name: string): string | undefined {
    return ownText(this.#defaults, name);
  }

  /** What holds where nothing was set; null: nothing. */
  default(name: string): string | null {
    const definition = Object.hasOwn(brokerConfigs, name)
      ? brokerConfigs[name]
      : (coarserConfigs.get(name) ?? unusedConfig(name));
    return this.emulatedDefault(name) ?? definition?.default ?? null;
  }

  text(name: string): string | null {
    return this.explicit(name) ?? this.default(name);
  }

  number(name: OwnConfigName): number {
    return numberOf(this.text(name) ?? '');
  }

  boolean(name: OwnConfigName): boolean {
    return booleanOf(this.text(name) ?? '') === true;
  }
}

/** Names come from clients: `constructor` is one that any object has. */
const ownText = (texts: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;
