/** One partition's row: its figures, its new offset to edit, and what comes of it. */
import { t } from '../../src/base/l10n.ts';
import { fill, h, setAttribute, setText } from '../kit/dom.ts';
import { formatDelta, formatInt64, groupThousands } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';
import { errorWords } from '../kit/parts.ts';
import { keyOf, type OffsetRow } from './model.ts';
import { toOffset } from './scenarioValues.ts';

export interface TableLine {
  readonly row: OffsetRow;
  readonly element: HTMLElement;
  update(): void;
  focusTarget(): void;
  focusSelect(): void;
}

export interface TableLineOptions {
  readonly onSelect: () => void;
  readonly onTarget: (row: OffsetRow, offset: string | undefined) => void;
  readonly onLook: (row: OffsetRow) => void;
  /** The pointer is on the row's new offset; undefined: no longer. */
  readonly onHover: (row: OffsetRow, at: HTMLElement | undefined) => void;
}

export function tableLine(row: OffsetRow, options: TableLineOptions): TableLine {
  const name = t('{0} partition {1}', row.topic, row.partition);
  const select = h('input', {
    type: 'checkbox',
    'aria-label': t('Reset {0}', name),
    onchange: () => {
      row.selected = select.checked;
      options.onSelect();
    },
  });
  const target = targetInput(row, name, options.onTarget);
  const cells = figureCells();
  const element = h(
    'tr',
    {
      'data-row': keyOf(row),
      onclick: () => options.onLook(row),
      onfocusin: () => options.onLook(row),
    },
    h('td', { class: 'select' }, select),
    h('th', { scope: 'row', class: 'topic', title: row.topic }, row.topic),
    h('td', { class: 'number' }, groupThousands(row.partition)),
    cells.committed,
    cells.end,
    cells.lag,
    h(
      'td',
      {
        class: 'target',
        onpointerenter: () => options.onHover(row, target.element),
        onpointerleave: () => options.onHover(row, undefined),
      },
      target.element,
    ),
    cells.delta,
    cells.effect,
  );
  let shown: readonly unknown[] = [];
  return {
    row,
    element,
    focusTarget: () => target.element.focus(),
    focusSelect: () => select.focus(),
    update: () => {
      select.checked = row.selected && !row.error;
      select.disabled = row.error !== undefined;
      element.classList.toggle('unselected', !row.selected);
      const { committed, end, lag, plan, result, error, refusal, edited } = row;
      const next = [committed, end, lag, plan, result, error, refusal, edited];
      if (shown.length > 0 && next.every((value, i) => value === shown[i])) return;
      shown = next;
      writeFigures(cells, row);
      target.update();
    },
  };
}

interface FigureCells {
  readonly committed: HTMLElement;
  readonly end: HTMLElement;
  readonly lag: HTMLElement;
  readonly delta: HTMLElement;
  readonly effect: HTMLElement;
}

function figureCells(): FigureCells {
  return {
    committed: h('td', { class: 'number' }),
    end: h('td', { class: 'number end' }),
    lag: h('td', { class: 'number' }),
    delta: h('td', { class: 'number delta' }),
    effect: h('td', { class: 'effect' }, h('div', { class: 'effect-words' })),
  };
}

function writeFigures(cells: FigureCells, row: OffsetRow): void {
  writeFigure(cells.committed, row.committed, t('no commit'));
  writeFigure(cells.end, row.end, '–');
  writeFigure(cells.lag, row.lag, '–');
  const delta = row.plan?.delta;
  setText(cells.delta, delta === undefined || delta === null ? '–' : formatDelta(delta));
  writeEffect(cells.effect, row);
}

function writeFigure(cell: HTMLElement, value: string | null | undefined, none: string): void {
  setText(cell, value === undefined ? '–' : value === null ? none : formatInt64(value));
  cell.classList.toggle('none', value === null || value === undefined);
}

function targetInput(
  row: OffsetRow,
  name: string,
  onTarget: TableLineOptions['onTarget'],
): { element: HTMLInputElement; update: () => void } {
  const element = h('input', {
    class: 'input number',
    inputmode: 'numeric',
    'aria-label': t('New offset of {0}', name),
    onchange: () => {
      const isCleared = element.value.trim() === '';
      const offset = toOffset(element.value);
      const isBad = !isCleared && offset === undefined;
      element.classList.toggle('invalid', isBad);
      setAttribute(element, 'aria-invalid', isBad);
      element.title = isBad ? t('Not an offset: digits only') : '';
      if (!isBad) onTarget(row, offset);
    },
    onkeydown: (event) => {
      if (event.key === 'Escape') update();
    },
  });
  const update = (): void => {
    const target = row.plan?.target;
    element.value = target === undefined || target === null ? '' : groupThousands(target);
    setAttribute(element, 'placeholder', target === null ? t('no commit') : undefined);
    element.disabled = row.error !== undefined;
    element.classList.toggle('edited', row.edited !== undefined);
    element.classList.remove('invalid');
    setAttribute(element, 'aria-invalid', undefined);
  };
  return { element, update };
}

/** The result if there is one, else what is planned, else what is wrong. */
function writeEffect(cell: HTMLElement, row: OffsetRow): void {
  const words = cell.firstElementChild;
  if (words) fill(words, ...effectOf(row));
  // The row has one line for it; what does not fit can be read on hover, and in the details.
  cell.title = cell.textContent;
}

function effectOf({ result, plan, error, refusal }: OffsetRow): HTMLElement[] {
  if (result) return [resultWords(result)];
  if (error) return [marked('error', errorWords(error))];
  if (refusal !== undefined) return [marked('info', t('Left out: {0}', refusal))];
  if (!plan) return [];
  const effect = h('span', {}, plan.effect);
  return plan.warning === undefined ? [effect] : [effect, marked('warning', plan.warning)];
}

function resultWords(result: NonNullable<OffsetRow['result']>): HTMLElement {
  if (result.error) return marked('error', errorWords(result.error));
  return marked(
    'check',
    result.committed === null
      ? t('Done; read back as no commit')
      : t('Reset; read back as {0}', formatInt64(result.committed)),
  );
}

function marked(name: 'error' | 'warning' | 'check' | 'info', words: string): HTMLElement {
  return h('span', { class: `marked marked-${name}` }, icon(name), h('span', {}, words));
}
