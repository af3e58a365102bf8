// Transactions of version 2, in any order.
import { compareRandomly } from './support/randomSequences.ts';
import { transactionSteps } from './support/transactionSteps.ts';

compareRandomly('open', { transactions: transactionSteps });
