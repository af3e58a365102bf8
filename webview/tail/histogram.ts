/**
 * How many records are of which time, and a brush over it: drag, or move its two ends by the keyboard. Drawn as SVG by
 * hand, since a library's canvas would neither follow high contrast themes nor be read aloud.
 */
import { t } from '../../src/base/l10n.ts';
import { counted } from '../../src/shared/counted.ts';
import type { TailHistogram } from '../../src/shared/contracts/tailHistogram.ts';
import type { TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import { button } from '../kit/controls.ts';
import { h, setAttribute, setText, show } from '../kit/dom.ts';
import { groupThousands } from '../kit/format.ts';
import { moment, momentsOf } from './moments.ts';

export interface HistogramOptions {
  /** Undefined: all times. */
  readonly onBrush: (within: TimeSpan | undefined) => void;
}

/** Bins `from` to `to - 1`. */
interface Bins {
  readonly from: number;
  readonly to: number;
}

const SVG = 'http://www.w3.org/2000/svg';
const HEIGHT = 100;

export class HistogramView {
  readonly element: HTMLElement;
  readonly #options: HistogramOptions;
  readonly #plot: HTMLElement;
  readonly #bars = document.createElementNS(SVG, 'svg');
  readonly #brush = h('div', { class: 'brush', hidden: true });
  readonly #start = h('span', { class: 'moment' });
  readonly #end = h('span', { class: 'moment' });
  readonly #summary = h('span', { class: 'visually-hidden' });
  readonly #said = h('span', { class: 'brush-words', hidden: true });
  readonly #handles: readonly [HTMLElement, HTMLElement];
  readonly #earlier = button({ label: '', onClick: () => this.#showBeyond('earlier') });
  readonly #later = button({ label: '', onClick: () => this.#showBeyond('later') });
  readonly #clear = button({
    label: t('All times'),
    icon: 'close',
    title: t('Show records of all times again'),
    onClick: () => this.#options.onBrush(undefined),
  });
  #histogram: TailHistogram | undefined;
  #chosen: Bins | undefined;
  #dragFrom: number | undefined;

  constructor(options: HistogramOptions) {
    this.#options = options;
    this.#bars.setAttribute('preserveAspectRatio', 'none');
    this.#bars.setAttribute('aria-hidden', 'true');
    this.#handles = [this.#handle('from', t('First time')), this.#handle('to', t('Last time'))];
    this.#plot = h(
      'div',
      {
        class: 'plot',
        onpointerdown: (event) => this.#onDown(event),
        onpointermove: (event) => this.#onMove(event),
        onpointerup: () => this.#onUp(),
        onpointercancel: () => this.#choose(undefined),
        onpointerleave: () => this.#say(this.#chosen),
      },
      this.#brush,
      ...this.#handles,
      this.#said,
    );
    this.#plot.prepend(this.#bars);
    this.element = h(
      'div',
      { class: 'histogram', role: 'group', 'aria-label': t('Records over time'), hidden: true },
      this.#summary,
      this.#earlier.element,
      this.#start,
      this.#plot,
      this.#end,
      this.#later.element,
      this.#clear.element,
    );
    for (const { element } of [this.#clear, this.#earlier, this.#later]) show(element, false);
  }

  /** Draws counts; `within` is the span that they were limited to. */
  set(histogram: TailHistogram | undefined, within: TimeSpan | undefined): void {
    const isOther =
      histogram?.fromMs !== this.#histogram?.fromMs || histogram?.binMs !== this.#histogram?.binMs;
    this.#histogram = histogram;
    if (isOther && this.#dragFrom === undefined) this.#chosen = undefined;
    show(this.element, histogram !== undefined || within !== undefined);
    show(this.#clear.element, within !== undefined);
    if (histogram) this.#draw(histogram);
    this.#drawBeyond(histogram);
    this.#showBrush();
  }

  /** Rows of times that would leave nothing to be seen of all others are told of at the edge, and shown from there. */
  #drawBeyond({ earlier, later }: Partial<TailHistogram> = {}): void {
    show(this.#earlier.element, earlier !== undefined);
    show(this.#later.element, later !== undefined);
    if (earlier) this.#earlier.setLabel(t('◂ {0} earlier', groupThousands(earlier.count)));
    if (later) this.#later.setLabel(t('{0} later ▸', groupThousands(later.count)));
    this.#earlier.element.title = earlier
      ? t('{0} from {1} on: show these', counted(earlier.count, 'record'), dayAt(earlier.fromMs))
      : '';
    this.#later.element.title = later
      ? t('{0} up to {1}: show these', counted(later.count, 'record'), dayAt(later.toMs - 1))
      : '';
  }

  #showBeyond(side: 'earlier' | 'later'): void {
    const { fromMs, binMs, all, earlier, later } = this.#histogram ?? noHistogram;
    const endMs = fromMs + binMs * all.length;
    if (side === 'earlier' && earlier) {
      this.#options.onBrush({ fromMs: earlier.fromMs, toMs: fromMs });
    } else if (side === 'later' && later) {
      this.#options.onBrush({ fromMs: endMs, toMs: later.toMs });
    }
  }

  #draw({ fromMs, binMs, all, shown }: TailHistogram): void {
    const most = Math.max(1, ...all);
    this.#bars.setAttribute('viewBox', `0 0 ${all.length} ${HEIGHT}`);
    const paths = [barsPath(all, most, shown ? 'others' : 'shown')];
    if (shown) paths.push(barsPath(shown, most, 'shown'));
    this.#bars.replaceChildren(...paths);
    const [start, end] = momentsOf(fromMs, fromMs + binMs * all.length, binMs);
    setText(this.#start, start);
    setText(this.#end, end);
    setText(this.#summary, this.#summaryWords());
  }

  /** What the picture shows, for who cannot see it. */
  #summaryWords(): string {
    const { fromMs, binMs, all, untimed } = this.#histogram ?? noHistogram;
    const [start, end] = momentsOf(fromMs, fromMs + binMs * all.length, binMs);
    const busiest = all.indexOf(Math.max(...all));
    const words = t(
      '{0} from {1} to {2}; most of them, {3}, from {4} on.',
      counted(sum(all), 'record'),
      start,
      end,
      groupThousands(all[busiest] ?? 0),
      moment(fromMs + busiest * binMs, binMs),
    );
    return untimed === 0
      ? words
      : `${words} ${t('{0} without a time.', counted(untimed, 'record'))}`;
  }

  #handle(side: keyof Bins, label: string): HTMLElement {
    return h('div', {
      class: `brush-handle ${side}`,
      role: 'slider',
      tabindex: 0,
      'aria-label': label,
      'aria-valuemin': 0,
      title: t('Arrow keys move it, Enter shows the records of these times only'),
      onkeydown: (event) => this.#onKey(event, side),
    });
  }

  #onKey(event: KeyboardEvent, side: keyof Bins): void {
    const count = this.#histogram?.all.length ?? 0;
    const chosen = this.#chosen ?? { from: 0, to: count };
    const here = chosen[side];
    const page = Math.max(1, Math.round(count / 10));
    const moves: Record<string, number | undefined> = {
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      PageDown: here - page,
      PageUp: here + page,
      Home: 0,
      End: count,
    };
    const to = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (to !== undefined) this.#moveSide(chosen, side, to);
    else if (event.key === 'Enter') this.#commit();
    else if (event.key === 'Escape') {
      if (this.#chosen) this.#choose(undefined);
      else this.#options.onBrush(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** At least one bin stays between the ends. */
  #moveSide(chosen: Bins, side: keyof Bins, to: number): void {
    const count = this.#histogram?.all.length ?? 0;
    const [least, most] = side === 'from' ? [0, chosen.to - 1] : [chosen.from + 1, count];
    this.#choose({ ...chosen, [side]: Math.min(Math.max(to, least), most) });
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const bin = this.#binAt(event);
    if (bin === undefined) return;
    this.#dragFrom = bin;
    this.#plot.setPointerCapture(event.pointerId);
    this.#choose({ from: bin, to: bin + 1 });
  }

  #onMove(event: PointerEvent): void {
    const bin = this.#binAt(event);
    if (bin === undefined) return;
    const start = this.#dragFrom;
    if (start === undefined) this.#say({ from: bin, to: bin + 1 });
    else this.#choose({ from: Math.min(start, bin), to: Math.max(start, bin) + 1 });
  }

  #onUp(): void {
    if (this.#dragFrom === undefined) return;
    this.#dragFrom = undefined;
    this.#commit();
  }

  #binAt(event: PointerEvent): number | undefined {
    const count = this.#histogram?.all.length ?? 0;
    const { left, width } = this.#plot.getBoundingClientRect();
    if (count === 0 || width === 0) return undefined;
    const bin = Math.floor(((event.clientX - left) / width) * count);
    return Math.min(Math.max(bin, 0), count - 1);
  }

  #commit(): void {
    const { fromMs, binMs } = this.#histogram ?? noHistogram;
    const chosen = this.#chosen;
    if (!chosen) return;
    this.#chosen = undefined;
    this.#options.onBrush({
      fromMs: fromMs + chosen.from * binMs,
      toMs: fromMs + chosen.to * binMs,
    });
  }

  #choose(chosen: Bins | undefined): void {
    this.#chosen = chosen;
    if (!chosen) this.#dragFrom = undefined;
    this.#showBrush();
  }

  #showBrush(): void {
    const count = this.#histogram?.all.length ?? 0;
    const { from, to } = this.#chosen ?? { from: 0, to: count };
    const percent = (bin: number): string => `${count === 0 ? 0 : (bin / count) * 100}%`;
    show(this.#brush, this.#chosen !== undefined);
    this.#brush.style.insetInlineStart = percent(from);
    this.#brush.style.width = percent(to - from);
    this.#handles.forEach((handle, index) => {
      const bin = index === 0 ? from : to;
      handle.style.insetInlineStart = percent(bin);
      setAttribute(handle, 'aria-valuemax', count);
      setAttribute(handle, 'aria-valuenow', bin);
      setAttribute(handle, 'aria-valuetext', this.#words({ from, to }));
    });
    this.#say(this.#chosen);
  }

  #say(bins: Bins | undefined): void {
    show(this.#said, bins !== undefined);
    if (!bins) return;
    setText(this.#said, this.#words(bins));
    // Below what it is about, and never beyond either end.
    const middle = `${((bins.from + bins.to) / 2 / (this.#histogram?.all.length ?? 1)) * 100}%`;
    this.#said.style.insetInlineStart = middle;
    this.#said.style.translate = `-${middle}`;
  }

  #words({ from, to }: Bins): string {
    const { fromMs, binMs, all, shown } = this.#histogram ?? noHistogram;
    const [start, end] = momentsOf(fromMs + from * binMs, fromMs + to * binMs, binMs);
    const records = counted(sum(all.slice(from, to)), 'record');
    if (!shown) return t('{0} to {1}: {2}', start, end, records);
    const matched = groupThousands(sum(shown.slice(from, to)));
    return t('{0} to {1}: {2}, {3} shown', start, end, records, matched);
  }
}

const noHistogram: TailHistogram = { fromMs: 0, binMs: 1, all: [], untimed: 0 };

const dayMs = 86_400_000;
const dayAt = (epochMs: number): string => moment(epochMs, dayMs);

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

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
