/** What a tail session is doing, in words. */
import { t } from '../../src/base/l10n.ts';
import type { HeldBack, TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { counted } from '../../src/shared/counted.ts';
import { formatInt64, formatSize, groupThousands } from '../kit/format.ts';

export interface StatusWords {
  readonly state: string;
  /** Further figures, each worth a place of its own. */
  readonly figures: readonly string[];
  /** What the rows take of what they may take. */
  readonly memory: string;
  /** In which order they are, where that is not what is expected. */
  readonly order: string | undefined;
}

export function statusWords(progress: TailProgress, isClusterStopped = false): StatusWords {
  const figures = [counted(progress.held, 'record')];
  if (progress.unordered) figures.push(t('too many to put in the order of time'));
  if (progress.dropped > 0) {
    figures.push(t('oldest {0} dropped', groupThousands(progress.dropped)));
  }
  if (progress.state === 'reading' || progress.state === 'live') {
    figures.push(t('{0} rec/s', groupThousands(Math.round(progress.perSecond))));
  }
  if (!/^-?0+$/.test(progress.heldBack)) {
    figures.push(t('{0} behind an open transaction', counted(progress.heldBack, 'offset')));
  }
  const state = isClusterStopped && progress.state !== 'ended' && t('Cluster stopped');
  return {
    state: state || stateWords(progress),
    figures,
    memory: memoryWords(progress),
    order: orderWords(progress),
  };
}

function memoryWords({ bytes, bytesMax }: TailProgress): string {
  return t(
    '{0} of at most {1} in memory. Beyond that, and beyond a million records, the oldest are dropped from this view.',
    formatSize(bytes),
    formatSize(bytesMax),
  );
}

function orderWords({ unordered }: TailProgress): string | undefined {
  return unordered
    ? t(
        'What was there when this began comes partition after partition, as it is read: there is too much of it to put in the order of time. The title of the column Time sorts what is held.',
      )
    : undefined;
}

function stateWords({ state, behind, topicGone }: TailProgress): string {
  switch (state) {
    case 'live':
      return t('Live');
    case 'reading':
      return /^-?0*$/.test(behind)
        ? t('Reading')
        : t('Reading, {0} behind', counted(behind, 'record'));
    case 'paused':
      return /^-?0*$/.test(behind)
        ? t('Paused')
        : t('Paused, {0} behind', counted(behind, 'record'));
    case 'ended':
      return t('Reached the end of the range');
    case 'failed':
      return topicGone ? t('Topic deleted') : t('Stopped by an error');
  }
}

/** Where the last stable offset of a partition stands, and who holds it there. */
export function stableWords(held: HeldBack, nowMs: number): string {
  const { partition, lastStableOffset, waiting, producer, transaction } = held;
  const where = t(
    'LSO of partition {0}: {1}, {2} behind it',
    partition,
    formatInt64(lastStableOffset),
    counted(waiting, 'offset'),
  );
  if (!producer) return t('{0}: an open transaction holds it back', where);
  const name = `${producer.id}/${producer.epoch}`;
  if (!transaction) return t('{0}: held by a transaction of producer {1}', where, name);
  const seconds = Math.max(0, Math.round((nowMs - transaction.startTimeMs) / 1000));
  return t(
    '{0}: held by transaction {1} (producer {2}), open for {3} s',
    where,
    transaction.id,
    name,
    seconds,
  );
}
