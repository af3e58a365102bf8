import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Random } from '../../base/random.ts';
import { inTurns, isSteps, mapInSteps, type Steps } from '../../base/turns.ts';
import type { Uuid } from '../../base/uuid.ts';
import {
  decodeMetadataRecord,
  encodeMetadataRecord,
  type MetadataRecord,
  type MetadataRecordKind,
  type metadataRecordTypes,
} from '../../protocol/records/metadataRecordCodec.ts';
import { batches } from '../../protocol/records/recordBatch.ts';
import { RecordBatchBuilder } from '../../protocol/records/recordBatchBuilder.ts';
import { readRecords } from '../../protocol/records/recordReader.ts';
import type { MessageInput } from '../../protocol/schema.ts';
import type { FileSystem } from '../../storage/fileSystem.ts';
import { defaultLogConfig } from '../../storage/logConfig.ts';
import { LogManager } from '../../storage/logManager.ts';
import type { PartitionLog } from '../../storage/partitionLog.ts';
import { metadataTopic } from './topicNames.ts';
import { MetadataImage, type TopicImage } from './metadataImage.ts';

/** The controller's own node id: it is a node of its own, apart from the brokers. */
export const controllerNodeId = 3000;

/** Kafka's fixed id of the metadata topic. [Uuid.METADATA_TOPIC_ID] */
const metadataTopicId = 'AAAAAAAAAAAAAAAAAAAAAQ';
const readBytes = 1 << 20;

/** A change of the metadata that is not yet written. Made by `metadataRecord`. */
export interface NewMetadataRecord {
  readonly value: Buffer;
  /** The topic that it makes, changes or removes. */
  readonly topic?: string;
  /** It changes what brokers go by. */
  readonly isBrokerConfig?: true;
}

export function metadataRecord<K extends MetadataRecordKind>(
  kind: K,
  message: MessageInput<(typeof metadataRecordTypes)[K]['schema']>,
  options: { topic?: string; version?: number } = {},
): NewMetadataRecord {
  const value = encodeMetadataRecord(kind, options.version ?? 0, message);
  return options.topic === undefined ? { value } : { value, topic: options.topic };
}

/** What a request comes to: records to be written, and what to answer once they are. */
export interface MetadataDecision<T> {
  readonly records: readonly NewMetadataRecord[];
  readonly result: T;
}

type Decide<T> = (image: MetadataImage) => MetadataDecision<T> | Steps<MetadataDecision<T>>;

/** A topic before and after a change; undefined where it was not there. */
export interface TopicChange {
  readonly name: string;
  readonly before: TopicImage | undefined;
  readonly after: TopicImage | undefined;
}

export interface MetadataChanges {
  readonly topics: readonly TopicChange[];
  readonly hasBrokerConfigs: boolean;
}

export interface ControllerOptions {
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly directory: string;
  readonly clusterId: Uuid;
  /** What stands first in the log of a new cluster. */
  readonly bootstrap: readonly NewMetadataRecord[];
  /** Makes a change true on the brokers; awaited before the change is answered. */
  readonly apply: (changes: MetadataChanges) => Promise<void>;
}

/**
 * The one place that changes metadata: a serial loop of decide, append, replay, apply. Its log has Kafka's
 * metadata record formats. There is no raft: this is the only voter. [QuorumController]
 */
export class Controller {
  readonly image = new MetadataImage();
  readonly #options: ControllerOptions;
  readonly #logs: LogManager;
  readonly #log: PartitionLog;
  #epoch = 0;
  #tail: Promise<unknown> = Promise.resolve();

