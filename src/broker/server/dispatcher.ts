import { errorMessage } from '../../base/logger.ts';
import { inTurns, isSteps } from '../../base/turns.ts';
import { apiByKey } from '../../protocol/apiIndex.ts';
import { type Api, type ApiName, apis } from '../../protocol/apis.ts';
import { errorCodes } from '../../protocol/errors.ts';
import {
  decodeRequest,
  encodeResponseInSteps,
  encodeResponseParts,
  type RequestFrame,
} from '../../protocol/frames.ts';
import type { Message, MessageInput, MessageSchema } from '../../protocol/schema.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, HandlerTable, RequestContext, RequestOf } from '../handler.ts';
import type { QuotaClient } from '../quotas/clientQuotas.ts';
import { memoryBounds } from '../memoryBounds.ts';
import { ClosingError, RequestError } from '../requestError.ts';
import { accessOf } from '../security/authorizer/access.ts';
import { IllegalSaslState } from '../security/saslExchange.ts';
import type { Session } from '../security/session.ts';
import { AnswerMemory } from './answerMemory.ts';
import { refuseBetweenTokens } from './betweenTokens.ts';
import type { Peer } from './connection.ts';
import { errorResponse } from './errorResponse.ts';
import { RequestCost } from './requestCost.ts';
import { RequestDecoder, type EncodedRequest } from './requestDecoder.ts';

/** Finds the handler of each request and frames what it answers. [KafkaApis.handle] */
export class Dispatcher {
  readonly #node: BrokerNode;
  readonly #handlers: HandlerTable;
  readonly #decoder: RequestDecoder;
  readonly #answers: AnswerMemory;

  constructor(node: BrokerNode, handlers: HandlerTable) {
    this.#node = node;
    this.#handlers = handlers;
    this.#decoder = new RequestDecoder(() => node.cluster.clock);
    this.#answers = new AnswerMemory(() => node.cluster.clock);
  }

  /** The response's pieces, or undefined where there is none. Rejects where the connection has to close. */
  async answer(frame: Buffer, peer: Peer): Promise<Buffer[] | undefined> {
    if (peer.session.expectsBareToken) return bareAnswer(frame, peer.session);
    const request = decodeRequest(frame);
    const { apiKey, version, correlationId } = request;
    const known = apiByKey(apiKey);
    const handler = known && this.#handlers[known.name];
    if (!handler) throw new ClosingError(`API ${apiKey} is not served here`);
    const { name, api } = known;
    const isIllegal = !isAdmitted(name, peer.session);
    this.#noteClient(request, peer);
    const [min, max] = handler.versions;
    if (version < min || version > max) {
      if (name === 'apiVersions')
        return isIllegal
          ? refuseBetweenTokens({ name, request: { ...request, version: 0 }, peer })
          : unsupportedApiVersions(handler, correlationId);
      throw new ClosingError(`${api.request.name} has versions ${min} to ${max}, not ${version}`);
    }
    if (isIllegal) return refuseBetweenTokens({ name, request, peer });
    const quotaClient = quotaClientOf(request, peer);
    const cost = new RequestCost((ms) => this.#usedProcessor(quotaClient, ms));
    const asked: Asked = { name, request, peer, quotaClient, cost, bytes: frame.length };
    try {
      return await this.#serve(asked);
    } catch (error) {
      if (peer.signal.aborted && error === peer.signal.reason) return undefined;
      throw error;
    }
  }

  #noteClient({ clientId }: RequestFrame, { session, signal }: Peer): void {
    const isFirst = session.clientId === undefined;
    session.clientId = clientId ?? '';
    if (isFirst) this.#node.openConnections.add(session, signal);
  }

