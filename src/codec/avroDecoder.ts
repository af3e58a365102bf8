import avro from 'avsc';
import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import { boundedType } from './avroCollections.ts';
import { jsonText } from './jsonText.ts';
import { type PayloadDecoder, schemaBytesMax } from './decoded.ts';
import { registryFrame } from './registryFraming.ts';

/** int64 as bigint: avsc's own long refuses what a JavaScript number cannot hold. */
const longType = avro.types.LongType.__with({
  fromBuffer: (bytes: Buffer) => bytes.readBigInt64LE(),
  toBuffer: (value: bigint) => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  },
  fromJSON: BigInt,
  toJSON: Number,
  isValid: (value: unknown) => typeof value === 'bigint',
  compare: (a: bigint, b: bigint) => (a === b ? 0 : a < b ? -1 : 1),
});

/** Reads Avro's binary encoding by a schema (.avsc), with the registry's frame or without. Throws for a bad schema. */
export function avroDecoder(schema: string): PayloadDecoder {
  const type = parseSchema(schema);
  const read = (bytes: Buffer): string => jsonText(type.fromBuffer(bytes));
  return (bytes) => {
    const frame = registryFrame(bytes);
    if (frame) {
      try {
        return {
          text: read(frame.payload),
          isJson: true,
          note: t('schema id {0}', frame.schemaId),
        };
      } catch {
        // It may be Avro without a frame that begins with a zero.
      }
    }
    try {
      return { text: read(bytes), isJson: true };
    } catch (error) {
      const name = type.name ?? type.typeName;
      return {
        problem: frame
          ? t(
              'not Avro {0}, also without the frame of schema id {1}: {2}',
              name,
              frame.schemaId,
              errorMessage(error),
            )
          : t('not Avro {0}: {1}', name, errorMessage(error)),
      };
    }
  };
}

function parseSchema(schema: string): avro.Type {
  if (schema.length > schemaBytesMax) throw new Error(t('the schema is too large'));
  try {
    const json = JSON.parse(schema) as avro.Schema;
    return avro.Type.forSchema(json, { registry: { long: longType }, typeHook: boundedType });
  } catch (error) {
    throw new Error(t('this is not an Avro schema: {0}', errorMessage(error)), { cause: error });
  }
}
