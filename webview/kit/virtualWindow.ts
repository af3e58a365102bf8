/**
 * Where the rows of a long list lie. A browser's element has a largest height (33,554,426 pixels in
 * Chromium); a longer list is scaled: the scroll bar's way then stands for a longer one.
 */

export interface ListSize {
  readonly count: number;
  readonly rowHeight: number;
  /** Height of the part that is seen. */
  readonly viewHeight: number;
}

const PHYSICAL_MAX = 30_000_000;

/** Height of the element that makes the scroll bar. */
export function physicalHeight({ count, rowHeight }: ListSize): number {
  return Math.min(count * rowHeight, PHYSICAL_MAX);
}

/** The way that the content can be scrolled, at the rows' own height. */
function virtualRange({ count, rowHeight, viewHeight }: ListSize): number {
  return Math.max(0, count * rowHeight - viewHeight);
}

function physicalRange(size: ListSize): number {
  return Math.max(0, physicalHeight(size) - size.viewHeight);
}

/** How far the rows are scrolled when the scroll bar stands at `scrollTop`. */
export function toVirtual(scrollTop: number, size: ListSize): number {
  const range = physicalRange(size);
  if (range === 0) return 0;
  const part = Math.min(Math.max(scrollTop / range, 0), 1);
  return range === virtualRange(size)
    ? Math.min(Math.max(scrollTop, 0), range)
    : part * virtualRange(size);
}

/** Where the scroll bar stands when the rows are scrolled by `top`. */
export function toPhysical(top: number, size: ListSize): number {
  const range = virtualRange(size);
  if (range === 0) return 0;
  const within = Math.min(Math.max(top, 0), range);
  return physicalRange(size) === range ? within : (within / range) * physicalRange(size);
}

/** The rows to draw, `first` to `end - 1`, with `spare` more on both sides. */
export function rowsInView(
  top: number,
  { count, rowHeight, viewHeight }: ListSize,
  spare: number,
): { first: number; end: number } {
  const first = Math.max(0, Math.floor(top / rowHeight) - spare);
  const end = Math.min(count, Math.ceil((top + viewHeight) / rowHeight) + spare);
  return { first: Math.min(first, end), end };
}

/** How far to scroll so that a row is seen whole, moving as little as possible. */
export function topToReveal(
  index: number,
  top: number,
  { rowHeight, viewHeight }: ListSize,
): number {
  const rowTop = index * rowHeight;
  if (rowTop < top) return rowTop;
  return Math.max(top, rowTop + rowHeight - viewHeight);
}
