/** The one input of the filter, with its help, and what the filter has done so far. */
import { t } from '../../src/base/l10n.ts';
import type { FilterProgress, TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { FilterShow } from '../../src/shared/contracts/tailQuery.ts';
import {
  describeTailFilter,
  parseTailFilter,
  tailFilterExamples,
} from '../../src/shared/tailFilter.ts';
import { Combobox, type Suggestion } from '../kit/combobox.ts';
import { button, iconButton } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { groupThousands } from '../kit/format.ts';

export interface FilterInputOptions {
  readonly onFilter: (filter: string, show: FilterShow) => void;
  /** What is wrong with a filter that is being typed. */
  readonly check: (filter: string) => Promise<string | undefined>;
}

/** A person has stopped typing. */
const CHECK_AFTER_MS = 250;

export class FilterInput {
  readonly element: HTMLElement;
  readonly #options: FilterInputOptions;
  readonly #input: Combobox;
  /** What is typed is not looked for yet: said beside it, as the list does not show it. */
  readonly #apply = button({
    label: t('Apply'),
    title: t('Show only the records that match (Enter)'),
    onClick: () => this.#input.commit(),
  });
  readonly #counts = h('span', { class: 'filter-counts', role: 'status' });
  readonly #other = button({ label: '', onClick: () => this.#showOther() });
  readonly #clear = iconButton({
    label: t('Clear filter'),
    icon: 'close',
    onClick: () => this.#options.onFilter('', 'matched'),
  });
  #progress: TailProgress['filter'];
  #filter = '';
  #show: FilterShow = 'matched';
  #checking: ReturnType<typeof setTimeout> | undefined;

  constructor(options: FilterInputOptions) {
    this.#options = options;
    this.#input = new Combobox({
      label: t('Filter records'),
      placeholder: t('text, /regex/ or js: value.total > 100'),
      class: 'filter',
      suggest,
      explain: (text) => ({ text: describeTailFilter(parseTailFilter(text)), isProblem: false }),
      onInput: (text) => this.#check(text),
      onCommit: (text) => {
        clearTimeout(this.#checking);
        this.#options.onFilter(text.trim(), 'matched');
      },
    });
    this.element = h(
      'div',
      { class: 'filter-bar' },
      h(
        'label',
        { class: 'labelled' },
        h('span', { class: 'dim' }, t('filter')),
        this.#input.element,
      ),
      this.#apply.element,
      this.#clear.element,
      this.#counts,
      this.#other.element,
    );
    show(this.#apply.element, false);
    show(this.#clear.element, false);
    this.setProgress(undefined);
  }

  /** The filter in force. */
  get value(): string {
    return this.#filter;
  }

  set value(filter: string) {
    this.#filter = filter;
    this.#input.value = filter;
    show(this.#clear.element, filter !== '');
    this.#showApply();
    this.#draw();
  }

  setProblem(problem: string | undefined): void {
    this.#input.setProblem(problem);
  }

  setProgress(progress: TailProgress['filter']): void {
    this.#progress = progress;
    this.#draw();
  }

  /** What is counted may be told before the filter is, to a page that comes back to a tail. */
  #draw(): void {
    const progress = this.#progress;
    this.#show = progress?.show ?? 'matched';
    // Where only a span of time is looked at there is nothing to match.
    setText(this.#counts, progress && this.#filter !== '' ? countWords(progress) : '');
    const failure = progress?.failure;
    this.#counts.title = failure === undefined ? '' : t('Failed first with: {0}', failure);
    const isFailed = this.#show === 'failed';
    show(this.#other.element, progress !== undefined && (isFailed || progress.failed > 0));
    if (progress) this.#other.setLabel(isFailed ? t('Show the matched') : t('Show the failed'));
  }

  #showOther(): void {
    this.#options.onFilter(this.#filter, this.#show === 'matched' ? 'failed' : 'matched');
  }

  #showApply(): void {
    show(this.#apply.element, this.#input.value.trim() !== this.#filter);
  }

  #check(text: string): void {
    this.#showApply();
    clearTimeout(this.#checking);
    const { kind } = parseTailFilter(text);
    if (kind === 'none' || kind === 'text') return;
    this.#checking = setTimeout(() => void this.#sayProblem(text), CHECK_AFTER_MS);
  }

  async #sayProblem(text: string): Promise<void> {
    const problem = await this.#options.check(text).catch(() => undefined);
    if (this.#input.value === text && problem !== undefined) this.setProblem(problem);
  }
}

function countWords({ matched, rejected, failed, pending, problem }: FilterProgress): string {
  const parts = [
    t('{0} matched', groupThousands(matched)),
    t('{0} rejected', groupThousands(rejected)),
    t('{0} failed', groupThousands(failed)),
  ];
  if (problem) parts.push(t('stopped'));
  else if (pending > 0) parts.push(t('{0} to go', groupThousands(pending)));
  return parts.join(' · ');
}

/** The examples that begin as the text does; with nothing typed all of them. */
function suggest(text: string): readonly Suggestion[] {
  const typed = text.trim().toLowerCase();
  return tailFilterExamples().filter((example) => example.text.toLowerCase().startsWith(typed));
}
