import { type Api, type ApiName, apis } from '../../protocol/apis.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { encodeResponseParts, type RequestFrame } from '../../protocol/frames.ts';
import { decodeMessage } from '../../protocol/messageCodec.ts';
import type { RequestOf } from '../handler.ts';
import { ClosingError } from '../requestError.ts';
import { hasUnknown } from '../security/authorizer/aclCodes.ts';
import type { Peer } from './connection.ts';
import { errorResponse } from './errorResponse.ts';

interface Misplaced {
  readonly name: ApiName;
  readonly request: RequestFrame;
  readonly peer: Peer;
}

/**
 * What a client asks where a token should come is refused in its own form, after a while, and the connection closes.
 * Kafka has such a form for every API; here those whose answer has no error for all but are closed on, except Metadata.
 * [SaslServerAuthenticator.handleSaslToken]
 */
export async function refuseBetweenTokens({ name, request, peer }: Misplaced): Promise<Buffer[]> {
  const { version, correlationId } = request;
  const api: Api = apis[name];
  const asked = decodeMessage(api.request, version, request.body);
  if (name === 'describeAcls' && hasUnknown(asked as RequestOf<'describeAcls'>))
    throw new ClosingError('DescribeAcls has UNKNOWN elements');
  const body =
    name === 'metadata'
      ? refusedMetadata(asked as RequestOf<'metadata'>)
      : refusal(name, api, version);
  await peer.session.delayFailure();
  peer.closeAfterAnswer();
  return encodeResponseParts({ api, version, correlationId, body });
}

const errorCode = errorCodes.ILLEGAL_SASL_STATE;

/** Of the error itself, where Kafka does not say what was asked. [Errors.ILLEGAL_SASL_STATE] */
const usualMessage = 'Request is not valid given the current SASL state.';

/** What Kafka's refusals say beside the error, other than their schemas' defaults. */
const nothing: Partial<Record<ApiName, (version: number) => object>> = {
  findCoordinator: () => ({ nodeId: -1, port: -1, errorMessage: usualMessage }),
  describeQuorum: () => ({ errorMessage: usualMessage }),
  consumerGroupHeartbeat: () => ({ errorMessage: null }),
  initProducerId: () => ({ producerEpoch: -1 }),
  describeClientQuotas: () => ({ entries: null }),
  joinGroup: (version) => (version < firstWithoutProtocol ? {} : { protocolName: null }),
};
const firstWithoutProtocol = 7;

function refusal(name: ApiName, api: Api, version: number): object {
  const refused = errorResponse(api, version, 'ILLEGAL_SASL_STATE');
  if (!refused) throw new ClosingError(`${name} came where a token should`);
  const type = name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
  const errorMessage = `Unexpected Kafka request of type ${type} during SASL authentication.`;
  const told = { ...refused, ...nothing[name]?.(version) };
  return 'errorMessage' in api.response.fields ? { errorMessage, ...told } : told;
}

function refusedMetadata({ topics }: RequestOf<'metadata'>): object {
  const refused = (topics ?? []).map(({ name, topicId }) => {
    return { name: name ?? '', topicId, errorCode };
  });
  return { topics: refused, errorCode };
}
