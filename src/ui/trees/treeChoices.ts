import * as v from 'valibot';
import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { NameFilter } from '../../cluster/nameFilter.ts';

/** The folders whose rows a person filters, sorts and pins. */
export type ListKind = 'topics' | 'groups';

export const sortOrders = {
  topics: ['name', 'records', 'lag', 'partitions'],
  groups: ['name', 'lag', 'members'],
} as const;
export type SortOrder = (typeof sortOrders)[ListKind][number];

/** How a folder of one cluster is shown. */
export interface ListChoices {
  readonly filter: NameFilter | undefined;
  readonly sort: SortOrder;
  /** Names of favourites: shown first. */
  readonly pinned: ReadonlySet<string>;
}

/** Which folder of which cluster. */
export interface ListKey {
  readonly clusterId: string;
  readonly kind: ListKind;
}

const mostPinned = 500;

const stored = v.object({
  sort: v.picklist(['name', 'records', 'lag', 'partitions', 'members']),
  pinned: v.pipe(v.array(v.string()), v.maxLength(mostPinned)),
});

/**
 * How each folder is shown. Order and favourites are remembered in the editor's state; a filter lasts as long as the
 * window, as rows that are missing days later are taken for gone.
 */
export class TreeChoices {
  readonly #memento: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #known = new Map<string, ListChoices>();
  readonly #changeEmitter = new Emitter<ListKey>();
  readonly onDidChange: Event<ListKey> = this.#changeEmitter.event;

  constructor(memento: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#memento = memento;
  }

  of(key: ListKey): ListChoices {
    const name = nameOf(key);
    let choices = this.#known.get(name);
    if (!choices) this.#known.set(name, (choices = this.#load(key)));
    return choices;
  }

  /** Whether any folder shows only a part of its rows. */
  get isFiltered(): boolean {
    return [...this.#known.values()].some(({ filter }) => filter !== undefined);
  }

  setFilter(key: ListKey, filter: NameFilter | undefined): void {
    if (filter === this.of(key).filter) return;
    this.#known.set(nameOf(key), { ...this.of(key), filter });
    this.#changeEmitter.fire(key);
  }

  clearFilters(): void {
    for (const [name, { filter }] of this.#known) {
      if (filter) this.setFilter(keyOf(name), undefined);
    }
  }

  async setSort(key: ListKey, sort: SortOrder): Promise<void> {
    await this.#remember(key, { ...this.of(key), sort });
  }

  /** Makes names favourites, or no more. Throws where there would be too many. */
  async setPinned(key: ListKey, names: readonly string[], isPinned: boolean): Promise<void> {
    const choices = this.of(key);
    const pinned = new Set(choices.pinned);
    for (const name of names) {
      if (isPinned) pinned.add(name);
      else pinned.delete(name);
    }
    if (pinned.size > mostPinned) throw new Error(t('More than {0} cannot be pinned.', mostPinned));
    await this.#remember(key, { ...choices, pinned });
  }

  async #remember(key: ListKey, choices: ListChoices): Promise<void> {
    this.#known.set(nameOf(key), choices);
    this.#changeEmitter.fire(key);
    const { sort, pinned } = choices;
    await this.#memento.update(nameOf(key), { sort, pinned: [...pinned] });
  }

  #load(key: ListKey): ListChoices {
    const parsed = v.safeParse(stored, this.#memento.get<unknown>(nameOf(key)));
    const { sort, pinned } = parsed.success ? parsed.output : { sort: 'name', pinned: [] };
    const orders: readonly string[] = sortOrders[key.kind];
    return {
      filter: undefined,
      sort: orders.includes(sort) ? (sort as SortOrder) : 'name',
      pinned: new Set(pinned),
    };
  }
}

function nameOf({ clusterId, kind }: ListKey): string {
  return `kafkaWorkbench.tree ${JSON.stringify([kind, clusterId])}`;
}

function keyOf(name: string): ListKey {
  const [kind, clusterId] = JSON.parse(name.slice(name.indexOf('['))) as [ListKind, string];
  return { kind, clusterId };
}
