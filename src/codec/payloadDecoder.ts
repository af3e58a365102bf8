import { t } from '../base/l10n.ts';
import { errorMessage } from '../base/logger.ts';
import type { DecoderChoice } from '../shared/contracts/decoders.ts';
import { type Decoded, type PayloadDecoder, payloadBytesMax } from './decoded.ts';
import { visibleUtf8 } from './visibleUtf8.ts';

type Simple = Exclude<DecoderChoice['kind'], 'auto' | 'avro' | 'protobuf'>;

const simple: Readonly<Record<Simple, PayloadDecoder>> = {
  text: (bytes) => ({ text: visibleUtf8(bytes), isJson: false }),
  json: decodeJson,
  hex: (bytes) => ({ text: bytes.toString('hex').replace(/..(?=.)/g, '$& '), isJson: false }),
  base64: (bytes) => ({ text: bytes.toString('base64'), isJson: false }),
  // As Kafka's IntegerSerializer, LongSerializer, FloatSerializer and DoubleSerializer write them.
  int32: fixed('int32', 4, (bytes) => String(bytes.readInt32BE())),
  int64: fixed('int64', 8, (bytes) => String(bytes.readBigInt64BE())),
  float: fixed('float', 4, (bytes) => String(bytes.readFloatBE())),
  double: fixed('double', 8, (bytes) => String(bytes.readDoubleBE())),
};

/** The decoder for a choice; undefined: as the bytes suggest. Rejects where a schema cannot be read. */
export async function makeDecoder(choice: DecoderChoice): Promise<PayloadDecoder | undefined> {
  if (choice.kind === 'auto') return undefined;
  // Both are large, and most people need neither.
  if (choice.kind === 'avro') {
    return bounded((await import('./avroDecoder.ts')).avroDecoder(choice.schema));
  }
  if (choice.kind === 'protobuf') {
    const { protobufDecoder } = await import('./protobufDecoder.ts');
    return bounded(protobufDecoder(choice.schema, choice.message));
  }
  return simple[choice.kind];
}

function bounded(decode: PayloadDecoder): PayloadDecoder {
  return (bytes) =>
    bytes.length <= payloadBytesMax
      ? decode(bytes)
      : { problem: t('too large to be read by a schema: more than {0} MB', payloadBytesMax >> 20) };
}

/**
 * Whether what a choice makes of bytes is always their text as UTF-8. JSON is not written anew, and with a byte that is
 * no part of a character it is none; the text decoder writes such bytes as escapes.
 */
export function keepsText({ kind }: DecoderChoice): boolean {
  return kind === 'auto' || kind === 'json';
}

function decodeJson(bytes: Buffer): Decoded {
  const text = visibleUtf8(bytes);
  try {
    JSON.parse(text);
    return { text, isJson: true };
  } catch (error) {
    return { problem: t('not JSON: {0}', errorMessage(error)) };
  }
}

function fixed(name: string, size: number, read: (bytes: Buffer) => string): PayloadDecoder {
  return (bytes) =>
    bytes.length === size
      ? { text: read(bytes), isJson: false }
      : {
          problem: t('not {0}: that takes {1} bytes, and there are {2}', name, size, bytes.length),
        };
}
