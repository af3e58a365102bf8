/** The group's lag in a few figures. */
import { t } from '../../src/base/l10n.ts';
import type { Isolation, LagGroup, LagPartition } from '../../src/shared/contracts/lag.ts';
import { fill, h, setAttribute, setText } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { link } from '../kit/controls.ts';
import { totalsOf } from './model.ts';
import { caughtUpWords, lagWords, waitingWords } from './summaryWords.ts';
import { durationWords, rateWords } from './words.ts';

export interface Summary {
  readonly element: HTMLElement;
  update(group: LagGroup, rows: readonly LagPartition[], isolation: Isolation): void;
}

export function summary(onSelect: (row: LagPartition) => void): Summary {
  const lag = figure(
    t('Lag'),
    t(
      'Offsets between the commits and the ends. A partition whose commit is past its end counts for nothing.',
    ),
  );
  const most = figure(t('Most'), t('The partition with the longest lag.'));
  const behind = figure(
    t('Behind'),
    t('The longest that a record has waited at a commit. Rest on a row for how it is known.'),
  );
  const produced = figure(
    t('Produced'),
    t('Offsets a second by which the ends moved, over the last ten seconds.'),
  );
  const consumed = figure(
    t('Consumed'),
    t('Offsets a second by which the commits moved, over the last ten seconds.'),
  );
  const caughtUp = figure(t('Caught up'), t('When the lag is gone, at these rates.'));
  const all = [lag, most, behind, produced, consumed, caughtUp];
  const element = h('dl', { class: 'figures' }, ...all.map((each) => each.element));
  return {
    element,
    update: (group, rows, isolation) => {
      const totals = totalsOf(rows, isolation);
      lag.set(lagWords(totals));
      setAttribute(lag.value, 'title', waitingWords(totals.uncommitted));
      showMost(most, totals.most, onSelect);
      behind.set(totals.longestMs === undefined ? t('unknown') : durationWords(totals.longestMs));
      produced.set(perSecond(group.rates.produced));
      consumed.set(perSecond(group.rates.consumed));
      caughtUp.set(caughtUpWords(totals, group));
    },
  };
}

function perSecond(rate: number | null): string {
  return rate === null ? '–' : t('{0}/s', rateWords(rate));
}

interface Figure {
  readonly element: HTMLElement;
  readonly value: HTMLElement;
  set(text: string): void;
}

function figure(name: string, meaning: string): Figure {
  const value = h('dd', {}, '–');
  return {
    element: h('div', { class: 'figure', title: meaning }, h('dt', {}, name), value),
    value,
    set: (text) => setText(value, text),
  };
}

/** The same link stays while it says the same: it may have the focus. */
function showMost(
  { value }: Figure,
  most: ReturnType<typeof totalsOf>['most'],
  onSelect: (row: LagPartition) => void,
): void {
  if (!most) {
    value.removeAttribute('data-shown');
    setText(value, '–');
    return;
  }
  const { row, lag } = most;
  const place = `${row.topic} ${row.partition}`;
  if (value.getAttribute('data-shown') !== place) {
    const title = t('Look at {0}, partition {1}', row.topic, row.partition);
    fill(
      value,
      h('span', { class: 'most-lag' }),
      ' ',
      link(place, title, () => onSelect(row)),
    );
    setAttribute(value, 'data-shown', place);
  }
  const shown = value.querySelector('.most-lag');
  if (shown) setText(shown, formatInt64(lag.toString()));
}
