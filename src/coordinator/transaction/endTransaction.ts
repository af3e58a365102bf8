import { errorCodes } from '../../protocol/errors.ts';
import { noProducerEpoch, noProducerId } from '../../protocol/records/recordBatch.ts';
import type { Outcome, ProducerIdAndEpoch, Surroundings } from './initProducerId.ts';
import {
  epochBumpVersion,
  isEpochExhausted,
  isPrepared,
  lastUsableEpoch,
  prepared,
  type Transaction,
  type TransactionState,
} from './transactionState.ts';

export interface EndTransaction extends ProducerIdAndEpoch {
  readonly transactionalId: string;
  readonly isCommit: boolean;
  /** 2: the producer expects a new epoch with the answer (EndTxn from version 5). */
  readonly clientTransactionVersion: number;
}

/**
 * begin: the transaction is decided now. done: it was decided so before, and this is a retry. wait: its markers
 * are still being written, CONCURRENT_TRANSACTIONS. refuse: INVALID_TXN_STATE. fence: PRODUCER_FENCED.
 */
type Verdict = 'begin' | 'done' | 'wait' | 'refuse' | 'fence';
type Verdicts = Readonly<Partial<Record<TransactionState, Exclude<Verdict, 'wait'>>>>;

/** What comes of EndTxn in each state but the prepared ones; states that are left out are refused. */
interface EndRules {
  readonly commit: Verdicts;
  readonly abort: Verdicts;
}

const rulesV1: EndRules = {
  commit: { Ongoing: 'begin', CompleteCommit: 'done' },
  abort: { Ongoing: 'begin', CompleteAbort: 'done' },
};

/** With the transaction's epoch. A producer that is unsure may abort what has not begun; that too takes an epoch. */
const rulesV2: EndRules = {
  commit: { Ongoing: 'begin' },
  abort: { Ongoing: 'begin', Empty: 'begin', CompleteCommit: 'begin', CompleteAbort: 'begin' },
};

/** With the epoch before: the answer that told the producer of its new epoch was lost. */
const retryRulesV2: EndRules = {
  commit: { Ongoing: 'fence', Empty: 'fence', CompleteCommit: 'done' },
  abort: { Ongoing: 'fence', Empty: 'fence', CompleteAbort: 'done' },
};

/** Decides a transaction. [TransactionCoordinator.endTransaction, endTransactionWithTV1] */
export function endTransaction(
  present: Transaction | undefined,
  request: EndTransaction,
  surroundings: Surroundings,
): Outcome {
  const found = present === undefined ? undefined : rulesFor(present, request);
  if (present === undefined || found === undefined) {
    return { errorCode: errorCodes.INVALID_PRODUCER_ID_MAPPING };
  }
  const { isCommit } = request;
  const verdict =
    typeof found === 'string'
      ? found
      : (found[isCommit ? 'commit' : 'abort'][present.state] ?? 'refuse');
  return verdict === 'begin'
    ? { errorCode: errorCodes.NONE, next: decided(present, request, surroundings) }
    : { errorCode: verdictErrors[verdict] };
}

const verdictErrors = {
  done: errorCodes.NONE,
  wait: errorCodes.CONCURRENT_TRANSACTIONS,
  refuse: errorCodes.INVALID_TXN_STATE,
  fence: errorCodes.PRODUCER_FENCED,
} as const;

/**
 * Which rules the producer's id and epoch call for; undefined where the id is not this one's. What waits for its
 * markers is a pending transition in Kafka. With v2 that comes before ids and epochs: the producer may be ahead, as it
 * was told what to go on as, and a producer that is fenced ends. [TransactionMetadata.pendingTransitionInProgress]
 */
function rulesFor(
  present: Transaction,
  request: EndTransaction,
): EndRules | 'wait' | 'fence' | undefined {
  const { producerId, producerEpoch, previousProducerId } = present;
  const isSameId = request.producerId === producerId;
  const isSameEpoch = request.producerEpoch === producerEpoch;
  if (request.clientTransactionVersion < epochBumpVersion) {
    if (!isSameId) return undefined;
    if (!isSameEpoch) return 'fence';
    return isPrepared(present) ? 'wait' : rulesV1;
  }
  if (isPrepared(present)) return 'wait';
  // The change to a new id and epoch 0 came with the answer that was lost.
  const isRetryOverNewId =
    request.producerId === previousProducerId &&
    request.producerEpoch === lastUsableEpoch &&
    producerEpoch === 0;
  if (!isSameId) return isRetryOverNewId ? retryRulesV2 : undefined;
  if (isSameEpoch) return rulesV2;
  return producerEpoch === request.producerEpoch + 1 ? retryRulesV2 : 'fence';
}

function decided(
  present: Transaction,
  { isCommit, clientTransactionVersion }: EndTransaction,
  { nowMs, newProducerId }: Surroundings,
): Transaction {
  const isBump = clientTransactionVersion >= epochBumpVersion;
  const changesId = isBump && isEpochExhausted(present.producerEpoch);
  const nextProducerId = changesId ? newProducerId() : noProducerId;
  return prepared(present, { isCommit, nowMs, clientTransactionVersion, nextProducerId });
}

/** What the producer goes on as, which EndTxn answers from version 5. */
export function identityAfter(
  transaction: Transaction,
  { clientTransactionVersion }: Pick<EndTransaction, 'clientTransactionVersion'>,
): ProducerIdAndEpoch {
  if (clientTransactionVersion < epochBumpVersion) {
    return { producerId: noProducerId, producerEpoch: noProducerEpoch };
  }
  const { producerId, producerEpoch, nextProducerId } = transaction;
  return nextProducerId === noProducerId
    ? { producerId, producerEpoch }
    : { producerId: nextProducerId, producerEpoch: 0 };
}
