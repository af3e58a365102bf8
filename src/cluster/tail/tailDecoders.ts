import type { Decoded, PayloadDecoder } from '../../codec/decoded.ts';
import { internalTopicDecoder, type RecordDecoder } from '../../codec/internalTopics.ts';
import { keepsText, makeDecoder } from '../../codec/payloadDecoder.ts';
import type { KafkaRecord } from '../../protocol/records/recordReader.ts';
import type { PayloadField, TopicDecoders } from '../../shared/contracts/decoders.ts';

/** How the payloads of a tail are read; a field without a decoder is shown as its bytes suggest. */
export interface TailDecoders {
  readonly key?: PayloadDecoder | undefined;
  readonly value?: PayloadDecoder | undefined;
  readonly headers?: PayloadDecoder | undefined;
  /** Of one of Kafka's own topics; a decoder that was chosen goes before it. */
  readonly record?: RecordDecoder | undefined;
  /** The fields whose text may be another than their bytes as UTF-8. Left out: none. */
  readonly rewritten?: ReadonlySet<PayloadField>;
}

/** Rejects where a schema cannot be read. */
export async function tailDecoders(topic: string, choices: TopicDecoders): Promise<TailDecoders> {
  const [key, value, headers] = await Promise.all([
    makeDecoder(choices.key),
    makeDecoder(choices.value),
    makeDecoder(choices.headers),
  ]);
  const record = internalTopicDecoder(topic);
  const isRewritten = (field: PayloadField): boolean =>
    !keepsText(choices[field]) || (record !== undefined && field !== 'headers');
  const rewritten = new Set((['key', 'value', 'headers'] as const).filter(isRewritten));
  return { key, value, headers, record, rewritten };
}

/** What is made of a record's key or value; undefined where nothing is chosen, or there are no bytes. */
export function decodedField(
  decoders: TailDecoders,
  field: 'key' | 'value',
  record: Pick<KafkaRecord, 'key' | 'value'>,
): Decoded | undefined {
  const bytes = record[field];
  if (bytes === null || bytes.length === 0) return undefined;
  const chosen = decoders[field];
  if (chosen) return chosen(bytes);
  return record.key ? decoders.record?.(record.key, record.value)[field] : undefined;
}

/** What is made of a header's value. */
export function decodedHeader(decoders: TailDecoders, value: Buffer | null): Decoded | undefined {
  return value && value.length > 0 ? decoders.headers?.(value) : undefined;
}

/**
 * The text of a key or value, as filters see it: what its decoder makes of it. Where there is none, and of what it
 * cannot read, that of its bytes as UTF-8.
 */
export function fieldText(
  decoders: TailDecoders,
  field: 'key' | 'value',
  record: Pick<KafkaRecord, 'key' | 'value'>,
): string | null {
  return textOf(record[field], decodedField(decoders, field, record));
}

/** The same of a header's value. */
export function headerText(decoders: TailDecoders, value: Buffer | null): string | null {
  return textOf(value, decodedHeader(decoders, value));
}

function textOf(bytes: Buffer | null, decoded: Decoded | undefined): string | null {
  if (bytes === null) return null;
  return decoded && 'text' in decoded ? decoded.text : bytes.toString('utf8');
}
