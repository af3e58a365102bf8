/** The partitions of a group with what is planned for each. */
import { fill, h, setAttribute, setText } from '../kit/dom.ts';
import { formatDelta, formatInt64, groupThousands } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';
import { errorWords } from '../kit/parts.ts';
import { keyOf, type OffsetRow } from './model.ts';
import { toOffset } from './scenarioValues.ts';

export interface OffsetTable {
  readonly element: HTMLElement;
  /** Shows these rows in the place of those before. */
  setRows(rows: readonly OffsetRow[]): void;
  /** Shows again what has changed in the rows. */
  update(): void;
}

export interface OffsetTableOptions {
  readonly onSelect: () => void;
  /** A person set the new offset of one row. */
  readonly onTarget: (row: OffsetRow, offset: string) => void;
}

const COLUMNS = [
  ['Topic', 'topic'],
  ['P', 'number'],
  ['Committed', 'number'],
  ['End', 'number'],
  ['Lag', 'number'],
  ['New', 'target'],
  ['Delta', 'number'],
  ['Effect', 'effect'],
] as const;

interface Line {
  readonly element: HTMLElement;
  update(): void;
}

export function offsetTable(options: OffsetTableOptions): OffsetTable {
  let rows: readonly OffsetRow[] = [];
  let lines: Line[] = [];
  const all = h('input', {
    type: 'checkbox',
    'aria-label': 'All partitions',
    onchange: () => {
      for (const row of rows) row.selected = all.checked;
      table.update();
      options.onSelect();
    },
  });
  const body = h('tbody');
  const element = h(
    'table',
    { class: 'offset-table', 'aria-label': 'Partitions' },
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'select' }, all),
        ...COLUMNS.map(([title, name]) => h('th', { scope: 'col', class: name }, title)),
      ),
    ),
    body,
  );
  const selectionChanged = (): void => {
    updateAll(all, rows);
    options.onSelect();
  };
  const table: OffsetTable = {
    element,
    setRows: (next) => {
      rows = next;
      lines = rows.map((row) => line(row, options, selectionChanged));
      fill(body, ...lines.map((each) => each.element));
      table.update();
    },
    update: () => {
      for (const each of lines) each.update();
      updateAll(all, rows);
    },
  };
  return table;
}

function updateAll(all: HTMLInputElement, rows: readonly OffsetRow[]): void {
  const usable = rows.filter((row) => !row.error);
  const selected = usable.filter((row) => row.selected).length;
  all.checked = selected > 0 && selected === usable.length;
  all.indeterminate = selected > 0 && selected < usable.length;
}

function line(row: OffsetRow, options: OffsetTableOptions, onSelect: () => void): Line {
  const name = `${row.topic} partition ${row.partition}`;
  const select = h('input', {
    type: 'checkbox',
    'aria-label': `Reset ${name}`,
    onchange: () => {
      row.selected = select.checked;
      element.classList.toggle('unselected', !row.selected);
      onSelect();
    },
  });
  const target = targetInput(row, name, options.onTarget);
  const cells = {
    committed: h('td', { class: 'number' }),
    end: h('td', { class: 'number' }),
    lag: h('td', { class: 'number' }),
    delta: h('td', { class: 'number' }),
    effect: h('td', { class: 'effect' }),
  };
  const element = h(
    'tr',
    { 'data-row': keyOf(row) },
    h('td', { class: 'select' }, select),
    h('th', { scope: 'row', class: 'topic' }, row.topic),
    h('td', { class: 'number' }, groupThousands(row.partition)),
    cells.committed,
    cells.end,
    cells.lag,
    h('td', { class: 'target' }, target.element),
    cells.delta,
    cells.effect,
  );
  let shown: readonly unknown[] = [];
  const update = (): void => {
    select.checked = row.selected && !row.error;
    select.disabled = row.error !== undefined;
    element.classList.toggle('unselected', !row.selected);
    const next = [row.committed, row.end, row.lag, row.plan, row.result, row.error];
    if (shown.length > 0 && next.every((value, i) => value === shown[i])) return;
    shown = next;
    writeFigure(cells.committed, row.committed, 'no commit');
    writeFigure(cells.end, row.end, '–');
    writeFigure(cells.lag, row.lag, '–');
    const delta = row.plan?.delta;
    setText(cells.delta, delta === undefined || delta === null ? '–' : formatDelta(delta));
    target.update();
    writeEffect(cells.effect, row);
  };
  return { element, update };
}

function writeFigure(cell: HTMLElement, value: string | null | undefined, none: string): void {
  setText(cell, value === undefined ? '–' : value === null ? none : formatInt64(value));
  cell.classList.toggle('none', value === null || value === undefined);
}

function targetInput(
  row: OffsetRow,
  name: string,
  onTarget: OffsetTableOptions['onTarget'],
): { element: HTMLInputElement; update: () => void } {
  const element = h('input', {
    class: 'input number',
    inputmode: 'numeric',
    'aria-label': `New offset of ${name}`,
    onchange: () => {
      const offset = toOffset(element.value);
      element.classList.toggle('invalid', offset === undefined);
      setAttribute(element, 'aria-invalid', offset === undefined);
      element.title = offset === undefined ? 'Not an offset: digits only' : '';
      if (offset !== undefined) onTarget(row, offset);
    },
    onkeydown: (event) => {
      if (event.key === 'Escape') update();
    },
  });
  const update = (): void => {
    element.value = row.plan ? groupThousands(row.plan.target) : '';
    element.disabled = row.error !== undefined;
    element.classList.remove('invalid');
    setAttribute(element, 'aria-invalid', undefined);
  };
  return { element, update };
}

/** The result if there is one, else what is planned, else what is wrong. */
function writeEffect(cell: HTMLElement, row: OffsetRow): void {
  const { result, plan, error } = row;
  if (result) {
    fill(cell, ...resultWords(result));
  } else if (error) {
    fill(cell, marked('error', errorWords(error)));
  } else if (plan) {
    fill(
      cell,
      h('span', {}, plan.effect),
      plan.warning !== undefined && marked('warning', plan.warning),
    );
  } else {
    fill(cell);
  }
}

function resultWords(result: NonNullable<OffsetRow['result']>): HTMLElement[] {
  if (result.error) {
    return [marked('error', errorWords(result.error))];
  }
  const committed = result.committed === null ? 'no commit' : formatInt64(result.committed);
  return [marked('check', `Reset; read back as ${committed}`)];
}

function marked(name: 'error' | 'warning' | 'check', words: string): HTMLElement {
  return h('span', { class: `marked marked-${name}` }, icon(name), h('span', {}, words));
}
