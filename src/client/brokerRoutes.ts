import { errorCodes } from '../protocol/errors.ts';
import { type Address, formatAddress } from './address.ts';
import type { Connection } from './connection.ts';
import type { ConnectionPool } from './connectionPool.ts';
import { firstReachable, type Way } from './firstReachable.ts';
import { ConnectionError, isBrokerDown, KafkaError } from './kafkaError.ts';
import type { TopicMetadata } from './metadata.ts';
import type { MetadataCache } from './metadataCache.ts';
import type { CallOptions, Target } from './request.ts';
import type { Deadline } from './waiting.ts';

export interface BrokerRoutesOptions {
  readonly pool: ConnectionPool;
  readonly metadata: MetadataCache;
  readonly bootstrap: readonly Address[];
  readonly deadline: (call: CallOptions) => Deadline;
  readonly coordinator: (group: string, call: CallOptions) => Promise<number>;
  readonly topic: (name: string, call: CallOptions) => Promise<TopicMetadata>;
}

type Leader = Extract<Target, { leader: unknown }>['leader'];

/** The way to the broker that a request is for. */
export class BrokerRoutes {
  readonly #options: BrokerRoutesOptions;
  /** The broker that did not answer in time: any other is asked before it. */
  #lateAddress: string | undefined;

  constructor(options: BrokerRoutesOptions) {
    this.#options = options;
  }

  async connectionTo(target: Target, lane: string, call: CallOptions): Promise<Connection> {
    const { pool, metadata, deadline } = this.#options;
    const way = { lane, deadline: deadline(call), signal: call.signal };
    if (target === 'any') return firstReachable(pool, this.#anyAddresses, way);
    if (typeof target === 'object' && 'leader' in target) {
      return this.#connectionToLeader(target.leader, way, call);
    }
    const broker = await metadata.broker(await this.#nodeOf(target, call), call);
    return firstReachable(pool, [broker], way);
  }

  /** A broker has not answered in time. */
  noteLate(address: string): void {
    this.#lateAddress = address;
  }

  get #anyAddresses(): readonly Address[] {
    const { metadata, bootstrap } = this.#options;
    const isLate = (address: Address): number =>
      Number(formatAddress(address) === this.#lateAddress);
    return [...metadata.brokers, ...bootstrap].sort((a, b) => isLate(a) - isLate(b));
  }

  async #nodeOf(
    target: number | 'controller' | { readonly coordinator: string },
    call: CallOptions,
  ): Promise<number> {
    if (typeof target === 'number') return target;
    const { metadata, coordinator } = this.#options;
    if (target === 'controller') return metadata.controller(call);
    return coordinator(target.coordinator, call);
  }

  /** A leader that is down is replaced within seconds where others are up: that is waited for. */
  async #connectionToLeader(leader: Leader, way: Way, call: CallOptions): Promise<Connection> {
    const { pool, metadata } = this.#options;
    const node = await this.#leaderOf(leader, call);
    try {
      return await firstReachable(pool, [await metadata.broker(node, call)], way);
    } catch (error) {
      const isDown = error instanceof ConnectionError || isBrokerDown(error);
      const areOthersUp = metadata.brokers.some(({ id }) => id !== node);
      if (!isDown || !areOthersUp) throw error;
      throw new KafkaError(errorCodes.LEADER_NOT_AVAILABLE, {
        ...{ api: 'metadata', ...leader, detail: (error as Error).message },
      });
    }
  }

  async #leaderOf({ topic, partition }: Leader, call: CallOptions): Promise<number> {
    const { partitions } = await this.#options.topic(topic, call);
    const found = partitions.find((candidate) => candidate.partition === partition);
    const context = { api: 'metadata', topic, partition } as const;
    if (!found) throw new KafkaError(errorCodes.UNKNOWN_TOPIC_OR_PARTITION, context);
    if (found.leader < 0) throw new KafkaError(errorCodes.LEADER_NOT_AVAILABLE, context);
    return found.leader;
  }
}
