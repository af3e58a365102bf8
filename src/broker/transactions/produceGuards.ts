import type { Steps } from '../../base/turns.ts';
import { errorByCode, errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { AppendOptions } from '../../storage/partitionLog.ts';
import type { BrokerNode } from '../brokerNode.ts';
import type { RequestContext } from '../handler.ts';
import { PartitionError } from '../partition.ts';
import { type PartitionBatch, type Sent, sentBy } from '../produce/partitionBatch.ts';
import {
  type TransactionSupport,
  type Verified,
  verifyTransaction,
} from './transactionVerifier.ts';

const firstVersionWithAbortable = 11;
const firstVersionThatAdds = 12;

function supportOf(apiVersion: number): TransactionSupport {
  if (apiVersion >= firstVersionThatAdds) return 'add';
  return apiVersion >= firstVersionWithAbortable ? 'verifyAbortable' : 'verify';
}

/** What a batch of the request is to be appended with. Throws where it may not be. */
export type ProduceGuards = (batch: PartitionBatch) => AppendOptions['verification'];

interface TransactionalBatch {
  readonly topic: string;
  readonly partition: number;
  readonly sent: Sent;
}

/** The batches that are of transactions. */
export function* transactionalBatches(
  topics: readonly { readonly batches: readonly PartitionBatch[] }[],
): Steps<TransactionalBatch[]> {
  const found: TransactionalBatch[] = [];
  for (const { batches } of topics)
    for (const each of batches) {
      yield;
      const sent = sentBy(each);
      if (sent) found.push({ topic: each.topic, partition: each.index, sent });
    }
  return found;
}

/**
 * Verifies the transaction that a Produce request writes in, if it does. While the one before is being completed it
 * asks again for a moment: the producer's own backoff would be too long. [ReplicaManager.handleProduceAppend]
 */
export async function produceGuards(
  transactionalId: string | null,
  written: readonly TransactionalBatch[],
  { node, apiVersion }: RequestContext,
): Promise<ProduceGuards> {
  const [first] = written;
  if (first === undefined) return () => undefined;
  const { producerId, producerEpoch } = first.sent;
  const support = supportOf(apiVersion);
  const verified = await untilNotConcurrent(node, support, () =>
    verifyTransaction(node, {
      transactionalId,
      producerId,
      producerEpoch,
      support,
      batches: written.map(({ sent, ...place }) => ({ ...place, baseSequence: sent.baseSequence })),
    }),
  );
  const isRequired = node.cluster.config.boolean('transaction.partition.verification.enable');
  const bySent = new Map(written.map(({ sent }, index) => [sent, verified[index]]));
  return (batch) => {
    const sent = sentBy(batch);
    const found = sent && bySent.get(sent);
    if (found === undefined) return undefined;
    if (found.error !== 'NONE') throw unverifiedError(found.error, apiVersion);
    return isRequired ? { guard: found.guard } : undefined;
  };
}

async function untilNotConcurrent(
  node: BrokerNode,
  support: TransactionSupport,
  verify: () => Promise<Verified[]>,
): Promise<Verified[]> {
  const { clock, config } = node.cluster;
  const backoffMs = config.number('add.partitions.to.txn.retry.backoff.ms');
  const deadlineMs =
    clock.monotonicMs() + config.number('add.partitions.to.txn.retry.backoff.max.ms');
  for (;;) {
    const verified = await verify();
    const isConcurrent = verified.some(({ error }) => error === 'CONCURRENT_TRANSACTIONS');
    const isOver = clock.monotonicMs() >= deadlineMs || node.isClosing;
    if (support !== 'add' || !isConcurrent || isOver) return verified;
    await new Promise<void>((resolve) => clock.setTimer(backoffMs, resolve));
  }
}

/** Errors that older producers would not try again after; they do after NOT_ENOUGH_REPLICAS. */
const retriedAsNotEnoughReplicas: ReadonlySet<ErrorName> = new Set([
  'NETWORK_EXCEPTION',
  'COORDINATOR_LOAD_IN_PROGRESS',
  'COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR',
]);

/** The error of a batch that may not be written, as its producer knows it. */
function unverifiedError(error: ErrorName, apiVersion: number): PartitionError {
  const isConcurrentBefore = error === 'CONCURRENT_TRANSACTIONS' && supportOf(apiVersion) !== 'add';
  if (isConcurrentBefore || retriedAsNotEnoughReplicas.has(error)) {
    return new PartitionError(
      'NOT_ENOUGH_REPLICAS',
      `Unable to verify the partition has been added to the transaction. Underlying error: ${error}`,
    );
  }
  const message =
    error === 'INVALID_TXN_STATE'
      ? 'Partition was not added to the transaction'
      : errorByCode(errorCodes[error]).description;
  return new PartitionError(error, message);
}
