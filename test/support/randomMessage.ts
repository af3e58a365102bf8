import type { Random } from '../../src/base/random.ts';
import type {
  Field,
  Fields,
  MessageInput,
  MessageSchema,
  PrimitiveField,
} from '../../src/protocol/schema.ts';
import { includesVersion } from '../../src/protocol/versions.ts';

type Values = Record<string, unknown>;
type Type = PrimitiveField['type'];

const letters = ['a', 'Z', '0', '-', 'ä', '€', '\u{1f600}', ' '];

/** What a message with long lists has of items at most. */
const mostItems = 1000;

/** Makes messages with random values in exactly the fields that a version has. */
export class RandomMessages {
  readonly #random: Random;
  readonly #lists: 'short' | 'long';
  #itemsLeft = 0;

  constructor(random: Random, lists: 'short' | 'long' = 'short') {
    this.#random = random;
    this.#lists = lists;
  }

  message<S extends MessageSchema>(schema: S, version: number): MessageInput<S> {
    this.#itemsLeft = mostItems;
    // Made field by field from the schema that the type is inferred from.
    return this.#struct(schema.fields, version) as MessageInput<S>;
  }

  #struct(fields: Fields, version: number): Values {
    const values: Values = {};
    for (const [name, field] of Object.entries(fields)) {
      if (!includesVersion(field.versions, version)) continue;
      // A tagged field that has its default does not travel; both ways are wanted.
      if (field.tag !== undefined && this.#oneIn(3)) continue;
      values[name] = this.#value(field, version);
    }
    return values;
  }

  #value(field: Field, version: number): unknown {
    if (includesVersion(field.nullable ?? 'none', version) && this.#oneIn(4)) return null;
    if (field.type === 'struct') return this.#struct(field.fields, version);
    if (field.type !== 'array') return this.#primitive(field.type);
    const { items } = field;
    return Array.from({ length: this.#listLength() }, () =>
      typeof items === 'string' ? this.#primitive(items) : this.#struct(items, version),
    );
  }

  #primitive(type: Type): unknown {
    const random = this.#random;
    switch (type) {
      case 'bool':
        return this.#oneIn(2);
      case 'int8':
        return random.below(2 ** 8) - 2 ** 7;
      case 'int16':
        return random.below(2 ** 16) - 2 ** 15;
      case 'int32':
        return random.below(2 ** 32) - 2 ** 31;
      case 'uint16':
        return random.below(2 ** 16);
      case 'uint32':
        return random.below(2 ** 32);
      case 'int64':
        return Buffer.from(random.bytes(8)).readBigInt64BE();
      case 'float64':
        return (random.below(2 ** 32) - 2 ** 31) / 1024;
      case 'uuid':
        return Buffer.from(random.bytes(16)).toString('base64url');
      case 'string':
        return Array.from({ length: this.#length() }, () => letters[random.below(8)]).join('');
      case 'bytes':
      case 'records':
        return random.bytes(this.#length());
    }
  }

  #listLength(): number {
    if (this.#lists === 'short') return this.#random.below(4);
    const wanted = this.#oneIn(3) ? this.#random.below(300) : this.#random.below(4);
    const length = Math.min(wanted, this.#itemsLeft);
    this.#itemsLeft -= length;
    return length;
  }

  /** Mostly short; at times longer than one byte of a varint can say. */
  #length(): number {
    return this.#oneIn(12) ? 120 + this.#random.below(2000) : this.#random.below(9);
  }

  #oneIn(chances: number): boolean {
    return this.#random.below(chances) === 0;
  }
}
