import { AppendError } from '../../coordinator/ports.ts';
import { appendErrorCode } from '../../coordinator/runtime/appendErrors.ts';
import { errorCodes } from '../../protocol/errors.ts';
import { noSequence } from '../../protocol/records/recordBatch.ts';
import { offsetsTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, RequestOf } from '../handler.ts';
import { type TransactionSupport, verifyTransaction } from '../transactions/transactionVerifier.ts';
import { refusedCommit } from './refusedCommit.ts';

const firstVersionThatKnowsLoading = 2;
const firstVersionWithAbortable = 4;
const firstVersionThatAdds = 5;

/**
 * Versions 0-6: 2 leader epochs; 3 group metadata (KIP-447), flexible; 4 TRANSACTION_ABORTABLE; 5 the group is
 * added to the transaction with it (KIP-890); 6 topic ids, GROUP_ID_NOT_FOUND and STALE_MEMBER_EPOCH (KIP-1319).
 */
export const txnOffsetCommit: Handler<'txnOffsetCommit'> = {
  versions: [0, 6],
  async handle(request, context) {
    const { groupId, transactionalId } = request;
    if (!context.access.may('write', 'transactionalId', transactionalId)) {
      return refusedCommit(request, 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED');
    }
    if (!context.access.may('read', 'group', groupId)) {
      return refusedCommit(request, 'GROUP_AUTHORIZATION_FAILED');
    }
    const { groupCoordinator } = context.node;
    const response = await groupCoordinator.offsets.commitInTransaction(request, context, () =>
      verify(request, context),
    );
    if (context.apiVersion >= firstVersionThatKnowsLoading) return response;
    return {
      topics: (response.topics ?? []).map((topic) => ({
        ...topic,
        partitions: (topic.partitions ?? []).map((partition) => ({
          ...partition,
          errorCode: withoutLoading(partition.errorCode ?? errorCodes.NONE),
        })),
      })),
    };
  },
};

/** Producers before 2.0 fail on an error that they do not expect here. [KafkaApis.handleTxnOffsetCommitRequest] */
function withoutLoading(errorCode: number): number {
  return errorCode === errorCodes.COORDINATOR_LOAD_IN_PROGRESS
    ? errorCodes.COORDINATOR_NOT_AVAILABLE
    : errorCode;
}

async function verify(
  { groupId, transactionalId, producerId, producerEpoch }: RequestOf<'txnOffsetCommit'>,
  { node, apiVersion }: RequestContext,
) {
  const partition = node.groupCoordinator.partitionFor(groupId);
  const [verified] = await verifyTransaction(node, {
    transactionalId,
    producerId,
    producerEpoch,
    support: supportOf(apiVersion),
    batches: [{ topic: offsetsTopic, partition, baseSequence: noSequence }],
  });
  const { error = 'UNKNOWN_SERVER_ERROR', guard } = verified ?? {};
  if (error === 'NONE') return { errorCode: errorCodes.NONE, guard };
  return { errorCode: appendErrorCode(new AppendError(errorCodes[error], error)) };
}

function supportOf(apiVersion: number): TransactionSupport {
  if (apiVersion >= firstVersionThatAdds) return 'add';
  return apiVersion >= firstVersionWithAbortable ? 'verifyAbortable' : 'verify';
}
