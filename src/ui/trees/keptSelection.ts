import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { TreeCell } from './node.ts';

export interface SelectingTree {
  readonly visible: boolean;
  readonly onDidChangeSelection: Event<{ readonly selection: readonly TreeCell[] }>;
  reveal(cell: TreeCell, options: { readonly select: boolean; readonly focus: boolean }): unknown;
}

/**
 * Which row was selected of a cluster that stops: the editor forgets that with the rows below it, which are there again
 * once it runs.
 */
export class KeptSelection implements Disposable {
  readonly #tree: SelectingTree;
  readonly #subscription: Disposable;
  #selected: TreeCell | undefined;
  /** The row of a stopped cluster, selected by us in place of the one that was chosen. */
  #standIn: TreeCell | undefined;

  constructor(tree: SelectingTree) {
    this.#tree = tree;
    this.#subscription = tree.onDidChangeSelection(({ selection: [first] }) => {
      // Rows that went take the selection with them: nobody has chosen that.
      if (!first || first === this.#standIn) return;
      this.#selected = first;
      this.#standIn = undefined;
    });
  }

  /** The cluster's row is another to the editor than before. `isUp`: there are rows below it now. */
  async onReplaced(cluster: TreeCell, isUp: boolean): Promise<void> {
    const selected = this.#selected;
    if (!selected || rootOf(selected) !== cluster || !this.#tree.visible) return;
    this.#standIn = isUp ? undefined : cluster;
    try {
      await this.#tree.reveal(isUp ? selected : cluster, { select: true, focus: false });
    } catch {
      // It is gone: a topic that was deleted, say.
    }
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}

function rootOf(cell: TreeCell): TreeCell {
  return cell.parent ? rootOf(cell.parent) : cell;
}
