/** The last stable offset and who holds it back: a line for each partition on which it lags. */
import type { HeldBack } from '../../src/shared/contracts/tailProgress.ts';
import { fill, h, show } from '../kit/dom.ts';
import { stableWords } from './statusWords.ts';

const TICK_MS = 1000;

export class StableLine {
  readonly element = h('div', { class: 'stable-lines', role: 'note', hidden: true });
  #heldBack: readonly HeldBack[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  set(heldBack: readonly HeldBack[]): void {
    this.#heldBack = heldBack;
    show(this.element, heldBack.length > 0);
    clearInterval(this.#timer);
    // How long it has been open goes on while nothing else happens.
    if (heldBack.length > 0) this.#timer = setInterval(() => this.#draw(), TICK_MS);
    this.#draw();
  }

  #draw(): void {
    const nowMs = Date.now();
    fill(
      this.element,
      ...this.#heldBack.map((held) => h('div', { class: 'stable-line' }, stableWords(held, nowMs))),
    );
  }
}
