/** How payloads of a topic are read; chosen for keys, values and header values apart. */
import * as v from 'valibot';
import { name, text } from './common.ts';

export const schemaText = text(1_000_000);
/** Of a file. */
const path = name;

const simpleDecoderKinds = [
  'auto',
  'text',
  'json',
  'hex',
  'base64',
  'int32',
  'int64',
  'float',
  'double',
] as const;

export const decoderChoice = v.variant('kind', [
  v.object({ kind: v.picklist(simpleDecoderKinds) }),
  /** `path` is that of the schema's file, for people. */
  v.object({ kind: v.literal('avro'), path, schema: schemaText }),
  v.object({
    kind: v.literal('protobuf'),
    path,
    schema: schemaText,
    message: name,
  }),
]);
export type DecoderChoice = v.InferOutput<typeof decoderChoice>;
export type DecoderKind = DecoderChoice['kind'];
export const decoderKind = v.picklist([...simpleDecoderKinds, 'avro', 'protobuf']);

export const payloadField = v.picklist(['key', 'value', 'headers']);
export type PayloadField = v.InferOutput<typeof payloadField>;

export const topicDecoders = v.object({
  key: decoderChoice,
  value: decoderChoice,
  headers: decoderChoice,
});
export type TopicDecoders = v.InferOutput<typeof topicDecoders>;
export const defaultDecoders: TopicDecoders = {
  key: { kind: 'auto' },
  value: { kind: 'auto' },
  headers: { kind: 'auto' },
};
