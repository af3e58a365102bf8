/** How the lag went: two charts with one cursor, or the same as a table. */
import { t } from '../../src/base/l10n.ts';
import type { LagPoint } from '../../src/shared/contracts/lag.ts';
import { button } from '../kit/controls.ts';
import { fill, h, setAttribute, setText, show } from '../kit/dom.ts';
import { formatInt64, formatTimestamp, groupThousands } from '../kit/format.ts';
import { segmented } from '../kit/parts.ts';
import {
  columnsOf,
  type HistoryTable,
  historyTable,
  lagValue,
  type NamedPoints,
  tableText,
  timesOf,
} from './chartData.ts';
import { lineSlots } from './lineSlots.ts';
import { type LineLook, plot } from './plot.ts';
import { rateWords } from './words.ts';

export interface Shown {
  readonly total: readonly LagPoint[];
  readonly partitions: readonly NamedPoints[];
  /** The partition that is looked at, by its name among them. */
  readonly selected: string | undefined;
}

export interface HistoryView {
  readonly element: HTMLElement;
  set(shown: Shown): void;
}

const totalLook: LineLook = { slot: 'line-total', dash: [], width: 2 };
const partitionLooks: readonly LineLook[] = [
  { slot: 'line-1', dash: [], width: 1.5 },
  { slot: 'line-2', dash: [6, 3], width: 1.5 },
  { slot: 'line-3', dash: [2, 3], width: 1.5 },
  { slot: 'line-4', dash: [9, 3, 2, 3], width: 1.5 },
  { slot: 'line-5', dash: [12, 4], width: 1.5 },
];
const rateLooks: readonly LineLook[] = [
  { slot: 'line-1', dash: [], width: 1.5 },
  { slot: 'line-2', dash: [6, 3], width: 1.5 },
];

export function historyView(options: { readonly onCopy: (text: string) => void }): HistoryView {
  return new History(options.onCopy);
}

class History implements HistoryView {
  readonly element: HTMLElement;
  readonly #onCopy: (text: string) => void;
  readonly #lagPlot = plot({ formatValue: short, onPoint: (index) => this.#point(index) });
  readonly #ratePlot = plot({ formatValue: short, onPoint: (index) => this.#point(index) });
  readonly #lagLegend = h('ul', { class: 'legend' });
  readonly #rateLegend = h('ul', { class: 'legend' });
  readonly #cursor: HTMLElement;
  readonly #readout = h('p', { class: 'readout dim' });
  readonly #table = h('div', { class: 'history-table', role: 'region', tabindex: 0, hidden: true });
  readonly #empty = h('p', { class: 'dim', hidden: true });
  #shown: Shown = { total: [], partitions: [], selected: undefined };
  #slots: ReadonlyMap<string, number> = new Map();
  #of: 'all' | 'selected' = 'all';
  #at: number | undefined;
  #isTable = false;

