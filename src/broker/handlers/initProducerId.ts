import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { Handler, RequestContext } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

const firstVersionWithProducerFenced = 4;

/**
 * Versions 0-5: 2 flexible; 3 the producer's present id and epoch (KIP-360); 4 PRODUCER_FENCED; 5 KIP-890.
 * Without transactional id the answer is a fresh id, for an idempotent producer. Where Kafka says
 * COORDINATOR_LOAD_IN_PROGRESS until it has a block of ids, we answer once we have it.
 */
export const initProducerId: Handler<'initProducerId'> = {
  versions: [0, 5],
  async handle(request, { node, apiVersion, access }) {
    const { transactionalId, producerId, producerEpoch, transactionTimeoutMs } = request;
    const refusal = refusalOf(transactionalId, access);
    if (refusal !== undefined) {
      const none = { producerId: noProducerId, producerEpoch: noProducerEpoch };
      return { errorCode: errorCodes[refusal], ...none };
    }
    const hasId = producerId !== noProducerId;
    if (hasId !== (producerEpoch !== noProducerEpoch)) {
      const errorCode = errorCodes.INVALID_REQUEST;
      return { errorCode, producerId: noProducerId, producerEpoch: noProducerEpoch };
    }
    if (transactionalId === null) {
      return { producerId: await node.producerIds.take(), producerEpoch: 0 };
    }
    const answer = await node.transactions.coordinator.initProducerId({
      transactionalId,
      timeoutMs: transactionTimeoutMs,
      expected: hasId ? { producerId, producerEpoch } : undefined,
    });
    const knowsFenced = apiVersion >= firstVersionWithProducerFenced;
    return { ...answer, errorCode: knownError(answer.errorCode, knowsFenced) };
  },
};

/** An idempotent producer needs no more than to be able to write to some topic (KIP-679). */
function refusalOf(
  transactionalId: string | null,
  access: RequestContext['access'],
): ErrorName | undefined {
  if (transactionalId !== null) {
    const isAllowed = access.may('write', 'transactionalId', transactionalId);
    return isAllowed ? undefined : 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED';
  }
  const isAllowed = access.may('idempotentWrite', 'cluster') || access.mayOnSome('write', 'topic');
  return isAllowed ? undefined : 'CLUSTER_AUTHORIZATION_FAILED';
}
