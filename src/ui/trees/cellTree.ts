import type { Node, TreeCell } from './node.ts';
import type { OpenRows } from './openRows.ts';
import { pageSize } from './project.ts';

/** The rows that have been shown: each by its id, which are open, and how many are shown below them. */
export class CellTree {
  readonly #cells = new Map<string, TreeCell>();
  readonly #open: OpenRows;
  /** Of rows that were asked for more. */
  readonly #limits = new Map<string, number>();

  constructor(open: OpenRows) {
    this.#open = open;
  }

  get(id: string): TreeCell | undefined {
    return this.#cells.get(id);
  }

  /** The cell of a node: the same object while it is shown. */
  cellFor(node: Node, parent: TreeCell | undefined): TreeCell {
    const known = this.#cells.get(node.id);
    if (known) {
      known.node = node;
      return known;
    }
    const cell: TreeCell = { id: node.id, parent, node, children: undefined };
    this.#cells.set(node.id, cell);
    return cell;
  }

  /** Puts nodes below a cell; what was there and is not any more is forgotten. */
  adopt(cell: TreeCell, nodes: readonly Node[]): readonly TreeCell[] {
    const children = nodes.map((node) => this.cellFor(node, cell));
    const kept = new Set(children);
    for (const old of cell.children ?? []) if (!kept.has(old)) this.#forget(old);
    cell.children = children;
    return children;
  }

  setOpen({ id }: TreeCell, isOpen: boolean): void {
    this.#open.set(id, isOpen);
  }

  isOpen({ id }: TreeCell): boolean {
    return this.#open.has(id);
  }

  /** A cell and those below it, as far as each is open: those whose children can be seen. */
  openBelow(cell: TreeCell): TreeCell[] {
    if (!this.isOpen(cell)) return [];
    return [cell, ...(cell.children ?? []).flatMap((below) => this.openBelow(below))];
  }

  /** How many rows are shown below one. */
  limit(id: string): number {
    return this.#limits.get(id) ?? pageSize;
  }

  showMore(id: string): void {
    this.#limits.set(id, this.limit(id) + pageSize);
  }

  showFirst(id: string): void {
    this.#limits.delete(id);
  }

  #forget(cell: TreeCell): void {
    this.#cells.delete(cell.id);
    this.#open.set(cell.id, false);
    this.#limits.delete(cell.id);
    for (const below of cell.children ?? []) this.#forget(below);
  }
}
