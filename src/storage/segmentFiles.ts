import { type IndexFiles, indexKinds } from './segmentIndexes.ts';
import type { StorageContext } from './storageContext.ts';

/**
 * The suffixes of a segment's files, as in Kafka: none while they are the log's; while compaction writes them;
 * while they take the place of others; before they are removed.
 */
export type SegmentSuffix = '' | '.cleaned' | '.swap' | '.deleted';

const kinds = ['.log', ...indexKinds];

/** The files of one segment, by whatever suffix they have now. */
export class SegmentFiles implements IndexFiles {
  readonly context: StorageContext;
  readonly #directory: string;
  readonly #baseOffset: bigint;
  #suffix: SegmentSuffix;
  /** Indexes that were not renamed when the log was, where they still are: Windows keeps what somebody else reads. */
  readonly #leftBehind = new Map<string, string>();

  constructor(
    options: { context: StorageContext; directory: string; baseOffset: bigint },
    suffix: SegmentSuffix = '',
  ) {
    this.context = options.context;
    this.#directory = options.directory;
    this.#baseOffset = options.baseOffset;
    this.#suffix = suffix;
  }

  get suffix(): SegmentSuffix {
    return this.#suffix;
  }

  pathOf(kind: string): string {
    return `${this.#directory}/${segmentFileName(this.#baseOffset, kind)}${this.#suffix}`;
  }

  /** Empty files, over whatever was there. */
  async create(): Promise<void> {
    const { fileSystem } = this.context;
    await fileSystem.remove(this.pathOf('.txnindex'));
    for (const kind of ['.log', '.index', '.timeindex']) {
      const file = await fileSystem.open(this.pathOf(kind), 'create');
      try {
        await file.truncate(0);
      } finally {
        await file.close();
      }
    }
  }

  async release(): Promise<void> {
    for (const kind of kinds) await this.context.handles.release(this.pathOf(kind));
  }

  /**
   * Renames the files. Who is about to read them may find none and has to look at the log anew. An index that cannot be
   * renamed holds up no other, and comes along the next time, or goes with the rest.
   */
  async changeSuffix(suffix: SegmentSuffix): Promise<void> {
    const { handles } = this.context;
    const before = this.#suffix;
    const old = kinds.map((kind) => this.#leftBehind.get(kind) ?? this.pathOf(kind));
    // First of all, so that nobody opens a file by its old name while others are renamed.
    this.#suffix = suffix;
    for (const path of old) await handles.release(path);
    const refusals: unknown[] = [];
    for (const [n, kind] of kinds.entries()) {
      const path = old[n] ?? '';
      try {
        await this.#rename(path, this.pathOf(kind));
        this.#leftBehind.delete(kind);
      } catch (error) {
        // The indexes can be made again: where the log is says where the segment is.
        if (kind === '.log') {
          this.#suffix = before;
          throw error;
        }
        this.#leftBehind.set(kind, path);
        refusals.push(error);
      }
    }
    if (refusals.length > 0) throw refusals[0];
  }

  async #rename(from: string, to: string): Promise<void> {
    const { fileSystem } = this.context;
    if (from !== to && (await fileSystem.stat(from)) !== undefined) {
      await fileSystem.rename(from, to);
    }
  }

  async remove(): Promise<void> {
    await this.release();
    const paths = [...kinds.map((kind) => this.pathOf(kind)), ...this.#leftBehind.values()];
    for (const path of paths) await this.context.fileSystem.remove(path);
    this.#leftBehind.clear();
  }
}

/** The name of a segment's file: the base offset in 20 digits [LogFileUtils.filenamePrefixFromOffset]. */
export function segmentFileName(baseOffset: bigint, kind: string): string {
  return baseOffset.toString().padStart(20, '0') + kind;
}
