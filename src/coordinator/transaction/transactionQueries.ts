import { filterInSteps, mapInSteps, setInSteps, type Steps } from '../../base/turns.ts';
import { errorCodes } from '../../protocol/errors.ts';
import type { describeTransactionsResponse } from '../../protocol/messages/describeTransactions.ts';
import type {
  listTransactionsRequest,
  listTransactionsResponse,
} from '../../protocol/messages/listTransactions.ts';
import type { Message, MessageInput } from '../../protocol/schema.ts';
import { compilePattern, matchesWhole } from '../pattern.ts';
import { type Transaction, transactionStates } from './transactionState.ts';

export type ListTransactionsRequest = Message<typeof listTransactionsRequest>;
export type ListTransactionsResponse = MessageInput<typeof listTransactionsResponse>;
type Described = NonNullable<
  MessageInput<typeof describeTransactionsResponse>['transactionStates']
>[number];

/** [TransactionCoordinator.handleDescribeTransactions] */
export function describeTransaction(transaction: Transaction): Described {
  return {
    errorCode: errorCodes.NONE,
    transactionalId: transaction.transactionalId,
    producerId: transaction.producerId,
    producerEpoch: transaction.producerEpoch,
    transactionState: transaction.state,
    transactionTimeoutMs: transaction.timeoutMs,
    transactionStartTimeMs: transaction.startTimestampMs,
    topics: [...transaction.partitions].map(([topic, indexes]) => ({
      topic,
      partitions: [...indexes],
    })),
  };
}

/** [TransactionStateManager.listTransactionStates] */
export function* listTransactions(
  transactions: readonly Transaction[],
  request: ListTransactionsRequest,
  nowMs: bigint,
): Steps<ListTransactionsResponse> {
  const { stateFilters, producerIdFilters, durationFilter, transactionalIdPattern } = request;
  const compiled = transactionalIdPattern ? compilePattern(transactionalIdPattern) : undefined;
  if (compiled && 'problem' in compiled) {
    return { errorCode: errorCodes.INVALID_REGULAR_EXPRESSION };
  }
  const states = yield* setInSteps(stateFilters);
  const producerIds = yield* setInSteps(producerIdFilters);
  const isAsked = (transaction: Transaction): boolean =>
    (states.size === 0 || states.has(transaction.state)) &&
    (producerIds.size === 0 || producerIds.has(transaction.producerId)) &&
    (durationFilter < 0n || nowMs - transaction.startTimestampMs > durationFilter) &&
    (compiled === undefined || matchesWhole(compiled.pattern, transaction.transactionalId));
  const found = yield* filterInSteps(transactions, isAsked);
  return {
    errorCode: errorCodes.NONE,
    unknownStateFilters: yield* filterInSteps(
      states,
      (state) => !Object.hasOwn(transactionStates, state),
    ),
    transactionStates: yield* mapInSteps(found, listed),
  };
}

function listed({ transactionalId, producerId, state }: Transaction) {
  return { transactionalId, producerId, transactionState: state };
}
