import type { ActivityEntry } from '../../cluster/activity/activityEntry.ts';
import { dayOf, dayWords } from './activityTime.ts';
import { factLines, offsetWords, stateWords, titleOf } from './activityWords.ts';

/** A row of the view. The editor knows rows by identity, so a row stays the same object. */
export type ActivityRow =
  | { readonly kind: 'day'; readonly id: string; readonly day: string }
  | { readonly kind: 'entry'; readonly id: string; readonly activityId: string }
  | { readonly kind: 'fact'; readonly id: string; readonly activityId: string; text: string };

/** Where entries come from, the newest first. */
export interface ActivitySource {
  readonly entries: readonly ActivityEntry[];
  entry(id: string): ActivityEntry | undefined;
}

/** The rows of the view: days, their entries, and the partitions of each. */
export class ActivityList {
  readonly #source: ActivitySource;
  readonly #rows = new Map<string, ActivityRow>();
  filter = '';

  constructor(source: ActivitySource) {
    this.#source = source;
  }

  /** Those that match the filter, the newest first. */
  get shown(): readonly ActivityEntry[] {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return this.#source.entries;
    return this.#source.entries.filter((entry) => {
      const text = searchText(entry);
      return words.every((word) => text.includes(word));
    });
  }

  children(parent?: ActivityRow): ActivityRow[] {
    switch (parent?.kind) {
      case undefined:
        return this.#days();
      case 'day':
        return this.shown
          .filter(({ startedAtMs }) => dayOf(startedAtMs) === parent.day)
          .map(({ id }) => this.#row({ kind: 'entry', id, activityId: id }));
      case 'entry':
        return this.#facts(parent.activityId);
      case 'fact':
        return [];
    }
  }

  parent(row: ActivityRow): ActivityRow | undefined {
    if (row.kind === 'day') return undefined;
    if (row.kind === 'fact') return this.row(row.activityId);
    const entry = this.#source.entry(row.activityId);
    return entry && this.#dayRow(dayOf(entry.startedAtMs));
  }

  /** Those that were shown. */
  get rows(): Iterable<ActivityRow> {
    return this.#rows.values();
  }

  /** The row of an entry, once it was shown. */
  row(activityId: string): ActivityRow | undefined {
    return this.#rows.get(activityId);
  }

  #days(): ActivityRow[] {
    const { shown } = this;
    const known = new Set(this.#source.entries.map(({ id }) => id));
    for (const [id, row] of this.#rows) {
      if (row.kind !== 'day' && !known.has(row.activityId)) this.#rows.delete(id);
    }
    const days = new Set(shown.map(({ startedAtMs }) => dayOf(startedAtMs)));
    return [...days].map((day) => this.#dayRow(day));
  }

  #dayRow(day: string): ActivityRow {
    return this.#row({ kind: 'day', id: `day ${day}`, day });
  }

  #facts(activityId: string): ActivityRow[] {
    const { offsets = [] } = this.#source.entry(activityId)?.facts ?? {};
    return offsets.map((offset, i) => {
      const text = offsetWords(offset);
      const row = this.#row({ kind: 'fact', id: `${activityId} ${i}`, activityId, text });
      if (row.kind === 'fact') row.text = text;
      return row;
    });
  }

  #row(row: ActivityRow): ActivityRow {
    const existing = this.#rows.get(row.id);
    if (!existing) this.#rows.set(row.id, row);
    return existing ?? row;
  }
}

/** What a filter looks into: everything that the row and its tooltip say. */
function searchText(entry: ActivityEntry): string {
  const day = dayOf(entry.startedAtMs);
  const words = [titleOf(entry), stateWords(entry) ?? '', dayWords(day, Date.now())];
  return [...words, ...factLines(entry)].join('\n').toLowerCase();
}
