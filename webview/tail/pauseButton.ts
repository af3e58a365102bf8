/** Pauses reading, and goes on. */
import { t } from '../../src/base/l10n.ts';
import { button } from '../kit/controls.ts';

export class PauseButton {
  readonly element: HTMLElement;
  readonly #button: ReturnType<typeof button>;
  readonly #onSet: (paused: boolean) => Promise<void>;
  #isPaused = false;
  #reason: string | undefined;

  constructor(onSet: (paused: boolean) => Promise<void>) {
    this.#onSet = onSet;
    this.#button = button({
      label: t('Pause'),
      icon: 'pause',
      onClick: () => void this.set(!this.#isPaused),
    });
    this.element = this.#button.element;
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  show(paused: boolean): void {
    this.#isPaused = paused;
    this.#button.setLabel(paused ? t('Resume') : t('Pause'), paused ? 'play' : 'pause');
  }

  /** With why there is nothing to pause; undefined: there is. */
  setDisabled(reason: string | undefined): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    this.#button.setDisabled(reason);
  }

  async set(paused: boolean): Promise<void> {
    this.show(paused);
    await this.#onSet(paused);
    // A seek that ended meanwhile has shown it running.
    this.show(paused);
  }
}
