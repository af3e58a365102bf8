import type { Clock } from '../../base/clock.ts';
import type { Steps } from '../../base/turns.ts';
import type { ByteReader } from '../../protocol/byteReader.ts';
import { decodeMessageIfShort, decodeMessageInSteps } from '../../protocol/messageCodec.ts';
import type { Message, MessageSchema } from '../../protocol/schema.ts';
import { memoryBounds } from '../memoryBounds.ts';
import { DecodedMemory, type DecodedShare } from './decodedMemory.ts';

/** A request whose header is read. */
export interface EncodedRequest {
  readonly schema: MessageSchema;
  readonly version: number;
  readonly body: ByteReader;
  /** Of the whole request. */
  readonly frameBytes: number;
}

interface DecodedRequest {
  readonly message: Message<MessageSchema>;
  /** To be disposed when the request is answered. */
  readonly share: DecodedShare;
}

interface LongOptions {
  /** Once it aborts, the request is not read any more. */
  readonly signal: AbortSignal | undefined;
  readonly inTurns: <T>(steps: Steps<T>) => Promise<T>;
}

const { boundBytes, mediumBoundBytes, mediumFrameBytes, mostBytesPerRequest, bytesPerItem } =
  memoryBounds.decoded;

/** Reads requests: what has few items at once, the rest in turns and as memory allows. */
export class RequestDecoder {
  readonly #large: DecodedMemory;
  readonly #medium: DecodedMemory;

  constructor(clock: () => Clock) {
    this.#large = new DecodedMemory(boundBytes, clock);
    this.#medium = new DecodedMemory(mediumBoundBytes, clock);
  }

  /** Undefined, where the request has many items. Throws a ProtocolError. */
  decodeIfShort({ schema, version, body }: EncodedRequest): Message<MessageSchema> | undefined {
    const mostItems = memoryBounds.freeItemsPerRequest;
    return decodeMessageIfShort(schema, version, { reader: body, mostItems });
  }

  /** Rejects with a ProtocolError, with the signal's reason, or with a ClosingError where memory stays short. */
  async decodeLong(
    request: EncodedRequest,
    { signal, inTurns }: LongOptions,
  ): Promise<DecodedRequest> {
    const { frameBytes, body } = request;
    const memory = frameBytes > mediumFrameBytes ? this.#large : this.#medium;
    const share = await memory.enter({ frameBytes, signal });
    try {
      const message = await inTurns(decodeWithinBound(request));
      share.hold(bytesOf(body));
      return { message, share };
    } catch (error) {
      share.dispose();
      throw error;
    }
  }
}

/** What a request takes, as far as it is read. */
function bytesOf(body: ByteReader): number {
  return body.heapBytes + body.itemsRead * bytesPerItem;
}

/** Lists say how long they are before they take any memory. */
function* decodeWithinBound({
  schema,
  version,
  body,
}: EncodedRequest): Steps<Message<MessageSchema>> {
  const steps = decodeMessageInSteps(schema, version, body);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
    if (bytesOf(body) > mostBytesPerRequest) {
      throw body.error(`${body.itemsRead} array items take more memory than a request may have`);
    }
    yield;
  }
}
