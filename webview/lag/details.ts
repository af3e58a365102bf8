/** The partition that is looked at: what its lag is made of, and what can be done. */
import { t } from '../../src/base/l10n.ts';
import type { Isolation, LagPartition, ReadablePartition } from '../../src/shared/contracts/lag.ts';
import { button } from '../kit/controls.ts';
import { append, fill, h, setAttribute, setText, show } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';
import { errorWords } from '../kit/parts.ts';
import { lagOf } from './model.ts';
import { explanation, noteOf, partNames, partWords, timeWords } from './words.ts';

export interface Details {
  readonly element: HTMLElement;
  /** As it was at a time. */
  update(
    row: LagPartition | undefined,
    readable: ReadablePartition | undefined,
    atMs: number,
  ): void;
}

export function details(options: {
  readonly isolation: () => Isolation;
  readonly onTail: (row: LagPartition) => void;
  /** Buttons beside its own. */
  readonly actions: readonly HTMLElement[];
}): Details {
  let row: LagPartition | undefined;
  const title = h('h2', {});
  const facts = h('div', { class: 'facts' });
  const parts = h('div', { class: 'parts' });
  const tail = button({
    label: t('Tail from the committed offset'),
    onClick: () => row && options.onTail(row),
  });
  const element = h(
    'section',
    { class: 'details', 'aria-label': t('The selected partition'), hidden: true },
    h(
      'div',
      { class: 'details-bar' },
      title,
      h('span', { class: 'spring' }),
      tail.element,
      ...options.actions,
    ),
    facts,
    parts,
  );
  return {
    element,
    update: (next, readable, atMs) => {
      row = next;
      show(element, row !== undefined);
      if (!row) return;
      setText(title, t('{0}, partition {1}', row.topic, row.partition));
      tail.setDisabled(row.committed === null ? t('There is no commit to start at.') : undefined);
      // What holds it back is told better where it was looked at.
      const note = readable?.openTransaction ? undefined : noteOf(row, options.isolation());
      const isolation = options.isolation();
      fillOnce(facts, [...(note ? [note.text] : []), ...factWords(row, { isolation, atMs })]);
      showParts(parts, row, readable);
    },
  };
}

/** Lines of text, and nothing done where they are the same. */
function fillOnce(element: HTMLElement, lines: readonly string[]): void {
  if (element.getAttribute('data-shown') === lines.join('\n')) return;
  setAttribute(element, 'data-shown', lines.join('\n'));
  fill(element, ...lines.map((line) => h('p', {}, line)));
}

function factWords(
  row: LagPartition,
  { isolation, atMs }: { readonly isolation: Isolation; readonly atMs: number },
): string[] {
  const { short, long } = timeWords(row.time, atMs);
  const lag = lagOf(row, isolation);
  return [
    ...(lag !== undefined && lag > 0n && row.time.kind === 'known'
      ? [t('Behind by {0}. {1}', short, long)]
      : []),
    ...servedWords(row),
  ];
}

/** Of an embedded cluster: what the member has, and would get again. */
function servedWords({ served, committed }: LagPartition): string[] {
  if (served === undefined) return [];
  const ahead = BigInt(served) - BigInt(committed ?? 0);
  if (committed === null || ahead <= 0n) {
    return [t('The member has been sent what is before offset {0}.', formatInt64(served))];
  }
  return [
    t(
      'The member has been sent what is before offset {0}: up to {1} records would be read again if it ended now.',
      formatInt64(served),
      formatInt64(ahead.toString()),
    ),
  ];
}

function showParts(
  element: HTMLElement,
  { committed, end }: LagPartition,
  readable: ReadablePartition | undefined,
): void {
  const isNow = readable?.committed === committed && readable.end === end;
  const shown = JSON.stringify([readable, isNow]);
  if (element.getAttribute('data-shown') === shown) return;
  setAttribute(element, 'data-shown', shown);
  fill(element);
  if (!readable) return;
  if (readable.error) {
    append(element, h('p', { class: 'marked' }, icon('error'), errorWords(readable.error)));
    return;
  }
  const present = partNames.filter((name) => readable[name] !== '0');
  append(
    element,
    ...explanation(readable).map((sentence) => h('p', { class: 'explanation' }, sentence)),
    !isNow && h('p', { class: 'dim' }, countedThen(readable)),
    bar(readable, present),
    h(
      'ul',
      { class: 'part-list' },
      ...present.map((name) => {
        const { label, meaning } = partWords(name);
        const swatch = h('span', { class: `part part-${name}`, 'aria-hidden': 'true' });
        const figure = h('strong', {}, formatInt64(readable[name]));
        return h('li', { title: meaning }, swatch, figure, h('span', {}, label));
      }),
    ),
  );
}

function countedThen({ committed, end }: ReadablePartition): string {
  return t(
    'Counted when the commit was {0} and the end {1}.',
    formatInt64(committed),
    formatInt64(end),
  );
}

/** The parts side by side; a small one is still to be seen. What it shows stands in words below it. */
function bar(
  readable: ReadablePartition,
  present: readonly (typeof partNames)[number][],
): HTMLElement {
  const lag = Number(BigInt(readable.end) - BigInt(readable.committed));
  const pieces = present.map((name) => {
    const piece = h('span', { class: `part part-${name}` });
    piece.style.flexGrow = String(Math.max(Number(readable[name]) / lag, 0.01));
    return piece;
  });
  return h('div', { class: 'part-bar', 'aria-hidden': 'true' }, ...pieces);
}
