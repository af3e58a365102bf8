import * as v from 'valibot';
import type * as vscode from 'vscode';

const key = 'kafkaWorkbench.openRows';
/** Those opened last: of names that are gone for good nobody tells. */
const mostKept = 500;
const stored = v.pipe(v.array(v.string()), v.maxLength(mostKept));

/**
 * The ids of the rows that are open, also after a reload of the window. Not of the clusters: to show what is below one
 * connects to it.
 */
export class OpenRows {
  readonly #memento: Pick<vscode.Memento, 'get' | 'update'>;
  readonly #ids: Set<string>;
  #isToBeKept = false;

  constructor(memento: Pick<vscode.Memento, 'get' | 'update'>) {
    this.#memento = memento;
    const read = v.safeParse(stored, memento.get(key));
    this.#ids = new Set(read.success ? read.output : []);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  set(id: string, isOpen: boolean): void {
    if (this.has(id) === isOpen) return;
    if (isOpen) this.#ids.add(id);
    else this.#ids.delete(id);
    this.#keepSoon();
  }

  /** Once for all that change together. */
  #keepSoon(): void {
    if (this.#isToBeKept) return;
    this.#isToBeKept = true;
    queueMicrotask(() => {
      this.#isToBeKept = false;
      const below = [...this.#ids].filter((id) => id.includes('/'));
      void this.#memento.update(key, below.slice(-mostKept));
    });
  }
}
