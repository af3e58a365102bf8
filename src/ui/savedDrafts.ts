import * as v from 'valibot';
import type * as vscode from 'vscode';
import { Emitter, type Event } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import { produceDraft, type ProduceDraft } from '../shared/contracts/produce.ts';

export interface SavedDraft {
  readonly name: string;
  readonly draft: ProduceDraft;
}

const savedKey = 'kafkaWorkbench.savedRecords';
const savedMost = 500;
const saved = v.object({ name: v.string(), draft: produceDraft });

/** Records that were kept under a name, for use on any cluster: in the editor's global state. */
export class SavedDrafts {
  readonly #memento: vscode.Memento;
  readonly #changeEmitter = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changeEmitter.event;

  constructor(memento: vscode.Memento) {
    this.#memento = memento;
  }

  /** By name. What another version has kept in another form is left out. */
  get all(): SavedDraft[] {
    const stored = this.#memento.get<unknown>(savedKey, []);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((entry): SavedDraft[] => {
      const parsed = v.safeParse(saved, entry);
      return parsed.success ? [parsed.output] : [];
    });
  }

  /** Keeps a record; one with the same name is replaced. Rejects where there are too many. */
  async save(name: string, draft: ProduceDraft): Promise<void> {
    const others = this.all.filter((other) => other.name !== name);
    if (others.length >= savedMost) {
      throw new Error(t('{0} records are saved already. Delete some first.', savedMost));
    }
    await this.#keep([...others, { name, draft }]);
  }

  /** Gives a record another name. Rejects where that one is taken. */
  async rename(name: string, wanted: string): Promise<void> {
    const { all } = this;
    if (name !== wanted && all.some((each) => each.name === wanted)) {
      throw new Error(t('There is a saved record {0} already.', wanted));
    }
    await this.#keep(all.map((each) => (each.name === name ? { ...each, name: wanted } : each)));
  }

  async delete(names: readonly string[]): Promise<void> {
    await this.#keep(this.all.filter((other) => !names.includes(other.name)));
  }

  async #keep(drafts: readonly SavedDraft[]): Promise<void> {
    const sorted = drafts.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    await this.#memento.update(savedKey, sorted);
    this.#changeEmitter.fire();
  }
}
