/**
 * Which columns are drawn where there is little room: the value stays in view, and what else a row has is in its
 * record.
 */
import type { TailColumn } from '../../src/shared/contracts/tailColumns.ts';

export interface Room {
  readonly widthPx: number;
  /** Of the list's font. */
  readonly characterPx: number;
}

export interface FittingColumns {
  readonly columns: readonly TailColumn[];
  /** There is no room for all of a record's day, and little for key and value. */
  readonly isNarrow: boolean;
}

/** What a column needs to be read, in characters. */
const NEEDED: Readonly<Record<TailColumn['kind'], number>> = {
  ...{ time: 14, partition: 7, offset: 13, key: 13, value: 25, headers: 12, size: 12 },
  // A person has asked for these, and scrolls to them: they stand behind the value at first.
  ...{ header: 0, json: 0 },
};
const DAY = 11;
/** In this order they give way. Offsets of several partitions would be mixed without the partition. */
const GIVE_WAY: readonly TailColumn['kind'][] = ['size', 'headers'];
const GIVE_WAY_OF_ONE: readonly TailColumn['kind'][] = [...GIVE_WAY, 'partition'];
/** Beside the columns: padding, and the scroll bar. */
const BESIDE_PX = 26;

export interface Listed {
  /** Some of the rows are of another day than today. */
  readonly hasDays: boolean;
  readonly hasOnePartition: boolean;
}

export function shownColumns(columns: readonly TailColumn[]): TailColumn[] {
  return columns.filter(({ hidden }) => hidden !== true);
}

export function fittingColumns(
  all: readonly TailColumn[],
  { widthPx, characterPx }: Room,
  { hasDays, hasOnePartition }: Listed,
): FittingColumns {
  const room = widthPx - BESIDE_PX;
  const needed = ({ kind, width }: TailColumn): number => {
    const characters = NEEDED[kind] + (hasDays && kind === 'time' ? DAY : 0);
    // What a person has widened is scrolled: it takes the room of no other, which would be gone with the first click.
    return Math.min(width ?? Infinity, characters * characterPx);
  };
  const fits = (columns: readonly TailColumn[]): boolean =>
    columns.reduce((sum, column) => sum + needed(column), 0) <= room;
  let columns = shownColumns(all);
  // Before it is laid out nothing is known.
  if (widthPx === 0 || characterPx === 0) return { columns, isNarrow: false };
  for (const kind of hasOnePartition ? GIVE_WAY_OF_ONE : GIVE_WAY) {
    if (fits(columns)) break;
    const others = columns.filter((column) => column.kind !== kind);
    if (others.length > 0) columns = others;
  }
  return { columns, isNarrow: !fits(columns) };
}
