import type { Steps } from '../base/turns.ts';
import { ByteReader } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import type { Codec } from './codec.ts';
import { ProtocolError, UnsupportedVersionError } from './protocolError.ts';
import type { Message, MessageInput, MessageSchema } from './schema.ts';
import { structCodec } from './structCodec.ts';
import { includesVersion, parseVersions } from './versions.ts';

const compiled = new WeakMap<MessageSchema, Map<number, Codec>>();

/** The codec of one version, made on first use. Throws an UnsupportedVersionError if there is none. */
function codecOf(schema: MessageSchema, version: number): Codec {
  let byVersion = compiled.get(schema);
  if (byVersion === undefined) compiled.set(schema, (byVersion = new Map<number, Codec>()));
  let codec = byVersion.get(version);
  if (codec === undefined) {
    if (!includesVersion(schema.versions, version)) {
      throw new UnsupportedVersionError(
        `${schema.name} has versions ${schema.versions}, not ${version}`,
      );
    }
    const flexible = isFlexible(schema, version);
    byVersion.set(version, (codec = structCodec(schema.fields, { version, flexible })));
  }
  return codec;
}

/** Whether the version has compact lengths and tagged fields. [KIP-482] */
export function isFlexible(schema: MessageSchema, version: number): boolean {
  return includesVersion(schema.flexible, version);
}

/**
 * Adds a message to what a writer has. A field that is left out has its default; one that the version
 * lacks must have its default unless it is ignorable, else UnsupportedVersionError.
 */
export function writeMessage<S extends MessageSchema>(
  writer: ByteWriter,
  schema: S,
  version: number,
  value: MessageInput<S>,
): void {
  const codec = codecOf(schema, version);
  try {
    codec.write(writer, value);
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(`${schema.name} v${version}`) : error;
  }
}

/** As `writeMessage`, with pauses. */
export function* writeMessageInSteps<S extends MessageSchema>(
  writer: ByteWriter,
  schema: S,
  version: number,
  value: MessageInput<S>,
): Steps<void> {
  const codec = codecOf(schema, version);
  try {
    if (codec.inSteps) yield* codec.inSteps.write(writer, value);
    else codec.write(writer, value);
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(`${schema.name} v${version}`) : error;
  }
}

/** The bytes of a message; errors as for `writeMessage`. */
export function encodeMessage<S extends MessageSchema>(
  schema: S,
  version: number,
  value: MessageInput<S>,
): Buffer {
  const writer = new ByteWriter();
  writeMessage(writer, schema, version, value);
  return writer.takeBuffer();
}

/**
 * Reads a message from the start of `bytes`, or from where a reader stands. What follows it is left
 * alone, as Kafka does; tags that the schema does not know are skipped. `bytes` and `records` fields
 * are views of the given memory. Throws a ProtocolError for anything malformed.
 */
export function decodeMessage<S extends MessageSchema>(
  schema: S,
  version: number,
  bytes: Uint8Array | ByteReader,
): Message<S> {
  const codec = codecOf(schema, version);
  const reader = bytes instanceof ByteReader ? bytes : new ByteReader(bytes);
  try {
    return codec.read(reader) as Message<S>;
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(`${schema.name} v${version}`) : error;
  }
}

/** As `decodeMessage`; answers undefined, and the reader stays, where lists have more items together. */
export function decodeMessageIfShort<S extends MessageSchema>(
  schema: S,
  version: number,
  { reader, mostItems }: { readonly reader: ByteReader; readonly mostItems: number },
): Message<S> | undefined {
  return reader.readIfShort(mostItems, () => decodeMessage(schema, version, reader));
}

/** As `decodeMessage`, with pauses. */
export function* decodeMessageInSteps<S extends MessageSchema>(
  schema: S,
  version: number,
  reader: ByteReader,
): Steps<Message<S>> {
  const codec = codecOf(schema, version);
  try {
    const message = codec.inSteps ? yield* codec.inSteps.read(reader) : codec.read(reader);
    return message as Message<S>;
  } catch (error) {
    throw error instanceof ProtocolError ? error.within(`${schema.name} v${version}`) : error;
  }
}

/** A message behind the int16 that names its version, as in the values of coordinator records. */
export function encodeVersioned<S extends MessageSchema>(
  schema: S,
  version: number,
  value: MessageInput<S>,
): Buffer {
  const writer = new ByteWriter();
  writer.writeInt16(version);
  writeMessage(writer, schema, version, value);
  return writer.takeBuffer();
}

/**
 * Reads what `encodeVersioned` wrote. A version newer than the schema's newest is refused, or read as
 * that one where Kafka does so because newer versions only add fields at the end.
 */
export function decodeVersioned<S extends MessageSchema>(
  schema: S,
  bytes: Uint8Array,
  newerVersions: 'refuse' | 'readAsNewest' = 'refuse',
): { version: number; message: Message<S> } {
  const reader = new ByteReader(bytes);
  const version = reader.readInt16();
  const newest = parseVersions(schema.versions).max;
  const known = newerVersions === 'readAsNewest' ? Math.min(version, newest) : version;
  return { version, message: decodeMessage(schema, known, reader) };
}
