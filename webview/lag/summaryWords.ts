/** The words of the summary's figures. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type { LagGroup } from '../../src/shared/contracts/lag.ts';
import { count, formatInt64 } from '../kit/format.ts';
import { secondsToCatchUp, type Totals } from './model.ts';
import { durationWords } from './words.ts';

type Known = Pick<Totals, 'lag' | 'uncommitted'>;

export function lagWords({ lag, uncommitted: { partitions } }: Known): string {
  const known = lag === undefined ? undefined : formatInt64(lag.toString());
  if (partitions === 0) return known ?? '–';
  const named = count(partitions, 'partition');
  return known === undefined
    ? t('{0} without a commit', named)
    : t('{0} + {1} without a commit', known, named);
}

/** How much waits where no commit is; undefined where nothing does. */
export function waitingWords({ partitions, waiting }: Totals['uncommitted']): string | undefined {
  if (partitions === 0) return undefined;
  return t(
    '{0} offsets wait in partitions without a commit. Whether the group reads them, its auto.offset.reset says.',
    formatInt64(waiting.toString()),
  );
}

/** Nobody catches up who has left, and where no commit is nobody knows how far it is. */
export function caughtUpWords(
  { lag, uncommitted }: Known,
  { memberCount, rates }: Pick<LagGroup, 'memberCount' | 'rates'>,
): string {
  if (lag === undefined || rates.consumed === null || uncommitted.partitions > 0) return '–';
  if (lag <= 0n) return t('yes');
  if (memberCount === 0) return '–';
  const seconds = secondsToCatchUp(lag, rates);
  return seconds === undefined
    ? t('not at this rate')
    : t('in about {0}', durationWords(Math.max(1000, seconds * 1000)));
}
