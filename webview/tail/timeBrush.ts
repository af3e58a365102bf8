/** Chooses some of the bins of a picture: drag over them, or move the two ends by the keyboard. */
import { t } from '../../src/base/l10n.ts';
import { h, setAttribute, setText, show } from '../kit/dom.ts';
import type { Bins } from './histogramWords.ts';

export interface TimeBrushOptions {
  /** How many bins there are. */
  readonly count: () => number;
  readonly words: (bins: Bins) => string;
  readonly onChoose: (bins: Bins) => void;
  /** Escape where nothing is chosen. */
  readonly onClear: () => void;
}

export class TimeBrush {
  /** What the picture goes into, below the brush. */
  readonly plot: HTMLElement;
  readonly #options: TimeBrushOptions;
  readonly #brush = h('div', { class: 'brush', hidden: true });
  readonly #said = h('span', { class: 'brush-words', hidden: true });
  readonly #handles: readonly [HTMLElement, HTMLElement];
  #chosen: Bins | undefined;
  #dragFrom: number | undefined;

  constructor(options: TimeBrushOptions) {
    this.#options = options;
    this.#handles = [this.#handle('from', t('First time')), this.#handle('to', t('Last time'))];
    this.plot = h(
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
  }

  /** The bins are of other times now: what was chosen of them is given up, unless it is being drawn. */
  forget(): void {
    if (this.#dragFrom === undefined) this.#chosen = undefined;
  }

  /** Says anew what is in the bins that are chosen. */
  draw(): void {
    const count = this.#options.count();
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
      setAttribute(handle, 'aria-valuetext', this.#options.words({ from, to }));
    });
    this.#say(this.#chosen);
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
    const count = this.#options.count();
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
      else this.#options.onClear();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** At least one bin stays between the ends. */
  #moveSide(chosen: Bins, side: keyof Bins, to: number): void {
    const count = this.#options.count();
    const [least, most] = side === 'from' ? [0, chosen.to - 1] : [chosen.from + 1, count];
    this.#choose({ ...chosen, [side]: Math.min(Math.max(to, least), most) });
  }

  #onDown(event: PointerEvent): void {
    if (event.button !== 0) return;
    const bin = this.#binAt(event);
    if (bin === undefined) return;
    this.#dragFrom = bin;
    this.plot.setPointerCapture(event.pointerId);
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
    const count = this.#options.count();
    const { left, width } = this.plot.getBoundingClientRect();
    if (count === 0 || width === 0) return undefined;
    const bin = Math.floor(((event.clientX - left) / width) * count);
    return Math.min(Math.max(bin, 0), count - 1);
  }

  #commit(): void {
    const chosen = this.#chosen;
    if (!chosen) return;
    this.#chosen = undefined;
    this.#options.onChoose(chosen);
  }

  #choose(chosen: Bins | undefined): void {
    this.#chosen = chosen;
    if (!chosen) this.#dragFrom = undefined;
    this.draw();
  }

  #say(bins: Bins | undefined): void {
    show(this.#said, bins !== undefined);
    if (!bins) return;
    setText(this.#said, this.#options.words(bins));
    // Below what it is about, and never beyond either end.
    const middle = `${((bins.from + bins.to) / 2 / Math.max(1, this.#options.count())) * 100}%`;
    this.#said.style.insetInlineStart = middle;
    this.#said.style.translate = `-${middle}`;
  }
}
