/** Sending many records from the produce panel: from a template, or from a file. */
import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { RateMeter } from '../../cluster/rateMeter.ts';
import { produceAll } from '../../cluster/produce/produceJob.ts';
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
import { acksOf, recordOf } from './produceDraft.ts';
import { toUserError } from './words.ts';

export interface ManyJob {
  readonly session: ClusterSession;
  readonly draft: ProduceDraft;
  readonly perSecond: number | null;
  readonly onProgress: (progress: ManyProgress) => void;
  readonly signal: AbortSignal;
}

const progressIntervalMs = 200;

type Input = Omit<RecordToProduce, 'topic'>;

/** Sends `count` records that the draft, as a template, makes. */
export function sendTemplate(job: ManyJob, { count }: ManyOptions): Promise<ManyResult> {
  return send(job, {
    from: 'template',
    recordsOf: ({ clock, random }) =>
      mapped(filledDrafts(job.draft, count, { nowMs: () => clock.nowMs(), random }), recordOf),
    total: count,
    skipped: new Skipped(),
  });
}

/** Sends the records of a file; lines that are no record are counted and left out. */
export function sendFile(job: ManyJob, path: string): Promise<ManyResult> {
  const skipped = new Skipped();
  const recordsOf = (): AsyncIterable<Input> => skipped.leaveOut(readRecordFile(path));
  return send(job, { from: 'file', recordsOf, total: null, skipped });
}

interface Source {
  readonly from: 'template' | 'file';
  readonly recordsOf: (client: KafkaClient) => Iterable<Input> | AsyncIterable<Input>;
  readonly total: number | null;
  readonly skipped: Skipped;
}

async function send(job: ManyJob, source: Source): Promise<ManyResult> {
  const { session, draft, signal } = job;
  const { from, skipped, total } = source;
  let sent = 0;
  const result = (end: Pick<ManyResult, 'cancelled' | 'error'>): ManyResult => ({
    sent,
    ...skipped.result,
    ...end,
  });
  try {
    await session.change(
      { kind: 'produce', topic: draft.topic, from },
      (client, running) =>
        sendAll({ ...job, signal: running.signal }, source, {
          client,
          onSent: (done) => {
            sent = done;
            running.note({ progress: { done, total } });
          },
        }),
      { signal },
    );
    return result({ cancelled: false });
  } catch (error) {
    if (error instanceof CancelledError) return result({ cancelled: true });
    return result({ cancelled: false, error: toUserError(error) });
  }
}

interface Sending {
  readonly client: KafkaClient;
  readonly onSent: (acknowledged: number) => void;
}

async function sendAll(
  { draft, perSecond, signal, onProgress }: ManyJob,
  { recordsOf, total }: Source,
  { client, onSent }: Sending,
): Promise<void> {
  const rate = new RateMeter(client.clock);
  let sent = 0;
  const tell = new Throttle(client.clock, progressIntervalMs, () =>
    onProgress({ sent, total, perSecond: rate.perSecond }),
  );
  try {
    await produceAll(client, recordsOf(client), {
      topic: draft.topic,
      perSecond,
      acks: acksOf[draft.acks],
      compression: draft.compression,
      signal,
      onProgress: (acknowledged) => {
        rate.add(acknowledged - sent);
        sent = acknowledged;
        onSent(sent);
        tell.request();
      },
    });
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
      this.#first ??= t('line {0}: {1}', line.line, line.problem);
    }
  }
}
