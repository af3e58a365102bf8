import type { Clock } from '../../base/clock.ts';
import { deferred } from '../../base/deferred.ts';
import { errorMessage, type Logger } from '../../base/logger.ts';
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
import { GroupCommit } from '../../storage/groupCommit.ts';
import { defaultLogConfig, type LogConfig } from '../../storage/logConfig.ts';
import { LogManager } from '../../storage/logManager.ts';
import type { PartitionLog } from '../../storage/partitionLog.ts';
import { StorageError } from '../../storage/storageError.ts';
import { RequestError } from '../requestError.ts';
import { metadataTopic } from './topicNames.ts';
import { MetadataImage, type TopicImage } from './metadataImage.ts';

/** The controller's own node id: it is a node of its own, apart from the brokers. */
export const controllerNodeId = 3000;

/** Kafka's fixed id of the metadata topic. [Uuid.METADATA_TOPIC_ID] */
const metadataTopicId = 'AAAAAAAAAAAAAAAAAAAAAQ';
const readBytes = 1 << 20;
/** That one change may have, and with it what is replayed in one go. [QuorumController.MAX_RECORDS_PER_USER_OP] */
const maxRecordsPerChange = 10_000;
/** Kafka's controller.quorum.append.linger.ms; who comes alone does not wait for it. */
const lingerMs = 25;

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

/** Throws a RequestError where a change would have too many records. */
export function refuseIfTooLarge(recordCount: number): void {
  if (recordCount <= maxRecordsPerChange) return;
  const problem = 'Unable to perform excessively large batch operation.';
  throw new RequestError('POLICY_VIOLATION', problem);
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
 * The one place that changes metadata: a serial loop of decide, append, replay, apply. What it answers is on the disk:
 * changes that follow each other closely share a flush. Its log has Kafka's metadata record formats. There is no raft:
 * this is the only voter. [QuorumController, KafkaRaftClient.flushLeaderLog]
 */
export class Controller {
  readonly image = new MetadataImage();
  readonly #options: ControllerOptions;
  readonly #logs: LogManager;
  readonly #log: PartitionLog;
  readonly #flush = new GroupCommit(() => this.#syncSoon());
  #epoch = 0;
  #tail: Promise<unknown> = Promise.resolve();
  /** The disk refused a flush: what it has of the last changes is unknown until the log is read again. */
  #failure: StorageError | undefined;

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
    const log = logs.get(metadataTopic, 0) ?? (await createLog(options, logs, config));
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
   * Runs one change after all earlier ones; resolves when it is on the disk and the brokers follow it. Where it is
   * decided in steps, requests are served between them, and see nothing of it; the image stays as it is. Where nothing
   * is to be changed, that may be so because of a change that is not on the disk yet: it is waited for too. Rejects
   * with a RequestError where it is too large, and then nothing is changed.
   */
  async change<T>(decide: Decide<T>): Promise<T> {
    const run = this.#tail.then(() => this.#run(decide));
    this.#tail = run.catch(() => undefined);
    const result = await run;
    await this.#whenDurable();
    return result;
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#whenDurable().catch(() => undefined); // who waits for it was told
    await this.#logs.close();
  }

  async #run<T>(decide: Decide<T>): Promise<T> {
    if (this.#failure) throw this.#failure;
    const decision = decide(this.image);
    const { records, result } = isSteps(decision) ? await inTurns(decision) : decision;
    if (records.length === 0) return result;
    refuseIfTooLarge(records.length);
    const { batch, messages, before } = await inTurns(this.#batchOf(records));
    const { baseOffset, lastOffset } = await this.#log.append(batch, {
      origin: 'coordinator',
      leaderEpoch: this.#epoch,
    });
    this.#log.advanceHighWatermark(lastOffset + 1n);
    // A topic's records go with it: it must not be there again after a power cut, and empty.
    if (messages.some(({ kind }) => kind === 'removeTopic')) await this.#sync();
    // At once: nobody sees half of a change.
    messages.forEach((message, i) => this.image.replay(message, baseOffset + BigInt(i)));
    const changed = mapInSteps(before, ([name, image]) => {
      return { name, before: image, after: this.image.topic(name) };
    });
    const topics = await inTurns(changed);
    const hasBrokerConfigs = records.some(({ isBrokerConfig }) => isBrokerConfig);
    await this.#options.apply({ topics, hasBrokerConfigs });
    return result;
  }

  /** Resolves when all that was written so far is on the disk. */
  async #whenDurable(): Promise<void> {
    if (this.#failure) throw this.#failure;
    if (this.#log.recoveryPoint < this.#log.logEndOffset) await this.#flush.run();
  }

  /** Changes that wait their turn already are flushed along, as far as they are decided soon. */
  async #syncSoon(): Promise<void> {
    const isTime = deferred<undefined>();
    const timer = this.#options.clock.setTimer(lingerMs, () => isTime.resolve(undefined));
    await Promise.race([this.#tail, isTime.promise]);
    timer.dispose();
    await this.#sync();
  }

  async #sync(): Promise<void> {
    if (this.#failure) throw this.#failure;
    try {
      await this.#log.flush();
    } catch (error) {
      const { directory, logger } = this.#options;
      const problem = `the metadata log in ${directory} cannot be flushed: ${errorMessage(error)}. Topics, configs and users stay as they are until the broker is started again`;
      logger.error(problem);
      this.#failure = new StorageError('KAFKA_STORAGE_ERROR', problem, { cause: error });
      throw this.#failure;
    }
  }

  *#batchOf(records: readonly NewMetadataRecord[]): Steps<EncodedChange> {
    const timestamp = BigInt(this.#options.clock.nowMs());
    const builder = new RecordBatchBuilder();
    const before = new Map<string, TopicImage | undefined>();
    const messages = yield* mapInSteps(records, ({ value, topic }) => {
      builder.add({ value, timestamp });
      if (topic !== undefined && !before.has(topic)) {
        before.set(topic, snapshot(this.image.topic(topic)));
      }
      return decodeMetadataRecord(value);
    });
    return { batch: builder.build(), messages, before };
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

interface EncodedChange {
  /** What goes to the log. */
  readonly batch: Buffer;
  /** What it reads as. */
  readonly messages: readonly MetadataRecord[];
  /** The topics that it is about, as they are without it. */
  readonly before: ReadonlyMap<string, TopicImage | undefined>;
}

/** Makes the log of a new cluster, with its folder on the disk for certain. */
async function createLog(
  { fileSystem, directory }: ControllerOptions,
  logs: LogManager,
  config: LogConfig,
): Promise<PartitionLog> {
  const log = await logs.create({
    topic: metadataTopic,
    partition: 0,
    topicId: metadataTopicId,
    config,
  });
  await fileSystem.syncDirectory(directory);
  await fileSystem.syncDirectory(directory.slice(0, directory.lastIndexOf('/')));
  return log;
}

/** A topic as it is now: the image's own value changes with the next replay. */
function snapshot(topic: TopicImage | undefined): TopicImage | undefined {
  return topic && { ...topic, partitions: [...topic.partitions], configs: new Map(topic.configs) };
}