  constructor(onCopy: (text: string) => void) {
    this.#onCopy = onCopy;
    this.#cursor = h(
      'div',
      {
        class: 'charts',
        role: 'slider',
        tabindex: 0,
        'aria-label': t('Time in the charts'),
        'aria-valuenow': 0,
        onkeydown: (event) => this.#onKey(event),
        onblur: () => this.#point(undefined),
      },
      chartBox(t('Lag'), this.#lagPlot.element),
      chartBox(t('Rates, offsets per second'), this.#ratePlot.element),
    );
    setAttribute(this.#table, 'aria-label', t('Lag and rates over time'));
    setText(this.#empty, t('The history begins with the second sample.'));
    this.element = h(
      'section',
      { class: 'history', 'aria-label': t('History') },
      this.#bar(),
      this.#cursor,
      h('div', { class: 'legends' }, this.#lagLegend, this.#rateLegend),
      this.#readout,
      this.#empty,
      this.#table,
    );
  }

  set(shown: Shown): void {
    this.#shown = shown;
    const names = shown.partitions.map(({ name }) => name);
    this.#slots = lineSlots(names, this.#slots);
    this.#draw();
  }

  #bar(): HTMLElement {
    const view = segmented<'chart' | 'table'>({
      label: t('History as'),
      choices: [
        { value: 'chart', text: t('Chart') },
        { value: 'table', text: t('Table') },
      ],
      value: 'chart',
      onChange: (value) => {
        this.#isTable = value === 'table';
        this.#draw();
      },
    });
    const of = segmented<'all' | 'selected'>({
      label: t('Rates of'),
      choices: [
        { value: 'all', text: t('All partitions') },
        { value: 'selected', text: t('Selected') },
      ],
      value: 'all',
      onChange: (value) => {
        this.#of = value;
        this.#draw();
      },
    });
    const copy = button({
      label: t('Copy table'),
      icon: 'copy',
      onClick: () => this.#onCopy(tableText(this.#historyTable())),
    });
    return h(
      'div',
      { class: 'history-bar' },
      view.element,
      h('span', { class: 'spring' }),
      h('span', { class: 'labelled' }, h('span', { class: 'dim' }, t('rates of')), of.element),
      copy.element,
    );
  }

  get #series(): NamedPoints[] {
    return [{ name: t('all'), points: this.#shown.total }, ...this.#shown.partitions];
  }

  /** What the rates are of: one partition has no sum beside it. */
  get #rated(): NamedPoints {
    const { total, partitions, selected } = this.#shown;
    const chosen = partitions.find(({ name }) => name === selected);
    return this.#of === 'selected' && chosen ? chosen : { name: t('all'), points: total };
  }

  #historyTable(): HistoryTable {
    const rated = this.#rated;
    return historyTable([rated, ...this.#series.filter(({ name }) => name !== rated.name)]);
  }

  #draw(): void {
    const hasHistory = this.#shown.total.length > 1;
    show(this.#empty, !hasHistory);
    for (const part of [this.#cursor, this.#readout]) show(part, hasHistory && !this.#isTable);
    for (const legend of [this.#lagLegend, this.#rateLegend]) {
      show(legend, hasHistory && !this.#isTable);
    }
    show(this.#table, hasHistory && this.#isTable);
    if (!hasHistory) return;
    if (this.#isTable) {
      fill(this.#table, tableElement(this.#historyTable()));
      return;
    }
    const looks = [totalLook, ...this.#shown.partitions.map(({ name }) => this.#lookOf(name))];
    this.#lagPlot.set(columnsOf(this.#series, lagValue), looks);
    const { points } = this.#rated;
    const [times, produced = []] = columnsOf([{ name: '', points }], ([, , rate]) => rate);
    const [, consumed = []] = columnsOf([{ name: '', points }], ([, , , rate]) => rate);
    this.#ratePlot.set([times, produced, consumed], rateLooks);
    legend(
      this.#lagLegend,
      this.#series.map(({ name }, i) => [name, looks[i] ?? totalLook]),
    );
    legend(this.#rateLegend, [
      [t('produced, {0}', this.#rated.name), rateLooks[0] ?? totalLook],
      [t('consumed, {0}', this.#rated.name), rateLooks[1] ?? totalLook],
    ]);
    this.#point(this.#at);
  }

  #lookOf(name: string): LineLook {
    return partitionLooks[this.#slots.get(name) ?? 0] ?? totalLook;
  }

  /** Marks a point of time in both charts, and says what was then. */
  #point(index: number | undefined): void {
    const times = columnsOf(this.#series, lagValue)[0];
    const last = times.length - 1;
    this.#at = index === undefined ? undefined : Math.min(Math.max(index, 0), last);
    this.#lagPlot.mark(this.#at);
    this.#ratePlot.mark(this.#at);
    const words = this.#words((times[this.#at ?? last] ?? 0) * 1000);
    setText(this.#readout, words);
    setAttribute(this.#cursor, 'aria-valuemin', 0);
    setAttribute(this.#cursor, 'aria-valuemax', Math.max(last, 0));
    setAttribute(this.#cursor, 'aria-valuenow', this.#at ?? last);
    setAttribute(this.#cursor, 'aria-valuetext', words);
  }

  #words(atMs: number): string {
    const { short: time } = formatTimestamp(String(Math.round(atMs)));
    const lags = this.#series.flatMap(({ name, points }) => {
      const lag = points.find(([of]) => of === atMs)?.[1];
      return lag === undefined || lag === null ? [] : [t('{0}: {1}', name, formatInt64(lag))];
    });
    const [, , produced = null, consumed = null] =
      this.#rated.points.find(([of]) => of === atMs) ?? [];
    const ratesWords = t(
      'produced {0}/s, consumed {1}/s',
      rateWords(produced),
      rateWords(consumed),
    );
    return [time.replace(/\.\d+$/, ''), ...lags, ratesWords].join(' · ');
  }

  #onKey(event: KeyboardEvent): void {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const last = timesOf(this.#series).length - 1;
    const here = this.#at ?? last;
    const moves: Record<string, number | undefined> = {
      ArrowLeft: here - 1,
      ArrowRight: here + 1,
      PageDown: here - 10,
      PageUp: here + 10,
      Home: 0,
      End: last,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (to === undefined) return;
    event.preventDefault();
    this.#point(to);
  }
}

function chartBox(title: string, element: HTMLElement): HTMLElement {
  return h('div', { class: 'chart' }, h('h2', {}, title), element);
}

/** Lines by their look and their name; their looks differ in more than colour. */
function legend(list: HTMLElement, lines: readonly (readonly [string, LineLook])[]): void {
  const shown = JSON.stringify(lines);
  if (list.getAttribute('data-shown') === shown) return;
  setAttribute(list, 'data-shown', shown);
  fill(list, ...lines.map(([name, look]) => h('li', {}, swatch(look), h('span', {}, name))));
}

const SVG = 'http://www.w3.org/2000/svg';

function swatch({ slot, dash, width }: LineLook): HTMLElement {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'line');
  const attributes = { x1: '0', x2: '28', y1: '5', y2: '5', stroke: 'currentColor' };
  for (const [name, value] of Object.entries(attributes)) line.setAttribute(name, value);
  line.setAttribute('stroke-width', String(width));
  if (dash.length > 0) line.setAttribute('stroke-dasharray', dash.join(' '));
  svg.setAttribute('viewBox', '0 0 28 10');
  svg.append(line);
  return h('span', { class: `swatch ${slot}`, 'aria-hidden': 'true' }, svg as unknown as Node);
}

function tableElement({ titles, rows }: HistoryTable): HTMLElement {
  const head = titles.map((title) => h('th', { scope: 'col' }, title));
  const body = rows.map(([atMs, ...figures]) => {
    const { short: time, long } = formatTimestamp(String(Math.round(atMs)));
    const cells = figures.map((figure) =>
      h('td', {}, figure === '' ? '–' : figure.includes('.') ? figure : formatInt64(figure)),
    );
    return h('tr', {}, h('th', { scope: 'row', title: long }, time), ...cells);
  });
  return h('table', {}, h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...body));
}

/** A figure at an axis. */
function short(value: number): string {
  return Number.isInteger(value) ? groupThousands(value).replace('-', '−') : value.toFixed(1);
}
