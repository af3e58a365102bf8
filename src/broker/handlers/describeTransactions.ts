import type { Handler } from '../handler.ts';

/** Version 0 (KIP-664). */
export const describeTransactions: Handler<'describeTransactions'> = {
  versions: [0, 0],
  handle: ({ transactionalIds }, { node }) => ({
    transactionStates: transactionalIds.map((transactionalId) =>
      node.transactions.coordinator.describeTransaction(transactionalId),
    ),
  }),
};
