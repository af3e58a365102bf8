import type { Steps } from '../base/turns.ts';
import type { Api } from './apis.ts';
import { apiByKey, requestHeaderVersion, responseHeaderVersion } from './apiIndex.ts';
import { ByteReader } from './byteReader.ts';
import { ByteWriter } from './byteWriter.ts';
import { requestHeader, responseHeader } from './messages/headers.ts';
import {
  decodeMessage,
  decodeMessageInSteps,
  writeMessage,
  writeMessageInSteps,
} from './messageCodec.ts';
import type { Message, MessageInput } from './schema.ts';

/** A request as it is written. */
export interface RequestInput<A extends Api> {
  readonly api: A;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | null;
  readonly body: MessageInput<A['request']>;
}

/** A response as it is written. */
export interface ResponseInput<A extends Api> {
  readonly api: A;
  readonly version: number;
  readonly correlationId: number;
  readonly body: MessageInput<A['response']>;
}

/** What stands before a request's body. */
export interface RequestFrame {
  readonly apiKey: number;
  readonly version: number;
  readonly correlationId: number;
  readonly clientId: string | null;
  /** The API, or undefined for a key that we do not know; then there is nothing more to be read. */
  readonly api: Api | undefined;
  /** Stands at the body, for `decodeMessage`. */
  readonly body: ByteReader;
}

/**
 * A request with its size in front, in pieces for one vectored write. Large `bytes` and `records` are
 * not copied: they must not change until the pieces are written.
 */
export function encodeRequestParts<A extends Api>(request: RequestInput<A>): Buffer[] {
  const { api, version, correlationId, clientId } = request;
  return framed(new ByteWriter(), (writer) => {
    const header = {
      requestApiKey: api.key,
      requestApiVersion: version,
      correlationId,
      clientId,
    };
    writeMessage(writer, requestHeader, requestHeaderVersion(api, version), header);
    writeMessage(writer, api.request, version, request.body);
  });
}

/** A request with its size in front, in one piece. */
export function encodeRequest<A extends Api>(request: RequestInput<A>): Buffer {
  return joined(encodeRequestParts(request));
}

/**
 * A response with its size in front, in pieces; see `encodeRequestParts`. What its version cannot carry is
 * dropped.
 */
export function encodeResponseParts<A extends Api>(response: ResponseInput<A>): Buffer[] {
  const { api, version, correlationId } = response;
  return framed(new ByteWriter({ isLenient: true }), (writer) => {
    const headerVersion = responseHeaderVersion(api, version);
    writeMessage(writer, responseHeader, headerVersion, { correlationId });
    writeMessage(writer, api.response, version, response.body);
  });
}

/** As `encodeResponseParts`, with pauses; undefined where it takes more bytes than that. */
export function* encodeResponseInSteps<A extends Api>(
  response: ResponseInput<A>,
  mostBytes: number,
): Steps<Buffer[] | undefined> {
  const { api, version, correlationId, body } = response;
  const writer = new ByteWriter({ isLenient: true });
  writer.writeInt32(0);
  writeMessage(writer, responseHeader, responseHeaderVersion(api, version), { correlationId });
  const writing = writeMessageInSteps(writer, api.response, version, body);
  while (writing.next().done !== true) {
    if (writer.size > mostBytes) return undefined;
    yield;
  }
  return sized(writer);
}

/** A response with its size in front, in one piece. */
export function encodeResponse<A extends Api>(response: ResponseInput<A>): Buffer {
  return joined(encodeResponseParts(response));
}

/**
 * Reads the header of a request from a frame without its size. The version is as the client sent it
 * and may be one that we do not have: whether to answer or to close is the broker's decision. Throws a
 * ProtocolError for a malformed header.
 */
export function decodeRequest(frame: Uint8Array): RequestFrame {
  const peek = new ByteReader(frame);
  const api = apiByKey(peek.readInt16())?.api;
  const version = peek.readInt16();
  const body = new ByteReader(frame);
  const headerVersion = api === undefined ? 1 : requestHeaderVersion(api, version);
  const header = decodeMessage(requestHeader, headerVersion, body);
  return {
    apiKey: header.requestApiKey,
    version,
    correlationId: header.correlationId,
    clientId: header.clientId,
    api,
    body,
  };
}

/** The correlation id, which stands first in a response of any version. */
export function correlationIdOf(frame: Uint8Array): number {
  return new ByteReader(frame).readInt32();
}

/**
 * Reads a response from a frame without its size. Throws a ProtocolError for anything malformed. A
 * broker that lacks the version of ApiVersions that was asked for answers in version 0. [KIP-511]
 */
export function decodeResponse<A extends Api>(
  api: A,
  version: number,
  frame: Uint8Array,
): { correlationId: number; body: Message<A['response']> } {
  const reader = new ByteReader(frame);
  const headerVersion = responseHeaderVersion(api, version);
  const { correlationId } = decodeMessage(responseHeader, headerVersion, reader);
  return { correlationId, body: decodeMessage<A['response']>(api.response, version, reader) };
}

/** Reads the body of a response as `decodeResponse` does, with pauses. */
export function* decodeResponseInSteps<A extends Api>(
  api: A,
  version: number,
  frame: Uint8Array,
): Steps<Message<A['response']>> {
  const reader = new ByteReader(frame);
  decodeMessage(responseHeader, responseHeaderVersion(api, version), reader);
  return yield* decodeMessageInSteps<A['response']>(api.response, version, reader);
}

function framed(writer: ByteWriter, write: (writer: ByteWriter) => void): Buffer[] {
  writer.writeInt32(0);
  write(writer);
  return sized(writer);
}

function sized(writer: ByteWriter): Buffer[] {
  const size = writer.size - 4;
  const parts = writer.takeParts();
  parts[0]?.writeInt32BE(size);
  return parts;
}

function joined(parts: readonly Buffer[]): Buffer {
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : Buffer.concat(parts);
}