  #serve(asked: Asked): Promise<Buffer[] | undefined> {
    const { name, request, peer, bytes } = asked;
    const { version, body } = request;
    const beganMs = performance.now();
    const encoded = { schema: apis[name].request, version, body, frameBytes: bytes };
    const message = this.#decoder.decodeIfShort(encoded);
    return message === undefined
      ? this.#serveLong(asked, encoded)
      : this.#answerTo(asked, { message, beganMs, waitSignal: peer.signal });
  }

  async #serveLong(asked: Asked, encoded: EncodedRequest): Promise<Buffer[] | undefined> {
    const { name, peer, cost } = asked;
    // A producer that wants no answer may be gone before its request is read.
    const signal = name === 'produce' ? undefined : peer.signal;
    // A long request has a long answer. What may be a report has its place before it is read: no memory waits for one.
    const place = signal && (await this.#answers.enter(signal));
    if (this.#handlers[name]?.isReport === undefined) place?.dispose();
    try {
      const { message, share } = await this.#decoder.decodeLong(encoded, {
        signal,
        inTurns: (steps) => cost.inTurns(steps, signal),
      });
      try {
        const waitSignal = AbortSignal.any([peer.signal, share.wanted]);
        const decoded = { message, beganMs: performance.now(), waitSignal };
        if (!this.#isReport(asked, decoded)) place?.dispose();
        return await this.#answerNow(asked, decoded);
      } finally {
        share.dispose();
      }
    } finally {
      place?.dispose();
    }
  }

  /** Of a short request: a report waits for its place. */
  async #answerTo(asked: Asked, decoded: Decoded): Promise<Buffer[] | undefined> {
    if (!this.#isReport(asked, decoded)) return this.#answerNow(asked, decoded);
    const place = await this.#answers.enter(asked.peer.signal);
    try {
      return await this.#answerNow(asked, decoded);
    } finally {
      place.dispose();
    }
  }

  #isReport({ name }: Asked, { message }: Decoded): boolean {
    const { isReport } = this.#handlers[name] as unknown as Handler<ApiName>;
    return isReport?.(message as RequestOf<ApiName>, this.#node) ?? false;
  }

  async #answerNow(asked: Asked, decoded: Decoded): Promise<Buffer[] | undefined> {
    const { name, request, peer, cost } = asked;
    const { version, correlationId } = request;
    const api: Api = apis[name];
    const body = await this.#handle(asked, decoded);
    const { throttleMs } = cost;
    if (throttleMs > 0) peer.mute(throttleMs);
    if (body === null || peer.signal.aborted) return undefined;
    const isTold = throttleMs > 0 && 'throttleTimeMs' in api.response.fields;
    const answer = isTold ? { ...body, throttleTimeMs: throttleMs } : body;
    const response = { api, version, correlationId, body: answer };
    const parts = cost.isLong
      ? await encodedInTurns(response, peer.signal)
      : encodeResponseParts(response);
    this.#count(parts, asked);
    return parts;
  }

  #count(parts: readonly Buffer[], { name, peer, bytes }: Asked): void {
    // Fetched records have a bound of their own: of the rest each partition takes about what it took to ask for it.
    const sentBytes = name === 'fetch' ? bytes : parts.reduce((sum, { length }) => sum + length, 0);
    if (sentBytes <= memoryBounds.answers.freeBytes) return;
    peer.keepUntilSent(this.#answers.hold(sentBytes, peer.cutOff));
  }

  async #handle(
    { name, request, peer, quotaClient, cost, bytes }: Asked,
    { message, beganMs, waitSignal }: Decoded,
  ): Promise<MessageInput<MessageSchema> | null> {
    const { version: apiVersion, clientId } = request;
    // Name, schema and handler come from one entry of a table, which no single type can say.
    const handler = this.#handlers[name] as unknown as Handler<ApiName>;
    const { host, port, session, signal, closeAfterAnswer, keepUntilSent } = peer;
    const { principal } = session;
    const context: RequestContext = {
      node: this.#node,
      apiVersion,
      clientId: clientId ?? '',
      clientHost: host,
      clientPort: port,
      session,
      signal,
      closeAfterAnswer,
      keepUntilSent,
      waitSignal,
      access: accessOf(this.#node.authorizer, { principal, host }, this.#node.cluster.logger),
      quotaClient,
      requestBytes: bytes,
      throttle: cost.throttle,
      inTurns: (steps) => cost.inTurns(steps),
    };
    try {
      const answered = handler.handle(message as RequestOf<ApiName>, context);
      cost.spend(performance.now() - beganMs);
      // What answers in steps only looks: nobody wants it where the client has gone.
      return await (isSteps(answered) ? cost.inTurns(answered, peer.signal) : answered);
    } catch (error) {
      if (peer.signal.aborted && error === peer.signal.reason) return null;
      return this.#failure(apis[name], apiVersion, error);
    }
  }

  /** Counts what a request took of the thread, in percent of a second; not what it did after it waited for others. */
  #usedProcessor(client: QuotaClient, ms: number): number {
    return this.#node.quotas.use('request_percentage', client, ms / 10);
  }

  /** The API's own error response, where it has one for the whole request. */
  #failure(api: Api, version: number, error: unknown): MessageInput<MessageSchema> {
    if (error instanceof ClosingError) throw error;
    const isRefusal = error instanceof RequestError;
    if (!isRefusal) {
      const trace = error instanceof Error ? error.stack : undefined;
      this.#node.cluster.logger.error(`${api.request.name}: ${trace ?? errorMessage(error)}`);
    }
    const response = errorResponse(api, version, isRefusal ? error.error : 'UNKNOWN_SERVER_ERROR');
    if (!response) throw new ClosingError(`${api.request.name} failed: ${errorMessage(error)}`);
    return isRefusal && 'errorMessage' in api.response.fields
      ? { ...response, errorMessage: error.message }
      : response;
  }
}

