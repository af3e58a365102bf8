/** Sending many records from the produce panel: from a template, or from a file. */
import { RateMeter } from '../../cluster/rateMeter.ts';
import { produceAll } from '../../cluster/produceJob.ts';
import { Throttle } from '../../cluster/throttle.ts';
import type { KafkaClient } from '../../client/kafkaClient.ts';
import { CancelledError } from '../../client/kafkaError.ts';
import type { RecordToProduce } from '../../client/produce.ts';
import type { FileLine } from '../../codec/fileRecord.ts';
import { readRecordFile } from '../../codec/recordFile.ts';
import type {
  ManyOptions,
  ManyProgress,
  ManyResult,
  ProduceDraft,
} from '../../shared/contracts/produce.ts';
import { filledDrafts } from './draftTemplate.ts';
import { recordOf } from './produceDraft.ts';
import { toUserError } from './words.ts';

export interface ManyJob {
  readonly client: KafkaClient;
  readonly draft: ProduceDraft;
  readonly perSecond: number | null;
  readonly onProgress: (progress: ManyProgress) => void;
  readonly signal: AbortSignal;
}

const progressIntervalMs = 200;
const acksOf = { all: -1, '1': 1, '0': 0 } as const;

type Input = Omit<RecordToProduce, 'topic'>;

/** Sends `count` records that the draft, as a template, makes. */
export function sendTemplate(job: ManyJob, { count }: ManyOptions): Promise<ManyResult> {
  const { clock, random } = job.client;
  const drafts = filledDrafts(job.draft, count, { nowMs: () => clock.nowMs(), random });
  return send(job, { records: mapped(drafts, recordOf), total: count, skipped: new Skipped() });
}

/** Sends the records of a file; lines that are no record are counted and left out. */
export function sendFile(job: ManyJob, path: string): Promise<ManyResult> {
  const skipped = new Skipped();
  const records = skipped.leaveOut(readRecordFile(path));
  return send(job, { records, total: null, skipped });
}

interface Source {
  readonly records: Iterable<Input> | AsyncIterable<Input>;
  readonly total: number | null;
  readonly skipped: Skipped;
}

async function send(job: ManyJob, { records, total, skipped }: Source): Promise<ManyResult> {
  const { client, draft, perSecond, signal } = job;
  const rate = new RateMeter(client.clock);
  let sent = 0;
  const tell = new Throttle(client.clock, progressIntervalMs, () =>
    job.onProgress({ sent, total, perSecond: rate.perSecond }),
  );
  const result = (end: Pick<ManyResult, 'cancelled' | 'error'>): ManyResult => ({
    sent,
    ...skipped.result,
    ...end,
  });
  try {
    await produceAll(client, records, {
      topic: draft.topic,
      perSecond,
      acks: acksOf[draft.acks],
      compression: draft.compression,
      signal,
      onProgress: (acknowledged) => {
        rate.add(acknowledged - sent);
        sent = acknowledged;
        tell.request();
      },
    });
    return result({ cancelled: false });
  } catch (error) {
    if (signal.aborted || error instanceof CancelledError) return result({ cancelled: true });
    return result({ cancelled: false, error: toUserError(error) });
  } finally {
    tell.dispose();
  }
}

function* mapped<T, R>(items: Iterable<T>, map: (item: T) => R): Generator<R> {
  for (const item of items) yield map(item);
}

/** Lines of a file that are no record. */
class Skipped {
  #count = 0;
  #first: string | undefined;

  get result(): Pick<ManyResult, 'skipped' | 'firstSkipped'> {
    return {
      skipped: this.#count,
      ...(this.#first !== undefined && { firstSkipped: this.#first }),
    };
  }

  async *leaveOut(lines: AsyncIterable<FileLine>): AsyncGenerator<Input> {
    for await (const line of lines) {
      if ('record' in line) {
        yield line.record;
        continue;
      }
      this.#count++;
      this.#first ??= `line ${line.line}: ${line.problem}`;
    }
  }
}
