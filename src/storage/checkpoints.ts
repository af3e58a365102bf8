import { replaceFile } from './atomicFile.ts';
import type { FileSystem } from './fileSystem.ts';
import type { TopicPartition } from './folderName.ts';

/** Kafka's checkpoint files of a data directory: one offset per partition. */
export const checkpointNames = {
  recoveryPoint: 'recovery-point-offset-checkpoint',
  highWatermark: 'replication-offset-checkpoint',
  logStart: 'log-start-offset-checkpoint',
  cleaner: 'cleaner-offset-checkpoint',
} as const;

export interface CheckpointEntry extends TopicPartition {
  readonly offset: bigint;
}

/** One leader epoch and the first offset written under it. */
export interface EpochEntry {
  readonly epoch: number;
  readonly startOffset: bigint;
}

/** Thrown where a checkpoint is not in Kafka's format; the message says what is wrong. */
export class CorruptCheckpointError extends Error {
  override name = 'CorruptCheckpointError';
}

/** The entries of an offset checkpoint, empty where there is no file [OffsetCheckpointFile]. */
export async function readOffsetCheckpoint(
  fileSystem: FileSystem,
  path: string,
): Promise<CheckpointEntry[]> {
  const lines = await readLines(fileSystem, path);
  return lines.map((line) => {
    const match = /^(?<topic>\S+) (?<partition>\d{1,10}) (?<offset>\d{1,19})$/.exec(line);
    const { topic, partition, offset } = match?.groups ?? {};
    if (topic === undefined || partition === undefined || offset === undefined)
      throw new CorruptCheckpointError(`${path}: "${line}" is not a partition and its offset`);
    return { topic, partition: Number(partition), offset: BigInt(offset) };
  });
}

export function encodeOffsetCheckpoint(entries: readonly CheckpointEntry[]): string {
  return encodeLines(
    entries.map(({ topic, partition, offset }) => `${topic} ${partition} ${offset}`),
  );
}

/** The entries of a `leader-epoch-checkpoint`, empty where there is no file [LeaderEpochCheckpointFile]. */
export async function readEpochCheckpoint(
  fileSystem: FileSystem,
  path: string,
): Promise<EpochEntry[]> {
  const lines = await readLines(fileSystem, path);
  return lines.map((line) => {
    const match = /^(?<epoch>\d{1,10}) (?<start>\d{1,19})$/.exec(line);
    const { epoch, start } = match?.groups ?? {};
    if (epoch === undefined || start === undefined)
      throw new CorruptCheckpointError(`${path}: "${line}" is not an epoch and its start offset`);
    return { epoch: Number(epoch), startOffset: BigInt(start) };
  });
}

export async function writeEpochCheckpoint(
  fileSystem: FileSystem,
  path: string,
  entries: readonly EpochEntry[],
): Promise<void> {
  const lines = entries.map(({ epoch, startOffset }) => `${epoch} ${startOffset}`);
  await replaceFile(fileSystem, path, encodeLines(lines));
}

/** Kafka's frame of a checkpoint: version 0, the number of entries, the entries [CheckpointFile]. */
async function readLines(fileSystem: FileSystem, path: string): Promise<string[]> {
  const contents = await fileSystem.readFile(path);
  if (contents === undefined) return [];
  const [version, count, ...lines] = contents.toString('utf8').split('\n');
  if (version !== '0')
    throw new CorruptCheckpointError(`${path}: version "${version}" where 0 is known`);
  if (lines.pop() !== '') throw new CorruptCheckpointError(`${path}: the last line is cut off`);
  if (count !== String(lines.length))
    throw new CorruptCheckpointError(
      `${path}: "${count}" entries announced, ${lines.length} there`,
    );
  return lines;
}

function encodeLines(lines: readonly string[]): string {
  return ['0', String(lines.length), ...lines, ''].join('\n');
}
