import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { Handler, ResponseOf } from '../handler.ts';

/**
 * Versions 0-5: 2 flexible; 3 the producer's present id and epoch (KIP-360); 4 PRODUCER_FENCED; 5 KIP-890.
 * Idempotent producers get a fresh id. There are no transactions yet: with a transactional id the answer is
 * UNSUPPORTED_VERSION, on which clients give up at once.
 */
export const initProducerId: Handler<'initProducerId'> = {
  versions: [0, 5],
  async handle({ transactionalId, producerId, producerEpoch }, { node }) {
    const isHalf = (producerId === noProducerId) !== (producerEpoch === noProducerEpoch);
    if (isHalf || transactionalId === '') return refusal('INVALID_REQUEST');
    if (transactionalId !== null) return refusal('UNSUPPORTED_VERSION');
    return { producerId: await node.producerIds.take(), producerEpoch: 0 };
  },
};

function refusal(error: ErrorName): ResponseOf<'initProducerId'> {
  return {
    errorCode: errorCodes[error],
    producerId: noProducerId,
    producerEpoch: noProducerEpoch,
  };
}
