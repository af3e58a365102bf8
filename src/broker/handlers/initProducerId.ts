import { errorCodes } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { Handler } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

const firstVersionWithProducerFenced = 4;

/**
 * Versions 0-5: 2 flexible; 3 the producer's present id and epoch (KIP-360); 4 PRODUCER_FENCED; 5 KIP-890.
 * Without transactional id the answer is a fresh id, for an idempotent producer. Where Kafka says
 * COORDINATOR_LOAD_IN_PROGRESS until it has a block of ids, we answer once we have it.
 */
export const initProducerId: Handler<'initProducerId'> = {
  versions: [0, 5],
  async handle(request, { node, apiVersion }) {
    const { transactionalId, producerId, producerEpoch, transactionTimeoutMs } = request;
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
