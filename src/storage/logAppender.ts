import { AppendGroup } from './appendGroup.ts';
import { type LogParts, noteUnstable } from './logParts.ts';
import type { LogTail } from './logTail.ts';
import type { LogTrouble } from './logTrouble.ts';
import type { PendingAppend } from './logWriter.ts';
import { baseOffsetOf, type SegmentRoll } from './segmentRoll.ts';
import type { AbortedTransactionEntry } from './transactionIndex.ts';

export interface LogAppenderOptions {
  readonly parts: LogParts;
  readonly tail: LogTail;
  readonly roll: SegmentRoll;
  readonly trouble: LogTrouble;
  /** Throws where the disk has failed the log. */
  readonly refuseIfFailed: () => void;
  readonly flush: () => Promise<void>;
  /** Called when records were added, before those who added them are answered. */
  readonly onDidAppend: () => void;
  /** Records are in the log that cannot be acknowledged. */
  readonly onDidFail: (error: unknown) => void;
}

/** Brings appends into a log: together where the segments allow, flushed as often as the topic says. */
export class LogAppender {
  readonly #options: LogAppenderOptions;
  #unflushedMessages = 0n;

  constructor(options: LogAppenderOptions) {
    this.#options = options;
  }

  /** Writes appends in as few writes as the segments allow, and settles each. Never rejects. */
  async append(appends: readonly PendingAppend[]): Promise<void> {
    const { parts, roll } = this.#options;
    const { producers, offsets, segments } = parts;
    let taken = 0;
    while (taken < appends.length) {
      const group = new AppendGroup(producers, offsets);
      for (; taken < appends.length; taken++) {
        const append = appends[taken];
        if (append === undefined) break;
        if (roll.isDue(segments.active, append, group)) {
          if (group.sizeInBytes > 0) break;
          if (!(await this.#settles(append, () => roll.begin(baseOffsetOf(append))))) continue;
        }
        await this.#settles(append, () => group.add(append));
      }
      await this.#write(group);
    }
  }

  /** flush.messages counts from here. */
  noteFlush(): void {
    this.#unflushedMessages = 0n;
  }

  async #write(group: AppendGroup): Promise<void> {
    const { parts, tail, trouble, refuseIfFailed, flush, onDidAppend, onDidFail } = this.#options;
    let isInLog = false;
    try {
      refuseIfFailed();
      if (group.buffers.length > 0) {
        await tail.write(group.buffers);
        isInLog = true;
        for (const aborted of this.#take(group)) await parts.segments.active.noteAborted(aborted);
        noteUnstable(parts);
        if (this.#unflushedMessages >= parts.config().flushMessages) await flush();
      }
    } catch (error) {
      if (isInLog) onDidFail(error);
      const failure = trouble.failure(error);
      for (const { append } of group.decided) append.outcome.reject(failure);
      return;
    }
    if (group.buffers.length > 0) onDidAppend();
    for (const { append, info } of group.decided) append.outcome.resolve(info);
  }

  /** What was written is part of the log from here on; answers the transactions that it aborts. */
  #take(group: AppendGroup): AbortedTransactionEntry[] {
    const { segments, offsets, epochs, sync, config } = this.#options.parts;
    const { active } = segments;
    const { indexIntervalBytes } = config();
    for (const header of group.headers) {
      active.noteAppended(header, indexIntervalBytes);
      const { partitionLeaderEpoch: epoch, baseOffset } = header;
      if (epoch >= 0 && epochs.assign(epoch, baseOffset)) sync.noteEpochs();
    }
    this.#unflushedMessages += group.nextOffset - offsets.logEnd;
    offsets.logEnd = group.nextOffset;
    return group.producers.commit();
  }

  /** Runs a step of an append; answers whether it worked, and rejects the append where not. */
  async #settles(append: PendingAppend, step: () => void | Promise<void>): Promise<boolean> {
    try {
      await step();
      return true;
    } catch (error) {
      append.outcome.reject(this.#options.trouble.failure(error));
      return false;
    }
  }
}
