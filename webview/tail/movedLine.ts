/** Says that the rows which were looked at are gone: memory is bounded, and the list moved on without the person. */
import { t } from '../../src/base/l10n.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { noticeLine } from '../kit/parts.ts';

export class MovedLine {
  readonly #notice = noticeLine();
  readonly element = this.#notice.element;
  readonly #onPause: () => void;
  #hasMoved = false;

  constructor(onPause: () => void) {
    this.#onPause = onPause;
  }

  /** `isMoving`: rows that were seen are among those that were dropped since. */
  onProgress({ state }: TailProgress, isMoving: boolean): void {
    this.#hasMoved ||= isMoving;
    const isReading = state === 'reading' || state === 'live';
    if (this.#hasMoved && isReading) {
      const pause = { label: t('Pause'), onClick: this.#onPause };
      this.#notice.show(movedWords(), pause);
    } else {
      this.forget();
    }
  }

  /** Other rows are looked at. */
  forget(): void {
    this.#hasMoved = false;
    this.#notice.show(undefined);
  }
}

const movedWords = (): string =>
  t(
    'Memory is full: the oldest records are dropped as newer ones are read, and what you look at moves on.',
  );
