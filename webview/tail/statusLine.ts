/** What the tail is doing, in a few figures; another state is read aloud. */
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { h, setText } from '../kit/dom.ts';
import { announce } from '../kit/parts.ts';
import { statusWords } from './statusWords.ts';

export class StatusLine {
  readonly #state = h('span', { class: 'state' });
  readonly #figures = h('span', { class: 'figures' });
  readonly element = h('div', { class: 'status' }, this.#state, this.#figures);
  #shown: string | undefined;

  set(progress: TailProgress, isClusterStopped: boolean): void {
    const { state, figures, memory, order } = statusWords(progress, isClusterStopped);
    setText(this.#state, state);
    this.#state.dataset['state'] = progress.state;
    setText(this.#figures, figures.join(' · '));
    this.#figures.title = [order, memory].filter(Boolean).join('\n');
    const shown = isClusterStopped ? 'stopped' : progress.state;
    if (this.#shown !== undefined && this.#shown !== shown) announce(state);
    this.#shown = shown;
  }
}
