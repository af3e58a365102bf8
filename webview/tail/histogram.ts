/**
 * How many records are of which time, with a brush over it. Drawn as SVG by hand, since a library's canvas would
 * neither follow high contrast themes nor be read aloud.
 */
import { t } from '../../src/base/l10n.ts';
import type { TailHistogram } from '../../src/shared/contracts/tailHistogram.ts';
import type { TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { axisWords, beyondWords, type Bins, binsWords, summaryWords } from './histogramWords.ts';
import { TimeBrush } from './timeBrush.ts';

export interface HistogramOptions {
  /** Undefined: all times. */
  readonly onBrush: (within: TimeSpan | undefined) => void;
}

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 100;

export class HistogramView {
  readonly element: HTMLElement;
  readonly #options: HistogramOptions;
  readonly #brush: TimeBrush;
  readonly #bars = document.createElementNS(SVG, 'svg');
  readonly #start = h('span', { class: 'moment' });
  readonly #end = h('span', { class: 'moment' });
  readonly #summary = h('span', { class: 'visually-hidden' });
  readonly #earlier = button({ label: '', onClick: () => this.#showBeyond('earlier') });
  readonly #later = button({ label: '', onClick: () => this.#showBeyond('later') });
  readonly #clear = button({
    label: t('All times'),
    icon: 'close',
    title: t('Show records of all times again'),
    onClick: () => this.#options.onBrush(undefined),
  });
  #histogram = noHistogram;

  constructor(options: HistogramOptions) {
    this.#options = options;
    this.#bars.setAttribute('preserveAspectRatio', 'none');
    this.#bars.setAttribute('aria-hidden', 'true');
    this.#brush = new TimeBrush({
      count: () => this.#histogram.all.length,
      words: (bins) => binsWords(this.#histogram, bins),
      onChoose: (bins) => options.onBrush(this.#spanOf(bins)),
      onClear: () => options.onBrush(undefined),
    });
    this.#brush.plot.prepend(this.#bars);
    this.element = h(
      'div',
      { class: 'histogram', role: 'group', 'aria-label': t('Records over time'), hidden: true },
      this.#summary,
      this.#earlier.element,
      this.#start,
      this.#brush.plot,
      this.#end,
      this.#later.element,
      this.#clear.element,
    );
    for (const { element } of [this.#clear, this.#earlier, this.#later]) show(element, false);
  }

  /** Draws counts; `within` is the span that they were limited to. */
  set(histogram: TailHistogram | undefined, within: TimeSpan | undefined): void {
    const next = histogram ?? noHistogram;
    const { fromMs, binMs } = this.#histogram;
    if (next.fromMs !== fromMs || next.binMs !== binMs) this.#brush.forget();
    this.#histogram = next;
    show(this.element, histogram !== undefined || within !== undefined);
    show(this.#clear.element, within !== undefined);
    if (histogram) this.#draw(histogram);
    this.#drawBeyond(next, 'earlier');
    this.#drawBeyond(next, 'later');
    this.#brush.draw();
  }

  /** Records of times that would leave nothing to be seen of all others: counted at the edge, and shown from there. */
  #drawBeyond(histogram: TailHistogram, side: 'earlier' | 'later'): void {
    const edge = side === 'earlier' ? this.#earlier : this.#later;
    const words = beyondWords(histogram, side);
    show(edge.element, words !== undefined);
    if (!words) return;
    edge.setLabel(words.label);
    edge.element.title = t('{0}: show these', words.title);
  }

  #showBeyond(side: 'earlier' | 'later'): void {
    const beyond = this.#histogram[side];
    if (beyond) this.#options.onBrush({ fromMs: beyond.fromMs, toMs: beyond.toMs });
  }

  #spanOf({ from, to }: Bins): TimeSpan {
    const { fromMs, binMs } = this.#histogram;
    return { fromMs: fromMs + from * binMs, toMs: fromMs + to * binMs };
  }

  #draw(histogram: TailHistogram): void {
    const { all, shown } = histogram;
    const most = Math.max(1, ...all);
    this.#bars.setAttribute('viewBox', `0 0 ${all.length} ${HEIGHT}`);
    const paths = [barsPath(all, most, shown ? 'others' : 'shown')];
    if (shown) paths.push(barsPath(shown, most, 'shown'));
    this.#bars.replaceChildren(...paths);
    const [first, last] = axisWords(histogram, Date.now());
    setText(this.#start, first);
    setText(this.#end, last);
    setText(this.#summary, summaryWords(histogram, Date.now()));
  }
}

const noHistogram: TailHistogram = {
  ...{ fromMs: 0, binMs: 1, firstMs: 0, lastMs: 0 },
  ...{ all: [], untimed: 0 },
};

/** All bars as one shape: one element, whatever their number. A bar of one record can still be seen. */
function barsPath(counts: readonly number[], most: number, name: string): SVGPathElement {
  const path = document.createElementNS(SVG, 'path');
  const bars = counts.map((count, bin) => {
    const height = count === 0 ? 0 : Math.max(6, (count / most) * HEIGHT);
    return height === 0 ? '' : `M${bin + 0.08} ${HEIGHT}v${-height}h0.84v${height}z`;
  });
  path.setAttribute('class', `bars ${name}`);
  path.setAttribute('d', bars.join(''));
  return path;
}
