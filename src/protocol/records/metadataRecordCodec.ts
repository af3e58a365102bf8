import { ByteReader } from '../byteReader.ts';
import { ByteWriter } from '../byteWriter.ts';
import { decodeMessage, writeMessage } from '../messageCodec.ts';
import type { Message, MessageInput, MessageSchema } from '../schema.ts';
import * as records from './metadataRecords.ts';

interface MetadataRecordType {
  readonly id: number;
  readonly schema: MessageSchema;
}

/** The records of the metadata log that we write. [MetadataRecordType] */
export const metadataRecordTypes = {
  registerBroker: { id: 0, schema: records.registerBrokerRecord },
  topic: { id: 2, schema: records.topicRecord },
  partition: { id: 3, schema: records.partitionRecord },
  config: { id: 4, schema: records.configRecord },
  partitionChange: { id: 5, schema: records.partitionChangeRecord },
  removeTopic: { id: 9, schema: records.removeTopicRecord },
  userScramCredential: { id: 11, schema: records.userScramCredentialRecord },
  featureLevel: { id: 12, schema: records.featureLevelRecord },
  clientQuota: { id: 14, schema: records.clientQuotaRecord },
  producerIds: { id: 15, schema: records.producerIdsRecord },
  accessControlEntry: { id: 18, schema: records.accessControlEntryRecord },
  removeAccessControlEntry: { id: 19, schema: records.removeAccessControlEntryRecord },
  removeUserScramCredential: { id: 22, schema: records.removeUserScramCredentialRecord },
} as const satisfies Record<string, MetadataRecordType>;

type Types = typeof metadataRecordTypes;
export type MetadataRecordKind = keyof Types;

/** A record of the metadata log with its kind and version. */
export type MetadataRecord = {
  [K in MetadataRecordKind]: {
    readonly kind: K;
    readonly version: number;
    readonly message: Message<Types[K]['schema']>;
  };
}[MetadataRecordKind];

/** The only frame version there is. [AbstractApiMessageSerde] */
const frameVersion = 1;

/** The value of a record in the metadata log: frame version, kind and version, then the message. */
export function encodeMetadataRecord<K extends MetadataRecordKind>(
  kind: K,
  version: number,
  value: MessageInput<Types[K]['schema']>,
): Buffer {
  const { id, schema } = metadataRecordTypes[kind];
  const writer = new ByteWriter();
  writer.writeUnsignedVarint(frameVersion);
  writer.writeUnsignedVarint(id);
  writer.writeUnsignedVarint(version);
  writeMessage(writer, schema, version, value);
  return writer.takeBuffer();
}

const byId = new Map(
  Object.entries(metadataRecordTypes).map((entry) => [entry[1].id as number, entry]),
);

/** Reads what `encodeMetadataRecord` wrote; a ProtocolError for another kind, or for bytes left over. */
export function decodeMetadataRecord(bytes: Uint8Array): MetadataRecord {
  const reader = new ByteReader(bytes);
  const frame = reader.readUnsignedVarint();
  if (frame !== frameVersion) throw reader.error(`frame version ${frame}, not ${frameVersion}`);
  const id = reader.readUnsignedVarint();
  const version = reader.readUnsignedVarint();
  const entry = byId.get(id);
  if (entry === undefined) throw reader.error(`an unknown kind of metadata record: ${id}`);
  const [kind, { schema }] = entry;
  const message = decodeMessage(schema as MessageSchema, version, reader);
  if (reader.remaining > 0) throw reader.error(`${reader.remaining} bytes follow the record`);
  // Kind and schema come from one entry of the table, which is what the type says.
  return { kind, version, message } as unknown as MetadataRecord;
}
