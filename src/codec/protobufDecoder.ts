import protobuf from 'protobufjs';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import { jsonText } from './jsonText.ts';
import { itemsMax, type PayloadDecoder, schemaBytesMax } from './decoded.ts';
import { groupThousands } from '../shared/numbers.ts';
import { afterMessageIndexes, registryFrame } from './registryFraming.ts';

/** Google's own types, which schemas import as a matter of course. */
const commonFiles = ['any', 'duration', 'empty', 'field_mask', 'struct', 'timestamp', 'wrappers'];

/**
 * protobufjs believes no length that its bytes cannot hold, goes a hundred messages deep and lets go of unknown fields;
 * but two bytes make a message, and a message takes a hundred; and one byte makes a number of 64 bits in a packed
 * field.
 */
class BoundedReader extends protobuf.BufferReader {
  #fields = 0;

  override tag(): number {
    this.#allow(1);
    return super.tag();
  }

  override int64s(array?: Longs): Longs {
    this.#allow(this.#packedVarints());
    return super.int64s(array);
  }

  override uint64s(array?: Longs): Longs {
    this.#allow(this.#packedVarints());
    return super.uint64s(array);
  }

  override sint64s(array?: Longs): Longs {
    this.#allow(this.#packedVarints());
    return super.sint64s(array);
  }

  #allow(count: number): void {
    this.#fields += count;
    if (this.#fields <= itemsMax) return;
    throw new Error(t('it has more than {0} fields', groupThousands(itemsMax)));
  }

  /** How many of them the packed field has that is read next: each ends with a byte whose highest bit is not set. */
  #packedVarints(): number {
    const before = this.pos;
    const size = this.size();
    const bytes = this.buf.subarray(this.pos, this.pos + size);
    this.pos = before;
    let count = 0;
    for (const byte of bytes) if (byte < 128) count++;
    return count;
  }
}

type Longs = ReturnType<protobuf.Reader['int64s']>;

/** Reads a message of a schema (.proto), with the registry's frame or without. Throws for a bad schema. */
export function protobufDecoder(schema: string, message: string): PayloadDecoder {
  const type = parseSchema(schema).lookupType(message);
  const read = (bytes: Buffer): string =>
    jsonText(
      type.toObject(type.decode(new BoundedReader(bytes)), {
        longs: String,
        enums: String,
        oneofs: false,
      }),
    );
  return (bytes) => {
    const frame = registryFrame(bytes);
    const framed = frame && afterMessageIndexes(frame.payload);
    if (framed) {
      try {
        return { text: read(framed), isJson: true, note: t('schema id {0}', frame.schemaId) };
      } catch {
        // No message begins with a zero, so this only makes the reason a better one.
      }
    }
    try {
      return { text: read(bytes), isJson: true };
    } catch (error) {
      return { problem: t('not a {0}: {1}', message, errorMessage(error)) };
    }
  };
}

/** The full names of a schema's messages, in order. Throws for a bad schema. */
export function protobufMessages(schema: string): string[] {
  const names: string[] = [];
  const visit = (parent: protobuf.NamespaceBase): void => {
    for (const nested of parent.nestedArray) {
      if (nested.fullName.startsWith('.google.protobuf')) continue;
      if (nested instanceof protobuf.Type) names.push(nested.fullName.slice(1));
      if (nested instanceof protobuf.Namespace) visit(nested);
    }
  };
  visit(parseSchema(schema));
  return names;
}

function parseSchema(schema: string): protobuf.Root {
  if (schema.length > schemaBytesMax) throw new Error(t('the schema is too large'));
  try {
    const root = new protobuf.Root();
    for (const name of commonFiles) {
      const file = protobuf.common.get(`google/protobuf/${name}.proto`);
      if (file?.nested) root.addJSON(file.nested);
    }
    protobuf.parse(schema, root, { keepCase: true });
    root.resolveAll();
    return root;
  } catch (error) {
    throw new Error(t('this is not a Protobuf schema: {0}', errorMessage(error)), { cause: error });
  }
}
