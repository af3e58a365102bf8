import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inOneGo } from '../../../../src/base/turns.ts';
import {
  listTransactions,
  type ListTransactionsRequest,
} from '../../../../src/coordinator/transaction/transactionQueries.ts';
import { newTransaction } from '../../../../src/coordinator/transaction/transactionState.ts';

const asked: ListTransactionsRequest = {
  stateFilters: [],
  producerIdFilters: [],
  durationFilter: -1n,
  transactionalIdPattern: null,
};

describe('listing transactions by a pattern', () => {
  const long = 'a'.repeat(2000);
  const transactions = ['orders', long].map((id) => newTransaction(id, 1n));
  const found = (transactionalIdPattern: string): (string | undefined)[] =>
    (
      inOneGo(listTransactions(transactions, { ...asked, transactionalIdPattern }, 0n))
        .transactionStates ?? []
    ).map(({ transactionalId }) => transactionalId);

  it('matches whole ids', () => {
    assert.deepEqual(found('ord.*'), ['orders']);
    assert.deepEqual(found('a+'), [long]);
    assert.deepEqual(found('rder'), []);
  });

  it('takes a bounded time for each: an id that is too long for the pattern is not looked for', () => {
    assert.deepEqual(found('a{1,2000}'), []);
  });
});