/** A request of a client. */
interface Asked {
  readonly name: ApiName;
  readonly request: RequestFrame;
  readonly peer: Peer;
  readonly quotaClient: QuotaClient;
  readonly cost: RequestCost;
  readonly bytes: number;
}

interface Decoded {
  readonly message: Message<MessageSchema>;
  readonly beganMs: number;
  readonly waitSignal: AbortSignal;
}

/** Kafka encodes what it has memory for. Here such a client is cut off, and a user is told why in the log. */
async function encodedInTurns(
  response: Parameters<typeof encodeResponseInSteps>[0],
  signal: AbortSignal,
): Promise<Buffer[]> {
  const { mostBytesPerAnswer } = memoryBounds.answers;
  const steps = encodeResponseInSteps(response, mostBytesPerAnswer);
  const parts = await inTurns(steps, { goesOn: true, signal });
  if (parts !== undefined) return parts;
  throw new ClosingError(
    `the answer to ${response.api.request.name} has more than ${mostBytesPerAnswer >> 20} MiB: ask for less at a time`,
  );
}

function quotaClientOf({ clientId }: RequestFrame, { session }: Peer): QuotaClient {
  return { user: session.principal.replace(/^User:/, ''), clientId: clientId ?? '' };
}

/** False: it came between tokens, which is to be answered. Throws where the connection has to close. */
function isAdmitted(name: ApiName, session: Session): boolean {
  try {
    session.admit(name);
    return true;
  } catch (error) {
    if (error instanceof IllegalSaslState) return false;
    throw error;
  }
}

/** SASL as it was before SaslAuthenticate: who is refused is only cut off. [KIP-43] */
async function bareAnswer(frame: Buffer, session: Session): Promise<Buffer[]> {
  const { token } = await session.authenticate(frame);
  const size = Buffer.alloc(4);
  size.writeInt32BE(token.length);
  return [size, token];
}

/** Kafka answers an ApiVersions it does not know in version 0, with what it does know. [KIP-511] */
function unsupportedApiVersions(
  { versions: [minVersion, maxVersion] }: Pick<Handler<ApiName>, 'versions'>,
  correlationId: number,
): Buffer[] {
  return encodeResponseParts({
    api: apis.apiVersions,
    version: 0,
    correlationId,
    body: {
      errorCode: errorCodes.UNSUPPORTED_VERSION,
      apiKeys: [{ apiKey: apis.apiVersions.key, minVersion, maxVersion }],
    },
  });
}
