/** Which rows a long list has, and where it stands in them. Numbers alone: nothing here touches the page. */
import {
  type ListSize,
  physicalHeight,
  rowsInView,
  topToReveal,
  toPhysical,
  toVirtual,
} from './virtualWindow.ts';

/** Rows `first` to `end - 1`. */
export interface Rows {
  readonly first: number;
  readonly end: number;
}

const NONE: Rows = { first: 0, end: 0 };

export class ListPlace {
  rows = NONE;
  rowHeight = 22;
  viewHeight = 0;
  /** It stays at its end. */
  following = true;
  /** Where the scroll bar stands, and of which rows: to ask the page would lay it out. */
  scrollTop = 0;
  #drawn = NONE;
  /** Where it is to stand by the next frame, in rows from the first that there ever was. */
  #wanted: number | undefined;

  get count(): number {
    return this.rows.end - this.rows.first;
  }

  /** How far the rows are scrolled, or will be by the next frame. */
  get top(): number {
    const { count, rowHeight, viewHeight } = this.#size;
    const most = Math.max(0, count * rowHeight - viewHeight);
    if (this.following) return most;
    const drawn = toVirtual(this.scrollTop, this.#sizeOf(this.#drawn)) / rowHeight;
    const topRow = this.#wanted ?? this.#drawn.first + drawn;
    return Math.min(Math.max(0, (topRow - this.rows.first) * rowHeight), most);
  }

  get topRow(): number {
    return this.rows.first + Math.floor(this.top / this.rowHeight);
  }

  /** It is about to stand somewhere else than the scroll bar does. */
  get isMoving(): boolean {
    return this.#wanted !== undefined;
  }

  /** A row at the top, or a part of it. */
  moveTo(row: number): void {
    this.#wanted = row;
  }

  /** Stays at what is at the top now, whatever is measured anew. */
  hold(): void {
    this.#wanted = this.rows.first + this.top / this.rowHeight;
  }

  /** As little as possible, so that a row is seen whole. */
  reveal(row: number): void {
    const top = topToReveal(row - this.rows.first, this.top, this.#size);
    this.#wanted = this.rows.first + top / this.rowHeight;
  }

  isInView(row: number | undefined): boolean {
    if (row === undefined) return false;
    const y = (row - this.rows.first) * this.rowHeight - this.top;
    return y > -this.rowHeight && y < this.viewHeight;
  }

  /** The rows to draw, with some to spare on both sides. */
  view(spare: number): Rows {
    const { first, end } = rowsInView(this.top, this.#size, spare);
    return { first: first + this.rows.first, end: end + this.rows.first };
  }

  /** The rows are drawn. Answers how high they are, where that is another height, and where the scroll bar belongs. */
  drawn(): { readonly height: number | undefined; readonly scrollTop: number } {
    const scrollTop = toPhysical(this.top, this.#size);
    const height = physicalHeight(this.#size);
    const isOther = height !== physicalHeight(this.#sizeOf(this.#drawn));
    this.#drawn = this.rows;
    this.#wanted = undefined;
    return { height: isOther ? height : undefined, scrollTop };
  }

  get #size(): ListSize {
    return this.#sizeOf(this.rows);
  }

  #sizeOf({ first, end }: Rows): ListSize {
    return { count: end - first, rowHeight: this.rowHeight, viewHeight: this.viewHeight };
  }
}
