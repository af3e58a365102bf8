/** What rows are sorted by. */
import type { TailOrder } from '../../shared/contracts/tailQuery.ts';
import type { Compare } from './slicedSort.ts';
import { decodedField, type TailDecoders } from './tailDecoders.ts';
import { recordBytes } from './tailRows.ts';
import type { StoredRow } from './keptBatch.ts';
import type { TailStore } from './tailStore.ts';

export interface SortKeys {
  /** Takes from a row, which is of this number, what it is sorted by. Undefined: it is not held any more. */
  read(position: number, row: StoredRow | undefined, number: number): void;
  readonly compare: Compare;
  /** Whether two compare as equal though there is more to look at. */
  areAlike(a: number, b: number): boolean;
  /** Looks at what follows from now on; false: it was far enough. Left out: there is nothing more. */
  goDeeper?(): boolean;
}

interface Context {
  readonly store: TailStore;
  readonly decoders: TailDecoders;
}

export function sortKeysFor(
  { by, descending }: TailOrder,
  count: number,
  { store, decoders }: Context,
): SortKeys {
  const sign = descending ? -1 : 1;
  switch (by) {
    case 'time':
      return numberKeys(count, sign, (_, number) => store.times.at(number));
    case 'partition':
      return numberKeys(count, sign, ({ partition }) => partition);
    case 'size':
      return numberKeys(count, sign, ({ record }) => recordBytes(record));
    case 'offset':
      return offsetKeys(count, sign);
    case 'key':
    case 'value':
      return new TextKeys(by, decoders, { count, sign });
  }
}

type RecordRow = Extract<StoredRow, { kind: 'record' }>;
type Sign = 1 | -1;

/** NaN, that is what has no such number, comes last either way. */
function numberKeys(
  count: number,
  sign: Sign,
  numberOf: (row: RecordRow, number: number) => number,
): SortKeys {
  const numbers = new Float64Array(count).fill(NaN);
  return {
    read: (position, row, number) => {
      if (row?.kind === 'record') numbers[position] = numberOf(row, number);
    },
    compare: (a, b) => byNumber(numbers[a] ?? NaN, numbers[b] ?? NaN, sign) || a - b,
    areAlike: () => false,
  };
}

function byNumber(a: number, b: number, sign: Sign): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return sign * (a - b);
}

/** Those of several partitions that are the same: by partition. */
function offsetKeys(count: number, sign: Sign): SortKeys {
  const none = -1n;
  const offsets = new BigInt64Array(count).fill(none);
  const partitions = new Int32Array(count);
  return {
    read: (position, row) => {
      if (row?.kind !== 'record') return;
      offsets[position] = row.record.offset;
      partitions[position] = row.partition;
    },
    compare: (a, b) => {
      const [left, right] = [offsets[a] ?? none, offsets[b] ?? none];
      if (left !== right) {
        if (left === none || right === none) return left === none ? 1 : -1;
        return left < right ? -sign : sign;
      }
      return (partitions[a] ?? 0) - (partitions[b] ?? 0) || a - b;
    },
    areAlike: () => false,
  };
}

/** Bytes looked at in one go, and goes: texts that are the same for 1 KB stay as they came. */
const windowBytes = 64;
const windowsMax = 16;

/** Null, empty, numbers by what they are worth, texts by their bytes in UTF-8; last, what is no record. */
const ranks = { null: 0, empty: 1, number: 2, text: 3, none: 4 } as const;
const decimal = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const numberBytesMax = 32;

class TextKeys implements SortKeys {
  readonly #field: 'key' | 'value';
  readonly #decoders: TailDecoders;
  readonly #sign: Sign;
  readonly #ranks: Uint8Array;
  readonly #numbers: Float64Array;
  /** One character for a byte: as short as strings are, and in the order of bytes. */
  readonly #windows: string[];
  #window = 0;

  constructor(
    field: 'key' | 'value',
    decoders: TailDecoders,
    { count, sign }: { readonly count: number; readonly sign: Sign },
  ) {
    this.#field = field;
    this.#decoders = decoders;
    this.#sign = sign;
    this.#ranks = new Uint8Array(count).fill(ranks.none);
    this.#numbers = new Float64Array(count);
    this.#windows = new Array<string>(count).fill('');
  }

  read(position: number, row: StoredRow | undefined): void {
    if (row?.kind !== 'record') return;
    const bytes = this.#bytesOf(row);
    const start = this.#window * windowBytes;
    const window = bytes?.toString('latin1', start, start + windowBytes) ?? '';
    this.#windows[position] = window;
    if (this.#window > 0) return;
    const isNumber =
      bytes !== null && bytes.length <= numberBytesMax && decimal.test(window) && window !== '';
    this.#numbers[position] = isNumber ? Number(window) : 0;
    const isText = isNumber ? ranks.number : ranks.text;
    this.#ranks[position] = bytes === null ? ranks.null : window === '' ? ranks.empty : isText;
  }

  readonly compare: Compare = (a, b) => {
    const rank = this.#ranks[a] ?? ranks.none;
    const other = this.#ranks[b] ?? ranks.none;
    if (rank !== other) {
      const isLast = rank === ranks.none || other === ranks.none;
      return isLast ? rank - other : this.#sign * (rank - other);
    }
    return this.#sign * this.#compareAlike(rank, a, b) || a - b;
  };

  areAlike(a: number, b: number): boolean {
    const window = this.#windows[a] ?? '';
    return (
      window.length === windowBytes &&
      window === this.#windows[b] &&
      this.#ranks[a] === this.#ranks[b]
    );
  }

  goDeeper(): boolean {
    this.#window++;
    return this.#window < windowsMax;
  }

  #compareAlike(rank: number, a: number, b: number): number {
    const [left = '', right = ''] = [this.#windows[a], this.#windows[b]];
    if (rank === ranks.number) {
      const [first = 0, second = 0] = [this.#numbers[a], this.#numbers[b]];
      if (first !== second) return first - second;
      if (!Number.isSafeInteger(first)) return compareWhole(left, right);
    }
    return left === right ? 0 : left < right ? -1 : 1;
  }

  #bytesOf({ record }: RecordRow): Buffer | null {
    const decoded = decodedField(this.#decoders, this.#field, record);
    return decoded && 'text' in decoded ? Buffer.from(decoded.text) : record[this.#field];
  }
}

/** Whole numbers that are one as JavaScript has them, such as int64s. */
function compareWhole(left: string, right: string): number {
  if (!/^-?\d+$/.test(left) || !/^-?\d+$/.test(right)) return 0;
  const [a, b] = [BigInt(left), BigInt(right)];
  return a === b ? 0 : a < b ? -1 : 1;
}
