// Transactions of version 1, in any order.
import { compareRandomly } from './support/randomSequences.ts';
import { transactionSteps } from './support/transactionSteps.ts';

compareRandomly('olderTransactions', { 'transactions of version 1': transactionSteps });
