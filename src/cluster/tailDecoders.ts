import { makeDecoder, type PayloadDecoder } from '../codec/payloadDecoder.ts';
import type { PayloadField, TopicDecoders } from '../shared/contracts/decoders.ts';

/** How the payloads of a tail are read; a field without a decoder is shown as its bytes suggest. */
export type TailDecoders = Readonly<Partial<Record<PayloadField, PayloadDecoder | undefined>>>;

/** Rejects where a schema cannot be read. */
export async function tailDecoders(choices: TopicDecoders): Promise<TailDecoders> {
  const [key, value, headers] = await Promise.all([
    makeDecoder(choices.key),
    makeDecoder(choices.value),
    makeDecoder(choices.headers),
  ]);
  return { key, value, headers };
}
