import { errorMessage } from '../../base/logger.ts';
import { inTurns, isSteps, type Steps } from '../../base/turns.ts';
import { apiByKey } from '../../protocol/apiIndex.ts';
import { type Api, type ApiName, apis } from '../../protocol/apis.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import {
  decodeRequest,
  encodeResponseInSteps,
  encodeResponseParts,
  type RequestFrame,
} from '../../protocol/frames.ts';
import { decodeMessage, decodeMessageInSteps } from '../../protocol/messageCodec.ts';
import type { MessageInput, MessageSchema } from '../../protocol/schema.ts';
import { includesVersion } from '../../protocol/versions.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, HandlerTable, RequestContext, RequestOf } from '../handler.ts';
import type { QuotaClient } from '../quotas/clientQuotas.ts';
import { ClosingError, RequestError } from '../requestError.ts';
import { accessOf } from '../security/authorizer/access.ts';
import type { Session } from '../security/session.ts';
import type { Peer } from './connection.ts';

/** Finds the handler of each request and frames what it answers. [KafkaApis.handle] */
export class Dispatcher {
  readonly #node: BrokerNode;
  readonly #handlers: HandlerTable;

  constructor(node: BrokerNode, handlers: HandlerTable) {
    this.#node = node;
    this.#handlers = handlers;
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
    peer.session.admit(name);
    const [min, max] = handler.versions;
    if (version < min || version > max) {
      if (name === 'apiVersions') return unsupportedApiVersions(handler, correlationId);
      throw new ClosingError(`${api.request.name} has versions ${min} to ${max}, not ${version}`);
    }
    const handled = await this.#handle(name, request, { ...peer, bytes: frame.length });
    const { body, throttleMs } = handled;
    if (throttleMs > 0) peer.mute(throttleMs);
    if (body === null || peer.signal.aborted) return undefined;
    const told = throttleMs > 0 && 'throttleTimeMs' in api.response.fields;
    const answer = told ? { ...body, throttleTimeMs: throttleMs } : body;
    const response = { api, version, correlationId, body: answer };
    return handled.isLong
      ? inTurns(encodeResponseInSteps(response), { goesOn: true })
      : encodeResponseParts(response);
  }

  async #handle(
    name: ApiName,
    request: RequestFrame,
    { host, port, bytes, ...peer }: Peer & { readonly bytes: number },
  ): Promise<Handled> {
    const { version: apiVersion, clientId } = request;
    const api: Api = apis[name];
    // Name, schema and handler come from one entry of a table, which no single type can say.
    const handler = this.#handlers[name] as unknown as Handler<ApiName>;
    const { principal } = peer.session;
    const user = principal.replace(/^User:/, '');
    const quotaClient = { user, clientId: clientId ?? '' };
    let isLong = bytes > shortFrameBytes;
    let throttleMs = 0;
    const throttle = (forMs: number): void => {
      throttleMs = Math.max(throttleMs, forMs);
    };
    const spend = (ms: number): void => throttle(this.#usedProcessor(quotaClient, ms));
    const inCountedTurns = <T>(steps: Steps<T>, signal?: AbortSignal): Promise<T> => {
      isLong = true;
      return inTurns(steps, { onSpent: spend, ...(signal && { signal }) });
    };
    const beganMs = performance.now();
    const message = isLong
      ? await inCountedTurns(decodeMessageInSteps(api.request, apiVersion, request.body))
      : decodeMessage(api.request, apiVersion, request.body);
    const context: RequestContext = {
      node: this.#node,
      apiVersion,
      clientId: clientId ?? '',
      clientHost: host,
      clientPort: port,
      ...peer,
      access: accessOf(this.#node.authorizer, { principal, host }, this.#node.cluster.logger),
      quotaClient,
      requestBytes: bytes,
      throttle,
      inTurns: (steps) => inCountedTurns(steps),
    };
    try {
      const handledAtMs = isLong ? performance.now() : beganMs;
      const answered = handler.handle(message as RequestOf<ApiName>, context);
      spend(performance.now() - handledAtMs);
      // What answers in steps only looks: nobody wants it where the client has gone.
      const body = await (isSteps(answered) ? inCountedTurns(answered, peer.signal) : answered);
      return { body, throttleMs, isLong };
    } catch (error) {
      if (peer.signal.aborted && error === peer.signal.reason)
        return { body: null, throttleMs, isLong };
      return { body: this.#failure(api, apiVersion, error), throttleMs, isLong };
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

interface Handled {
  readonly body: MessageInput<MessageSchema> | null;
  readonly throttleMs: number;
  /** The answer may be long. */
  readonly isLong: boolean;
}

/** What is in a frame of no more bytes is read at once. */
const shortFrameBytes = 64 << 10;

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

function errorResponse(
  api: Api,
  version: number,
  error: ErrorName,
): { errorCode: number } | undefined {
  const field = api.response.fields['errorCode'];
  return field && includesVersion(field.versions, version)
    ? { errorCode: errorCodes[error] }
    : undefined;
}
