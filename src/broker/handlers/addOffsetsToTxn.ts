import { offsetsTopic } from '../controller/topicNames.ts';
import type { Handler } from '../handler.ts';
import { knownError } from '../transactions/knownError.ts';

const firstVersionWithProducerFenced = 2;
/** Only producers from before KIP-890 ask: later ones add the group with TxnOffsetCommit. */
const clientTransactionVersion = 0;

/**
 * Versions 0-4: 2 PRODUCER_FENCED; 3 flexible; 4 TRANSACTION_ABORTABLE (KIP-890). Makes the group's partition of
 * `__consumer_offsets` part of the transaction.
 */
export const addOffsetsToTxn: Handler<'addOffsetsToTxn'> = {
  versions: [0, 4],
  async handle({ groupId, ...producer }, { node, apiVersion, access }) {
    access.require('write', 'transactionalId', producer.transactionalId);
    access.require('read', 'group', groupId);
    const partition = node.groupCoordinator.partitionFor(groupId);
    const errorCode = await node.transactions.coordinator.addPartitions({
      ...producer,
      partitions: [{ topic: offsetsTopic, partition }],
      clientTransactionVersion,
    });
    return { errorCode: knownError(errorCode, apiVersion >= firstVersionWithProducerFenced) };
  },
};
