import { errorMessage, type Logger } from '../../base/logger.ts';
import { type ApiName, apis } from '../../protocol/apis.ts';
import { apiByKey } from '../../protocol/apiIndex.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { decodeRequest, encodeResponseParts } from '../../protocol/frames.ts';
import { decodeMessage } from '../../protocol/messageCodec.ts';
import { ProtocolError } from '../../protocol/protocolError.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { Handler, RequestContext } from '../handler.ts';
import { handlers } from '../handlers/index.ts';
import type { FrameHandler, Peer } from './connection.ts';

/**
 * Turns frames into handler calls and answers into frames. What Kafka answers by closing the connection (an
 * unknown API or version, a malformed request) rejects. [KafkaApis, RequestContext]
 */
export function dispatcher(node: BrokerNode, logger: Logger): FrameHandler {
  return async (frame, peer) => {
    const { apiKey, version, correlationId, clientId, body } = decodeRequest(frame);
    const found = apiByKey(apiKey);
    const handler = found && (handlers[found.name] as Handler<ApiName> | undefined);
    if (!found || !handler || !isServed(handler, version)) {
      if (found?.name === 'apiVersions') return unsupportedApiVersions(correlationId);
      throw new ProtocolError(`version ${version} of API ${apiKey} is not served`);
    }
    // Name, handler and schemas come from one row of the table, which is what the types say.
    const api = found.api;
    const request = decodeMessage(api.request, version, body) as never;
    const context = requestContext(node, peer, version, clientId ?? '');
    try {
      const response = await handler.handle(request, context);
      if (response === null) return undefined;
      return encodeResponseParts({ api, version, correlationId, body: response as never });
    } catch (error) {
      logger.error(`${found.name} v${version} failed: ${describeFailure(error)}`);
      throw error;
    }
  };
}

function isServed({ versions: [min, max] }: Handler<ApiName>, version: number): boolean {
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

function describeFailure(error: unknown): string {
  return error instanceof Error && error.stack ? error.stack : errorMessage(error);
}

/** A version that we lack is answered in version 0, so that the client can read it and ask again. [KIP-511] */
function unsupportedApiVersions(correlationId: number): Buffer[] {
  const api = apis.apiVersions;
  const [minVersion, maxVersion] = handlers.apiVersions?.versions ?? [0, 0];
  const body = {
    errorCode: errorCodes.UNSUPPORTED_VERSION,
    apiKeys: [{ apiKey: api.key, minVersion, maxVersion }],
  };
  return encodeResponseParts({ api, version: 0, correlationId, body });
}
