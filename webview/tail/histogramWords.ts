/** What a histogram shows, in words. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type { TailHistogram } from '../../src/shared/contracts/tailHistogram.ts';
import { counted } from '../../src/shared/counted.ts';
import { describeDuration } from '../../src/shared/seekTime.ts';
import { groupThousands } from '../kit/format.ts';
import { moment, momentsOf } from './moments.ts';

/** Bins `from` to `to - 1`. */
export interface Bins {
  readonly from: number;
  readonly to: number;
}

const dayMs = 86_400_000;

/** When the first and the last of the records are from; with the day where that is not today. */
export function axisWords(
  { firstMs, lastMs, binMs }: TailHistogram,
  nowMs: number,
): [string, string] {
  const stepMs = binMs < 1000 ? 1 : 1000;
  const today = moment(nowMs, dayMs);
  const isToday = moment(firstMs, dayMs) === today && moment(lastMs, dayMs) === today;
  if (binMs >= dayMs) return [moment(firstMs, dayMs), moment(lastMs, dayMs)];
  const full = (epochMs: number): string =>
    isToday ? moment(epochMs, stepMs) : `${moment(epochMs, dayMs)} ${moment(epochMs, stepMs)}`;
  return [full(firstMs), full(lastMs)];
}

/** What the picture shows, for who cannot see it. */
export function summaryWords(histogram: TailHistogram, nowMs: number): string {
  const { all, fromMs, binMs, untimed } = histogram;
  const [first, last] = axisWords(histogram, nowMs);
  const records = counted(sum(all), 'record');
  const most = Math.max(0, ...all);
  const sentences = [t('{0} from {1} to {2}.', records, first, last)];
  if (most > 1 && all.length > 1) {
    const busiest = moment(fromMs + all.indexOf(most) * binMs, binMs);
    const width = describeDuration(binMs);
    sentences.push(t('Most within {0}: {1}, from {2} on.', width, groupThousands(most), busiest));
  }
  for (const side of ['earlier', 'later'] as const) {
    const beyond = beyondWords(histogram, side);
    if (beyond) sentences.push(`${beyond.title}.`);
  }
  if (untimed > 0) sentences.push(t('{0} without a time.', counted(untimed, 'record')));
  return sentences.join(' ');
}

/** Records of far times, as the edge of the picture says them. */
export function beyondWords(
  histogram: TailHistogram,
  side: 'earlier' | 'later',
): { readonly label: string; readonly title: string } | undefined {
  const beyond = histogram[side];
  if (!beyond) return undefined;
  const { count, fromMs, toMs } = beyond;
  const besideMs = side === 'earlier' ? histogram.firstMs : histogram.lastMs;
  const records = counted(count, 'record');
  const [first, last] = [farMoment(fromMs, besideMs), farMoment(toMs - 1, besideMs)];
  const title =
    first === last
      ? t('{0} of a far time, {1}', records, first)
      : t('{0} of far times, {1} to {2}', records, first, last);
  const nearest = side === 'earlier' ? last : first;
  return {
    label:
      side === 'earlier'
        ? t('◂ {0} earlier, {1}', records, nearest)
        : t('{0} later, {1} ▸', records, nearest),
    title,
  };
}

/** As short as it can be told from the time beside it. */
function farMoment(epochMs: number, besideMs: number): string {
  const isOfDay = moment(epochMs, dayMs) === moment(besideMs, dayMs);
  return moment(epochMs, isOfDay ? 1000 : dayMs);
}

/** What is in some of the bins. */
export function binsWords({ fromMs, binMs, all, shown }: TailHistogram, bins: Bins): string {
  const { from, to } = bins;
  const [start, end] = momentsOf(fromMs + from * binMs, fromMs + to * binMs, binMs);
  const records = counted(sum(all.slice(from, to)), 'record');
  if (!shown) return t('{0} to {1}: {2}', start, end, records);
  const matched = groupThousands(sum(shown.slice(from, to)));
  return t('{0} to {1}: {2}, {3} shown', start, end, records, matched);
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