  /** Opens the metadata log and replays it. Rejects with a StorageError where it cannot be read. */
  static async open(options: ControllerOptions): Promise<Controller> {
    const { fileSystem, clock, random, logger, directory, clusterId } = options;
    const config = {
      ...defaultLogConfig,
      retentionMs: -1,
      retentionBytes: -1,
      maxMessageBytes: 2 ** 31 - 1,
    };
    const logs = await LogManager.open({
      fileSystem,
      clock,
      random,
      logger,
      directory,
      nodeId: controllerNodeId,
      clusterId,
      defaultConfig: config,
      configOf: () => config,
    });
    const log =
      logs.get(metadataTopic, 0) ??
      (await logs.create({
        topic: metadataTopic,
        partition: 0,
        topicId: metadataTopicId,
        config,
      }));
    logs.startMaintenance();
    const controller = new Controller(options, logs, log);
    await controller.#replayAll();
    const { bootstrap: records } = options;
    if (controller.image.offset < 0n)
      await controller.change(() => ({ records, result: undefined }));
    return controller;
  }

  private constructor(options: ControllerOptions, logs: LogManager, log: PartitionLog) {
    this.#options = options;
    this.#logs = logs;
    this.#log = log;
  }

  /** Which start of the controller this is. */
  get epoch(): number {
    return this.#epoch;
  }

  /**
   * Runs one change after all earlier ones; resolves when it is written and the brokers follow it. Where it is decided
   * in steps, requests are served between them, and see nothing of it; the image stays as it is.
   */
  change<T>(decide: Decide<T>): Promise<T> {
    const run = this.#tail.then(() => this.#run(decide));
    this.#tail = run.catch(() => undefined);
    return run;
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#logs.close();
  }

  async #run<T>(decide: Decide<T>): Promise<T> {
    const decision = decide(this.image);
    const { records, result } = isSteps(decision) ? await inTurns(decision) : decision;
    if (records.length === 0) return result;
    const names = new Set(records.map(({ topic }) => topic).filter((name) => name !== undefined));
    const before = new Map([...names].map((name) => [name, snapshot(this.image.topic(name))]));
    const { batch, messages } = await inTurns(this.#batchOf(records));
    const { baseOffset, lastOffset } = await this.#log.append(batch, {
      origin: 'coordinator',
      leaderEpoch: this.#epoch,
    });
    this.#log.advanceHighWatermark(lastOffset + 1n);
    // At once: nobody sees half of a change.
    messages.forEach((message, i) => this.image.replay(message, baseOffset + BigInt(i)));
    const topics = [...before].map(([name, image]) => ({
      name,
      before: image,
      after: this.image.topic(name),
    }));
    const hasBrokerConfigs = records.some(({ isBrokerConfig }) => isBrokerConfig);
    await this.#options.apply({ topics, hasBrokerConfigs });
    return result;
  }

  /** What goes to the log, and what it reads as. */
  *#batchOf(
    records: readonly NewMetadataRecord[],
  ): Steps<{ readonly batch: Buffer; readonly messages: readonly MetadataRecord[] }> {
    const timestamp = BigInt(this.#options.clock.nowMs());
    const builder = new RecordBatchBuilder();
    const messages = yield* mapInSteps(records, ({ value }) => {
      builder.add({ value, timestamp });
      return decodeMetadataRecord(value);
    });
    return { batch: builder.build(), messages };
  }

  async #replayAll(): Promise<void> {
    const log = this.#log;
    await log.open();
    let offset = log.logStartOffset;
    while (offset < log.logEndOffset) {
      const { records } = await log.read({
        offset,
        maxBytes: readBytes,
        upTo: 'logEnd',
        minOneBatch: true,
      });
      for (const batch of batches(records)) {
        for (const record of readRecords(batch)) {
          if (record.value) this.image.replay(decodeMetadataRecord(record.value), record.offset);
        }
        offset = batch.header.baseOffset + BigInt(batch.header.lastOffsetDelta) + 1n;
      }
    }
    log.advanceHighWatermark(log.logEndOffset);
    this.#epoch = Math.max(0, log.leaderEpoch) + 1;
  }
}

/** A topic as it is now: the image's own value changes with the next replay. */
function snapshot(topic: TopicImage | undefined): TopicImage | undefined {
  return topic && { ...topic, partitions: [...topic.partitions], configs: new Map(topic.configs) };
}
