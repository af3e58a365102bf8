/** One line chart. Only this file knows the library that draws it. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { h } from '../kit/dom.ts';
import { clockTime, timeSteps, valueSteps } from './axes.ts';
import { aloneIn, type Columns } from './chartData.ts';

/** How a line looks: its colour's slot in the style sheet, and never its colour alone. */
export interface LineLook {
  readonly slot: string;
  readonly dash: readonly number[];
  readonly width: number;
}

export interface Plot {
  readonly element: HTMLElement;
  set(columns: Columns, looks: readonly LineLook[]): void;
  /** Marks a point of time; undefined: none. */
  mark(index: number | undefined): void;
}

export function plot(options: {
  readonly formatValue: (value: number) => string;
  /** The pointer is at a point of time, or left. */
  readonly onPoint: (index: number | undefined) => void;
}): Plot {
  return new LinePlot(options);
}

type Options = Parameters<typeof plot>[0];

class LinePlot implements Plot {
  readonly element = h('div', { class: 'plot', 'aria-hidden': 'true' });
  readonly #options: Options;
  #chart: uPlot | undefined;
  #columns: Columns = [[]];
  #looks: readonly LineLook[] = [];
  #shape = '';

  constructor(options: Options) {
    this.#options = options;
    new ResizeObserver(() => this.#resize()).observe(this.element);
    // The colours are drawn, so another theme means another drawing.
    new MutationObserver(() => this.#rebuild()).observe(document.body, {
      attributeFilter: ['class'],
    });
  }

  set(columns: Columns, looks: readonly LineLook[]): void {
    this.#columns = columns;
    this.#looks = looks;
    const shape = JSON.stringify(looks);
    if (!this.#chart || shape !== this.#shape) {
      this.#shape = shape;
      this.#rebuild();
    } else this.#chart.setData(columns);
  }

  mark(index: number | undefined): void {
    const chart = this.#chart;
    if (!chart) return;
    const at = index === undefined ? undefined : this.#columns[0][index];
    const left = at === undefined ? -10 : chart.valToPos(at, 'x');
    chart.setCursor({ left, top: at === undefined ? -10 : 0 }, false);
  }

  /** As the style sheet has it. */
  get #size(): { readonly width: number; readonly height: number } {
    const { clientWidth: width, clientHeight: height } = this.element;
    return { width, height };
  }

  #rebuild(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
    if (this.#looks.length === 0 || this.element.clientWidth === 0) return;
    this.#chart = new uPlot(this.#settings(), this.#columns, this.element);
  }

  #resize(): void {
    if (!this.#chart) this.#rebuild();
    else this.#chart.setSize(this.#size);
  }

  #settings(): uPlot.Options {
    const { formatValue, onPoint } = this.#options;
    const text = colorOf('plot-text');
    const grid = { stroke: colorOf('plot-grid'), width: 1 };
    const axis = { stroke: text, font: font(), grid, ticks: { ...grid, size: 4 } };
    return {
      ...this.#size,
      legend: { show: false },
      cursor: {
        y: false,
        drag: { x: false, y: false },
        points: { size: 6 },
        bind: {
          mouseleave: (_chart, _target, handler) => (event) => {
            onPoint(undefined);
            return handler(event);
          },
          mousemove: (chart, _target, handler) => (event) => {
            const done = handler(event);
            const { left = -1 } = chart.cursor;
            if (left >= 0) onPoint(chart.posToIdx(left));
            return done;
          },
        },
      },
      scales: { y: { range: (_chart, min, max) => rangeOf(min, max) } },
      axes: [
        {
          ...{ ...axis, incrs: timeSteps, space: 80, size: 26 },
          values: (_chart, times) => times.map(clockTime),
        },
        {
          ...{ ...axis, incrs: valueSteps, size: 64 },
          values: (_chart, values) => values.map(formatValue),
        },
      ],
      series: [
        {},
        ...this.#looks.map(({ slot, dash, width }) => ({
          stroke: colorOf(slot),
          width,
          dash: [...dash],
          // A line needs two: the first rate after a pause would not be seen.
          points: {
            ...{ show: false, size: 6 },
            filter: (_chart: uPlot, at: number) => aloneIn(this.#columns[at] ?? []),
          },
          pxAlign: 0,
        })),
      ],
    };
  }
}

/** From 0, unless something is below it, with some air above. */
function rangeOf(min: number, max: number): [number, number] {
  const lowest = Math.min(0, min);
  return [lowest, Math.max(max + (max - lowest) * 0.08, lowest + 1)];
}

/** What the style sheet gives a class, as a canvas needs it. */
function colorOf(className: string): string {
  const probe = h('span', { class: className, hidden: true });
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function font(): string {
  const { fontFamily } = getComputedStyle(document.body);
  return `11px ${fontFamily}`;
}
