/** Says where the tail could not start as it was asked to, and offers what can be done. */
import { t } from '../../src/base/l10n.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { noticeLine } from '../kit/parts.ts';
import { missedWords } from './missedWords.ts';

export interface MissedLineOptions {
  /** The seek expression in force. */
  readonly from: () => string | undefined;
  /** Starts from the end. */
  readonly onEnd: () => void;
}

export class MissedLine {
  readonly #options: MissedLineOptions;
  readonly #notice = noticeLine();
  readonly element = this.#notice.element;
  /** What was said last, and what the person needs no more. */
  #said: string | undefined;
  #dismissed: string | undefined;

  constructor(options: MissedLineOptions) {
    this.#options = options;
  }

  set({ session, missed }: TailProgress): void {
    const words = missed && missedWords(missed, this.#options.from(), Date.now());
    // The end goes on while it is waited for: that is no news.
    const news = `${session} ${missed?.awaited?.offset} ${missed?.gone?.offset}`;
    const said = `${news}: ${words}`;
    if (said === this.#said) return;
    this.#said = said;
    if (words === undefined || news === this.#dismissed) {
      this.#notice.show(undefined);
      return;
    }
    const fromEnd = { label: t('From the end'), onClick: this.#options.onEnd };
    const dismiss = {
      label: t('Dismiss'),
      onClick: () => {
        this.#dismissed = news;
        this.#notice.show(undefined);
      },
    };
    this.#notice.show(words, missed?.awaitsAll ? fromEnd : dismiss);
  }
}
