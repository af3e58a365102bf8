import type { Clock } from '../base/clock.ts';
import { errorMessage, type Logger } from '../base/logger.ts';
import type { Uuid } from '../base/uuid.ts';
import { FileSystemError } from './fileSystem.ts';
import { DamagedMetadataError } from './partitionMetadata.ts';
import { StorageError } from './storageError.ts';

/** After so long without a failure the next one is another incident. */
const quietMs = 60_000;

/** What a person can do about it, by the system's code. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'Make room on it',
  EDQUOT: 'Make room, or ask for more',
  EACCES: 'Give the broker access to its files',
  EPERM: 'Give the broker access to its files',
  EROFS: 'Let the broker write to it',
};

/**
 * What the disk does to one log: clients hear of it every time, the broker's log once an incident, however often it
 * fails.
 */
export class LogTrouble {
  readonly #name: string;
  readonly #topicId: Uuid;
  readonly #clock: Clock;
  readonly #logger: Logger;
  /** When each kind of failure was last seen. */
  readonly #lastMs = new Map<string, number>();

  constructor(log: {
    readonly name: string;
    readonly topicId: Uuid;
    readonly clock: Clock;
    readonly logger: Logger;
  }) {
    this.#name = log.name;
    this.#topicId = log.topicId;
    this.#clock = log.clock;
    this.#logger = log.logger;
  }

  /** Kafka's error for what was thrown. */
  failure(error: unknown): StorageError {
    const failure = storageFailure(this.#name, error);
    if (error instanceof FileSystemError)
      this.#tell(error.code, `${failure.message}. ${advice[error.code] ?? 'Check the disk'}`);
    if (error instanceof DamagedMetadataError)
      this.#tell(
        error.name,
        `${failure.message}. Where its folder has the records of this topic, write the lines "version: 0" and "topic_id: ${this.#topicId}" into it; where nobody needs them, move the folder away`,
      );
    return failure;
  }

  #tell(kind: string, message: string): void {
    const nowMs = this.#clock.monotonicMs();
    const isKnown = nowMs - (this.#lastMs.get(kind) ?? -Infinity) < quietMs;
    this.#lastMs.set(kind, nowMs);
    if (isKnown) return;
    this.#logger.error(
      `${message}: clients whose requests need it are answered KAFKA_STORAGE_ERROR`,
    );
  }
}

/** The error that a client gets where the file system refused. */
export function storageFailure(where: string, error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const code = error instanceof FileSystemError ? error.code : undefined;
  const reason = code === 'ENOSPC' ? 'the disk is full' : errorMessage(error);
  return new StorageError('KAFKA_STORAGE_ERROR', `${where}: ${reason}`, { cause: error });
}
