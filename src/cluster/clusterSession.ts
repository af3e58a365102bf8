import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { KafkaClient } from '../client/kafkaClient.ts';
import type {
  BrokerInfo,
  ClusterProfile,
  CommittedOffset,
  ConnectionState,
  GroupSummary,
  GroupView,
  PartitionRow,
  TopicSummary,
} from './model.ts';

/** What a new topic is to be. */
export interface NewTopic {
  readonly name: string;
  /** -1: the broker's default. */
  readonly partitionCount: number;
  /** -1: the broker's default. */
  readonly replicationFactor: number;
  readonly configs?: Readonly<Record<string, string>>;
}

/** One connected cluster. Every call connects first if need be; failures are turned into words by `toProblem`. */
export class ClusterSession implements Disposable {
  readonly profile: ClusterProfile;
  readonly #stateEmitter = new Emitter<ConnectionState>();
  readonly onDidChangeState = this.#stateEmitter.event;
  #state: ConnectionState = { kind: 'stopped' };

  constructor(profile: ClusterProfile) {
    this.profile = profile;
  }

  get state(): ConnectionState {
    return this.#state;
  }

  /** The client beneath, for what the session has no method for. Throws where there is no connection. */
  get client(): KafkaClient {
    throw new Error('not there yet');
  }

  /** Connects, or answers at once when connected. Rejects with the reason, which `state` then also holds. */
  connect(_signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Closes every connection; the state becomes `stopped`. */
  disconnect(): void {
    this.#state = { kind: 'stopped' };
    this.#stateEmitter.fire(this.#state);
  }

  brokers(_signal?: AbortSignal): Promise<BrokerInfo[]> {
    return Promise.reject(new Error('not there yet'));
  }

  topics(_signal?: AbortSignal): Promise<TopicSummary[]> {
    return Promise.reject(new Error('not there yet'));
  }

  /** One row a partition; what could not be read of one is a problem in its row. */
  partitions(_topic: string, _signal?: AbortSignal): Promise<PartitionRow[]> {
    return Promise.reject(new Error('not there yet'));
  }

  groups(_signal?: AbortSignal): Promise<GroupSummary[]> {
    return Promise.reject(new Error('not there yet'));
  }

  group(_groupId: string, _signal?: AbortSignal): Promise<GroupView> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Every group's committed offset and lag on each partition of a topic; cheap to call for each row. */
  committedOn(_topic: string, _signal?: AbortSignal): Promise<CommittedOffset[]> {
    return Promise.reject(new Error('not there yet'));
  }

  createTopic(_topic: NewTopic, _signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Deletes topics; rejects with the first refusal after trying all. */
  deleteTopics(_names: readonly string[], _signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Grows a topic to `partitionCount` partitions in all. */
  addPartitions(_topic: string, _partitionCount: number, _signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  deleteGroup(_groupId: string, _signal?: AbortSignal): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  dispose(): void {
    this.disconnect();
    this.#stateEmitter.dispose();
  }
}
