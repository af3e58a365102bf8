import type { Uuid } from '../../base/uuid.ts';
import type { MetadataRecord } from '../../protocol/records/metadataRecordCodec.ts';
import { entityKey, normalEntity, type QuotaEntry } from '../quotas/quotaEntities.ts';
import { AclStore } from '../security/authorizer/aclStore.ts';
import type { ScramCredential, ScramMechanism } from '../security/scramMechanisms.ts';
import { ScramCredentials } from './scramCredentials.ts';

export interface PartitionImage {
  readonly partition: number;
  /** -1: no leader. */
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly partitionEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}

export interface TopicImage {
  readonly name: string;
  readonly topicId: Uuid;
  /** By partition number. */
  readonly partitions: readonly PartitionImage[];
  /** What was set for the topic itself. */
  readonly configs: ReadonlyMap<string, string>;
}

/** Kafka's numbers for what a config belongs to. [ConfigResource.Type] */
export const resourceTypes = {
  topic: 2,
  broker: 4,
  brokerLogger: 8,
  clientMetrics: 16,
  group: 32,
} as const;

const noConfigs: ReadonlyMap<string, string> = new Map();
const noResources: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map();

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
interface MutableTopic extends Mutable<Omit<TopicImage, 'partitions' | 'configs'>> {
  readonly partitions: PartitionImage[];
  readonly configs: Map<string, string>;
}

/** The cluster's metadata, as far as the log has been replayed. Only `replay` changes it. */
export class MetadataImage {
  readonly #byName = new Map<string, MutableTopic>();
  readonly #byId = new Map<Uuid, MutableTopic>();
  /** Sorted when first asked for after topics have come or gone. */
  #sortedNames: readonly string[] | undefined;
  readonly #features = new Map<string, number>();
  readonly scram = new ScramCredentials();
  readonly acls = new AclStore();
  /** Of what is no topic, by type and name. */
  readonly #configs = new Map<number, Map<string, Map<string, string>>>();
  readonly #configVersions = new Map<number, number>();
  readonly #quotas = new Map<string, QuotaEntry & { readonly values: Map<string, number> }>();
  #quotaVersion = 0;
  #nextProducerId = 0n;
  #offset = -1n;

  /** Offset of the last record replayed; -1 before the first. */
  get offset(): bigint {
    return this.#offset;
  }

  get topics(): ReadonlyMap<string, TopicImage> {
    return this.#byName;
  }

  /** In order, for answers that come in pages. */
  get topicNames(): readonly string[] {
    return (this.#sortedNames ??= [...this.#byName.keys()].sort());
  }

  /** What clients may use, by the key of whom it is set for. */
  get quotas(): ReadonlyMap<string, QuotaEntry> {
    return this.#quotas;
  }

  /** Grows with every change of a quota. */
  get quotaVersion(): number {
    return this.#quotaVersion;
  }

  /** Levels of the features that the cluster has. */
  get features(): ReadonlyMap<string, number> {
    return this.#features;
  }

  /** The first producer id that no broker has been given. */
  get nextProducerId(): bigint {
    return this.#nextProducerId;
  }

  scramCredential(user: string, mechanism: ScramMechanism): ScramCredential | undefined {
    return this.scram.of(user)?.get(mechanism);
  }

  /** What was set for a resource that is no topic. The empty name stands for all of its kind. */
  configsOf(resourceType: number, resourceName: string): ReadonlyMap<string, string> {
    return this.#configs.get(resourceType)?.get(resourceName) ?? noConfigs;
  }

  /** Resources of a type, topics apart, for which something is set, with what that is. */
  configured(resourceType: number): ReadonlyMap<string, ReadonlyMap<string, string>> {
    return this.#configs.get(resourceType) ?? noResources;
  }

  /** Grows with every change of a config of that type; topics' are not counted. */
  configVersion(resourceType: number): number {
    return this.#configVersions.get(resourceType) ?? 0;
  }

  topic(name: string): TopicImage | undefined {
    return this.#byName.get(name);
  }

  topicById(id: Uuid): TopicImage | undefined {
    return this.#byId.get(id);
  }

  replay(record: MetadataRecord, offset: bigint): void {
    this.#offset = offset;
    switch (record.kind) {
      case 'topic': {
        const { name, topicId } = record.message;
        const topic: MutableTopic = { name, topicId, partitions: [], configs: new Map() };
        this.#byName.set(name, topic);
        this.#byId.set(topicId, topic);
        this.#sortedNames = undefined;
        break;
      }
      case 'partition':
        this.#replayPartition(record.message);
        break;
      case 'partitionChange':
        this.#replayPartitionChange(record.message);
        break;
      case 'config':
        this.#replayConfig(record.message);
        break;
      case 'removeTopic': {
        const topic = this.#byId.get(record.message.topicId);
        if (topic) this.#byName.delete(topic.name);
        this.#byId.delete(record.message.topicId);
        this.#sortedNames = undefined;
        break;
      }
      case 'producerIds':
        this.#nextProducerId = record.message.nextProducerId;
        break;
      case 'featureLevel':
        this.#replayFeature(record.message);
        break;
      case 'clientQuota':
        this.#replayQuota(record.message);
        break;
      case 'userScramCredential':
        this.scram.set(record.message);
        break;
      case 'removeUserScramCredential':
        this.scram.remove(record.message.name, record.message.mechanism);
        break;
      case 'accessControlEntry': {
        const { id, ...acl } = record.message;
        this.acls.add(id, acl);
        break;
      }
      case 'removeAccessControlEntry':
        this.acls.remove(record.message.id);
        break;
      case 'registerBroker':
        this.#replayRegistration(record.message.brokerId);
        break;
    }
  }

  #replayPartition(message: (MetadataRecord & { kind: 'partition' })['message']): void {
    const { topicId, partitionId: partition, leader, leaderEpoch, partitionEpoch } = message;
    const topic = this.#byId.get(topicId);
    if (!topic) return;
    const { replicas, isr } = message;
    topic.partitions[partition] = {
      partition,
      leader,
      leaderEpoch,
      partitionEpoch,
      replicas,
      isr,
    };
  }

