/** What stands where there are no rows, with buttons for what leaves them out. */
import { t } from '../../src/base/l10n.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { emptyWords, type AskedFor } from './emptyWords.ts';

export interface EmptyViewOptions {
  readonly asked: () => AskedFor;
  readonly onClearFilter: () => void;
  readonly onAllTimes: () => void;
  readonly canProduce: () => boolean;
  readonly onProduce: () => void;
}

export class EmptyView {
  readonly #options: EmptyViewOptions;
  readonly #words = h('p');
  readonly #filter = button({
    label: t('Clear the filter'),
    onClick: () => this.#options.onClearFilter(),
  });
  readonly #times = button({
    label: t('Clear the time span'),
    onClick: () => this.#options.onAllTimes(),
  });
  readonly #produce = button({
    label: t('Produce a record'),
    onClick: () => this.#options.onProduce(),
  });
  readonly element = h(
    'div',
    { class: 'empty', hidden: true },
    this.#words,
    h(
      'div',
      { class: 'empty-actions' },
      ...[this.#filter, this.#times, this.#produce].map(({ element }) => element),
    ),
  );

  constructor(options: EmptyViewOptions) {
    this.#options = options;
  }

  set(progress: TailProgress): void {
    const isEmpty = progress.held === 0 && progress.state !== 'failed';
    show(this.element, isEmpty);
    if (!isEmpty) return;
    const asked = this.#options.asked();
    setText(this.#words, emptyWords(progress, asked));
    // Not while rows may come of themselves.
    const isAll = progress.state !== 'reading' && (progress.filter?.pending ?? 0) === 0;
    show(this.#filter.element, isAll && asked.filter !== '');
    show(this.#times.element, isAll && asked.within !== undefined);
    // What is produced appears in place of the words.
    const isAwaiting = progress.state === 'live' && asked.filter === '' && !asked.within;
    show(this.#produce.element, isAwaiting && this.#options.canProduce());
  }
}
