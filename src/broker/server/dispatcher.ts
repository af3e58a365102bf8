import { errorMessage, type Logger } from '../../base/logger.ts';
import type { ApiName } from '../../protocol/apis.ts';
import { apiByKey } from '../../protocol/apiIndex.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { decodeRequest, encodeResponseParts } from '../../protocol/frames.ts';
import { decodeMessage } from '../../protocol/messageCodec.ts';
import { ProtocolError } from '../../protocol/protocolError.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';
import { apiVersions as apiVersionsApi, handlers } from '../handlers/index.ts';
import { supportedApis } from '../handlers/supportedApis.ts';
import type { FrameHandler, Peer } from './connection.ts';

interface Decoded {
  readonly name: ApiName;
  readonly version: number;
  readonly correlationId: number;
  readonly request: unknown;
}

/**
 * Turns frames into handler calls and answers into frames. What Kafka answers by closing the connection (an
 * unknown API or version, a malformed request) rejects. [KafkaApis, RequestContext]
 */
export function dispatcher(node: BrokerNode, logger: Logger): FrameHandler {
  return async (frame, peer) => {
    const header = decodeRequest(frame);
    const { version, correlationId, clientId } = header;
    const name = apiByKey(header.apiKey)?.name;
    const handler = name && handlers[name];
    if (!name || !handler || !isServed(handler, version)) {
      if (name === 'apiVersions') return unsupportedApiVersions(correlationId);
      throw new ProtocolError(`version ${version} of API ${header.apiKey} is not served`);
    }
    const api = apiByKey(header.apiKey)?.api;
    if (!api) throw new ProtocolError(`API ${header.apiKey} is not known`);
    const request = decodeMessage(api.request, version, header.body);
    const decoded: Decoded = { name, version, correlationId, request };
    const context = requestContext(node, peer, version, clientId ?? '');
    const body = await answer(handler as Handler<ApiName>, decoded, context, logger);
    return body && encodeResponseParts({ api, version, correlationId, body });
  };
}

function isServed({ versions: [min, max] }: Handler<never>, version: number): boolean {
  return version >= min && version <= max;
}

function requestContext(
  node: BrokerNode,
  { host, signal }: Peer,
  apiVersion: number,
  clientId: string,
): RequestContext {
  return { node, apiVersion, clientId, clientHost: host, signal };
}

async function answer(
  handler: Handler<ApiName>,
  { name, request }: Decoded,
  context: RequestContext,
  logger: Logger,
): Promise<ResponseOf<ApiName> | null> {
  try {
    return await handler.handle(request as never, context);
  } catch (error) {
    logger.error(`${name} v${context.apiVersion} failed: ${describeFailure(error)}`);
    throw error;
  }
}

function describeFailure(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : errorMessage(error);
}

/** A version that we lack is answered in version 0, so that the client can read it and ask again. [KIP-511] */
function unsupportedApiVersions(correlationId: number): Buffer[] {
  const [min, max] = apiVersionsApi.versions;
  const { key: apiKey } = supportedApis.apiVersions;
  return encodeResponseParts({
    api: supportedApis.apiVersions,
    version: 0,
    correlationId,
    body: {
      errorCode: errorCodes.UNSUPPORTED_VERSION,
      apiKeys: [{ apiKey, minVersion: min, maxVersion: max }],
    },
  });
}
