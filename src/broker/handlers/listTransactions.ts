import { filterInSteps } from '../../base/turns.ts';
import type { Handler } from '../handler.ts';

/** Versions 0-2 (KIP-664): 1 how long they are open at least (KIP-994); 2 a pattern for their ids (KIP-1152). */
export const listTransactions: Handler<'listTransactions'> = {
  versions: [0, 2],
  isReport: () => true,
  *handle(request, { node, access }) {
    const answer = yield* node.transactions.coordinator.listTransactions(request);
    const states = answer.transactionStates ?? [];
    const transactionStates = yield* filterInSteps(states, ({ transactionalId }) =>
      access.may('describe', 'transactionalId', transactionalId),
    );
    return { ...answer, transactionStates };
  },
};