  /** A new leader starts a new epoch; any change is a new partition epoch. [PartitionRegistration.merge] */
  #replayPartitionChange(change: (MetadataRecord & { kind: 'partitionChange' })['message']): void {
    const topic = this.#byId.get(change.topicId);
    const before = topic?.partitions[change.partitionId];
    if (!topic || !before) return;
    const noChange = -2;
    const hasNewLeader = change.leader !== noChange;
    topic.partitions[change.partitionId] = {
      ...before,
      leader: hasNewLeader ? change.leader : before.leader,
      leaderEpoch: before.leaderEpoch + (hasNewLeader ? 1 : 0),
      partitionEpoch: before.partitionEpoch + 1,
      replicas: change.replicas ?? before.replicas,
      isr: change.isr ?? before.isr,
    };
  }

  /**
   * A broker that comes back leads again. Kafka writes it down for each partition, as a change to no leader and
   * one to the broker; the registration stands for both, so that starting costs one record. [decision 7]
   */
  #replayRegistration(brokerId: number): void {
    for (const { partitions } of this.#byName.values()) {
      partitions.forEach((before, index) => {
        if (before.leader !== brokerId) return;
        const { leaderEpoch, partitionEpoch } = before;
        const epochs = { leaderEpoch: leaderEpoch + 2, partitionEpoch: partitionEpoch + 2 };
        partitions[index] = { ...before, ...epochs };
      });
    }
  }

  #replayConfig(message: (MetadataRecord & { kind: 'config' })['message']): void {
    const configs = this.#changedConfigs(message.resourceType, message.resourceName);
    if (message.value === null) configs?.delete(message.name);
    else configs?.set(message.name, message.value);
    const { resourceType: type, resourceName } = message;
    this.#configVersions.set(type, this.configVersion(type) + 1);
    if (configs?.size === 0) this.#configs.get(type)?.delete(resourceName);
  }

  #replayQuota(message: (MetadataRecord & { kind: 'clientQuota' })['message']): void {
    const { entity, key, value, remove } = message;
    const id = entityKey(entity);
    this.#quotaVersion++;
    const entry = this.#quotas.get(id) ?? { entity: normalEntity(entity), values: new Map() };
    if (remove) entry.values.delete(key);
    else entry.values.set(key, value);
    if (entry.values.size > 0) this.#quotas.set(id, entry);
    else this.#quotas.delete(id);
  }

  /** A feature that is taken away from the cluster is none of its features. [FeaturesDelta] */
  #replayFeature({ name, featureLevel }: { name: string; featureLevel: number }): void {
    if (featureLevel > 0) this.#features.set(name, featureLevel);
    else this.#features.delete(name);
  }

  #changedConfigs(type: number, name: string): Map<string, string> | undefined {
    if (type === resourceTypes.topic) return this.#byName.get(name)?.configs;
    const ofType = this.#configs.get(type) ?? new Map<string, Map<string, string>>();
    this.#configs.set(type, ofType);
    const configs = ofType.get(name) ?? new Map<string, string>();
    ofType.set(name, configs);
    return configs;
  }
}
