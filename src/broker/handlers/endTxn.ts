import type { Handler } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

const firstVersionWithProducerFenced = 2;
const firstVersionWithEpochBump = 5;

/**
 * Versions 0-5: 2 PRODUCER_FENCED; 3 flexible; 4 TRANSACTION_ABORTABLE; 5 the answer has the epoch, and it may be
 * the id, of the next transaction (KIP-890). Answered once the outcome is certain, before it is everywhere.
 */
export const endTxn: Handler<'endTxn'> = {
  versions: [0, 5],
  async handle({ committed: isCommit, ...producer }, { node, apiVersion, access }) {
    access.require('write', 'transactionalId', producer.transactionalId);
    const answer = await node.transactions.coordinator.endTransaction({
      ...producer,
      isCommit,
      clientTransactionVersion: apiVersion >= firstVersionWithEpochBump ? 2 : 0,
    });
    const knowsFenced = apiVersion >= firstVersionWithProducerFenced;
    return { ...answer, errorCode: knownError(answer.errorCode, knowsFenced) };
  },
};
