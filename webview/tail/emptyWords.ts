/** What stands where there are no rows: why, and what would show some. */
import { t } from '../../src/base/l10n.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import { describePoint } from '../../src/shared/seek.ts';
import { looksLikeScript } from '../../src/shared/tailFilter.ts';
import { counted } from '../../src/shared/counted.ts';
import { formatInt64 } from '../kit/format.ts';
import { spanWords } from './moments.ts';
import { startOf } from './missedWords.ts';

export interface AskedFor {
  readonly topic: string | undefined;
  readonly from: string | undefined;
  /** As it is typed; empty where there is none. */
  readonly filter: string;
  /** The span of time that is looked at. */
  readonly within: TimeSpan | undefined;
}

export function emptyWords(progress: TailProgress, asked: AskedFor): string {
  return asked.filter !== '' || asked.within
    ? leftOutWords(progress, asked)
    : noneWords(progress, asked);
}

function leftOutWords(
  { filter, state }: TailProgress,
  { filter: typed, within }: AskedFor,
): string {
  if (filter && filter.pending > 0 && !filter.problem)
    return t('{0} to look at …', counted(filter.pending, 'record'));
  if (state === 'reading') return t('Reading …');
  const isFailed = filter?.show === 'failed';
  if (!within) {
    if (isFailed) return t('The filter failed on no record that is held.');
    const none = t('No record that is held matches the filter.');
    if (looksLikeScript(typed)) return [none, scriptWords(typed.trim())].join(' ');
    return filter?.failure === undefined
      ? none
      : [none, failedWords(filter.failed, filter.failure)].join(' ');
  }
  const [start, end] = spanWords(within);
  if (typed === '') return t('No record that is held is from {0} to {1}.', start, end);
  return isFailed
    ? t('The filter failed on no record that is held from {0} to {1}.', start, end)
    : t('No record that is held from {0} to {1} matches the filter.', start, end);
}

/** Without its mark an expression is looked for as it stands, which finds nothing and says nothing. */
function scriptWords(typed: string): string {
  return t('It is looked for as text; to filter by JavaScript, type “{0}”.', `js: ${typed}`);
}

/** A filter with a slip fails on all of them, for one reason. */
function failedWords(failed: number, failure: string): string {
  return t('It failed on {0}, first with: {1}', counted(failed, 'record'), failure);
}

function noneWords({ state, missed }: TailProgress, { topic, from }: AskedFor): string {
  if (state === 'ended') return t('No records in this range.');
  if (state === 'reading') return t('Reading …');
  const name = topic ?? t('the topic');
  const awaited = missed?.awaitsAll ? missed.awaited : undefined;
  if (awaited) {
    return t(
      'No records yet. What is produced to {0} appears here from offset {1} on.',
      name,
      formatInt64(awaited.offset),
    );
  }
  const start = startOf(from);
  if (missed?.noneAsLate && (start?.kind === 'time' || start?.kind === 'ago')) {
    return t(
      'No record is from {0} or later. What is produced to {1} from now on appears here.',
      describePoint(start),
      name,
    );
  }
  if (start?.kind === 'earliest' || start?.kind === 'last')
    return t('No records yet. What is produced to {0} appears here.', name);
  return t(
    'No records yet. What is produced to {0} appears here; to see older records, start from earliest or last 100.',
    name,
  );
}
