/** In which order the rows are listed: as they arrive, or those of a moment sorted by a column. */
import { t } from '../../src/base/l10n.ts';
import { counted } from '../../src/shared/counted.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { SortBy, TailOrder } from '../../src/shared/contracts/tailQuery.ts';
import { announce, noticeLine, toUserError } from '../kit/parts.ts';
import { columnName } from './columns.ts';

export interface RowOrderOptions {
  /** Resolves when the rows are in that order, or something newer was asked for. */
  readonly sort: (order: TailOrder | undefined) => Promise<UserError | undefined>;
  readonly onError: (error: UserError) => void;
  /** Another order is in force, or being made. */
  readonly onChange: () => void;
}

export class RowOrder {
  readonly #options: RowOrderOptions;
  readonly #line = noticeLine();
  readonly element = this.#line.element;
  #progress: TailProgress['sorted'];
  /** What the person has chosen: it outlives a change of the rows that are looked at. */
  #wanted: TailOrder | undefined;
  /** Being made, and how many were asked for until then. */
  #making: TailOrder | undefined;
  #asked = 0;

  constructor(options: RowOrderOptions) {
    this.#options = options;
  }

  /** In force, or being made. */
  get order(): TailOrder | undefined {
    return this.#making ?? this.#progress?.order;
  }

  get isSorted(): boolean {
    return this.#progress !== undefined;
  }

  /** Sorts by a column; once more turns it round, and once more goes back to the order of arrival. */
  turn(by: SortBy): void {
    const { order } = this;
    if (order?.by !== by) void this.set({ by, descending: false });
    else void this.set(order.descending ? undefined : { by, descending: true });
  }

  /** Undefined: as they arrive. */
  async set(order: TailOrder | undefined): Promise<void> {
    const mine = ++this.#asked;
    this.#wanted = order;
    this.#making = order;
    if (order) announce(makingWords(order));
    this.#draw();
    let error: UserError | undefined;
    try {
      error = await this.#options.sort(order);
    } catch (failure) {
      error = toUserError(failure);
    }
    if (mine !== this.#asked) return;
    this.#making = undefined;
    if (error) {
      this.#wanted = undefined;
      this.#options.onError(error);
    }
    this.#draw();
  }

  /** The rows were chosen anew, which ended the order: it is made again of them. */
  async again(): Promise<void> {
    if (this.#wanted) await this.set(this.#wanted);
  }

  /** Other records are read from now on: they come as they arrive. */
  forget(): void {
    this.#asked++;
    this.#wanted = undefined;
    this.#making = undefined;
  }

  onProgress({ sorted }: TailProgress): void {
    const isOther = JSON.stringify(sorted) !== JSON.stringify(this.#progress);
    this.#progress = sorted;
    // A page that comes back to a tail learns its order here.
    if (sorted && this.#asked === 0) this.#wanted = sorted.order;
    if (isOther) this.#draw();
  }

  #draw(): void {
    const { onChange } = this.#options;
    const cancel = {
      label: t('Back to the order of arrival'),
      onClick: () => void this.set(undefined),
    };
    if (this.#making) this.#line.show(makingWords(this.#making), cancel);
    else if (this.#progress) this.#line.show(sortedWords(this.#progress), cancel);
    else this.#line.show(undefined);
    onChange();
  }
}

function orderWords({ by, descending }: TailOrder): string {
  const name = columnName({ kind: by });
  return descending ? t('{0}, descending', name) : t('{0}, ascending', name);
}

function makingWords(order: TailOrder): string {
  return t('Sorting by {0} …', orderWords(order));
}

export function sortedWords({ order, newer, waits }: NonNullable<TailProgress['sorted']>): string {
  const by = orderWords(order);
  const came = counted(newer, 'record');
  if (waits) {
    return t(
      'Sorted by {0}. {1} since, counted and not shown. Reading waits: memory is full, and what is sorted would be dropped.',
      by,
      came,
    );
  }
  if (newer === 0) return t('Sorted by {0}. New records are counted, not shown.', by);
  return t('Sorted by {0}. {1} since, counted and not shown.', by, came);
}
