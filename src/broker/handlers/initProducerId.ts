import { errorCodes } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { Handler } from '../handler.ts';

/**
 * Versions 0-5: 2 flexible; 3 the producer's present id and epoch (KIP-360); 4 PRODUCER_FENCED; 5 KIP-890.
 * Idempotent producers get a fresh id. A transactional id is refused: there are no transactions yet.
 */
export const initProducerId: Handler<'initProducerId'> = {
  versions: [0, 5],
  async handle({ transactionalId }, { node }) {
    if (transactionalId !== null) {
      return {
        errorCode: errorCodes.INVALID_REQUEST,
        producerId: noProducerId,
        producerEpoch: noProducerEpoch,
      };
    }
    return { producerId: await node.producerIds.take(), producerEpoch: 0 };
  },
};
