import { mapInSteps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { Handler } from '../handler.ts';

/** Version 0 (KIP-664). */
export const describeTransactions: Handler<'describeTransactions'> = {
  versions: [0, 0],
  *handle({ transactionalIds }, { node, access }) {
    const mayDescribe = access.filter('describe', 'topic');
    const transactionStates = yield* mapInSteps(transactionalIds, (transactionalId) => {
      if (!access.may('describe', 'transactionalId', transactionalId)) {
        return { transactionalId, errorCode: errorCodes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED };
      }
      const state = node.transactions.coordinator.describeTransaction(transactionalId);
      return {
        ...state,
        topics: (state.topics ?? []).filter(({ topic = '' }) => mayDescribe(topic)),
      };
    });
    return { transactionStates };
  },
};
