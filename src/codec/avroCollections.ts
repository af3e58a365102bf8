import avro from 'avsc';
import { t } from '../base/l10n.ts';
import { groupThousands } from '../shared/numbers.ts';
import { itemsMax } from './decoded.ts';

/**
 * Arrays and maps that refuse a count which what is left of the bytes cannot hold. avsc's own believe any, and look at
 * the end whether the bytes sufficed: a few bytes that are no Avro would fill the memory.
 */

/** Where avsc stands in the bytes it reads. */
interface Tap {
  readonly buf: Buffer;
  readonly pos: number;
  readLong(): number;
  skipLong(): void;
  readString(): string;
}

interface Reader {
  _read(tap: Tap): unknown;
}

/** Items that take no bytes, such as nulls, may be this many more than there are bytes. */
const mostWithoutBytes = 1000;
/** How many items may still come in what a tap reads, in all its collections: each takes a byte that no other does. */
const itemsToCome = new WeakMap<Tap, number>();

class BoundedArray extends avro.types.ArrayType implements Reader {
  _read(tap: Tap): unknown[] {
    const items = this.itemsType as unknown as Reader;
    const found: unknown[] = [];
    for (let left = blockCount(tap); left > 0; left = blockCount(tap)) {
      for (; left > 0; left--) found.push(items._read(tap));
    }
    return found;
  }
}

class BoundedMap extends avro.types.MapType implements Reader {
  _read(tap: Tap): object {
    const values = this.valuesType as Reader;
    const found: [string, unknown][] = [];
    for (let left = blockCount(tap); left > 0; left = blockCount(tap)) {
      for (; left > 0; left--) found.push([tap.readString(), values._read(tap)]);
    }
    return Object.fromEntries(found);
  }
}

/** How many items follow, 0 at the end. A negative count has the block's size behind it. [Avro: Complex Types] */
function blockCount(tap: Tap): number {
  const written = tap.readLong();
  if (written < 0) tap.skipLong();
  const count = Math.abs(written);
  const toCome = itemsToCome.get(tap) ?? Math.min(tap.buf.length + mostWithoutBytes, itemsMax);
  const bytesLeft = Math.max(0, tap.buf.length - tap.pos);
  if (count > toCome && tap.buf.length > itemsMax) {
    throw new Error(t('it has more than {0} items', groupThousands(itemsMax)));
  }
  if (count > Math.min(toCome, bytesLeft + mostWithoutBytes)) {
    throw new Error(t('it has {0} items and no bytes for them', count));
  }
  itemsToCome.set(tap, toCome - count);
  return count;
}

/** For avsc's option `typeHook`: makes the types of a schema's arrays and maps. */
export function boundedType(schema: unknown, options: unknown): avro.Type | undefined {
  const { type } = schema as { readonly type?: unknown };
  if (type === 'array') return new BoundedArray(schema as avro.Schema, options);
  if (type === 'map') return new BoundedMap(schema as avro.Schema, options);
  return undefined;
}
