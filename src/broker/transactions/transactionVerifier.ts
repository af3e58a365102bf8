import { atOnce, inTurns, type InTurns, workOnEach } from '../../base/turns.ts';
import type { AddPartitions } from '../../coordinator/transaction/addPartitions.ts';
import type { TopicPartition } from '../../coordinator/transaction/partitionSet.ts';
import { epochBumpVersion } from '../../coordinator/transaction/transactionState.ts';
import { errorByCode, errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { VerificationGuard } from '../../storage/transactionVerification.ts';
import type { BrokerNode } from '../brokerNode.ts';
import { answerableError, partitionOf } from '../partitionLookup.ts';

/**
 * What a producer knows of KIP-890: nothing; that it may have to abort (TRANSACTION_ABORTABLE); or that its
 * partitions are added as it writes to them. [TransactionSupportedOperation]
 */
export type TransactionSupport = 'verify' | 'verifyAbortable' | 'add';

/** Batches that are gone through at once, as most requests have no more. */
const fewBatches = 32;

/** The first batch of a request for a partition. */
interface FirstBatch extends TopicPartition {
  readonly baseSequence: number;
}

export interface TransactionToVerify {
  readonly transactionalId: string | null;
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly batches: readonly FirstBatch[];
  readonly support: TransactionSupport;
}

/** Whether a batch may be written: the guard goes with it; undefined where the transaction is known there. */
export interface Verified {
  readonly error: ErrorName;
  readonly guard?: VerificationGuard | undefined;
}

/**
 * Asks the coordinator, before the first batch of a transaction goes to a partition, whether the partition is part
 * of it, or makes it so; without that, a transaction could stay open that nobody knows of (KIP-890). Answers for
 * each batch in turn. [ReplicaManager.maybeSendPartitionsToTransactionCoordinator, AddPartitionsToTxnManager]
 */
export async function verifyTransaction(
  node: BrokerNode,
  transaction: TransactionToVerify,
): Promise<Verified[]> {
  const { transactionalId, support, batches } = transaction;
  const isEnabled = node.cluster.config.boolean('transaction.partition.verification.enable');
  if (transactionalId === null || (support !== 'add' && !isEnabled)) {
    return batches.map(() => ({ error: 'NONE', guard: undefined }));
  }
  const run = batches.length > fewBatches ? inTurns : atOnce;
  const started = await workOnEach(batches, (batch) => start(node, transaction, batch), run);
  const asked = batches.filter((_batch, index) => needsAnswer(started[index]));
  if (asked.length === 0) return started;
  const { producerId, producerEpoch } = transaction;
  const request = { transactionalId, producerId, producerEpoch, partitions: asked };
  const errorsOfAsked = await ask(node, request, { support, run });
  let next = 0;
  return started.map((verified) => {
    if (!needsAnswer(verified)) return verified;
    const error = errorFor(errorsOfAsked[next++] ?? errorCodes.NONE, support);
    return error === 'NONE' ? verified : { error };
  });
}

function needsAnswer(verified: Verified | undefined): boolean {
  return verified?.guard !== undefined;
}

async function start(
  node: BrokerNode,
  { producerId, producerEpoch, support }: TransactionToVerify,
  { topic, partition, baseSequence }: FirstBatch,
): Promise<Verified> {
  try {
    const guard = await partitionOf(node, topic, partition).log.startVerification({
      producerId,
      producerEpoch,
      baseSequence,
      supportsEpochBump: support === 'add',
      nowMs: node.cluster.clock.nowMs(),
    });
    return { error: 'NONE', guard };
  } catch (error) {
    return { error: answerableError(node, `a transaction in ${topic}-${partition}`, error) };
  }
}

/** Asks this broker's coordinator; with more brokers the question goes to the one that has the id. */
async function ask(
  node: BrokerNode,
  request: AddPartitions,
  { support, run }: { readonly support: TransactionSupport; readonly run: InTurns },
): Promise<readonly number[]> {
  const { coordinator } = node.transactions;
  if (support !== 'add') return run(coordinator.verifyPartitions(request));
  const errorCode = await coordinator.addPartitions({
    ...request,
    clientTransactionVersion: epochBumpVersion,
  });
  return request.partitions.map(() => errorCode);
}

/** What producers are told: they expect the errors of a write. [AddPartitionsToTxnHandler] */
function errorFor(errorCode: number, support: TransactionSupport): ErrorName {
  const { name } = errorByCode(errorCode);
  if (name === 'PRODUCER_FENCED') return 'INVALID_PRODUCER_EPOCH';
  return name === 'TRANSACTION_ABORTABLE' && support === 'verify' ? 'INVALID_TXN_STATE' : name;
}
