import { errorCodes } from '../../protocol/errors.ts';
import { ensureOffsetsTopic } from '../autoCreate.ts';
import { offsetsTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext, ResponseOf } from '../handler.ts';

type Coordinator = NonNullable<ResponseOf<'findCoordinator'>['coordinators']>[number];

const keyTypes = { group: 0, transaction: 1 } as const;
const firstVersionWithBatches = 4;

/**
 * Versions 0-6: 1 key type, error message; 3 flexible; 4 many keys at once (KIP-699); 6 share groups
 * (KIP-932). Transactions have no coordinator yet: asking for one is refused in words, so that
 * `initTransactions` fails at once and does not wait.
 */
export const findCoordinator: Handler<'findCoordinator'> = {
  versions: [0, 6],
  async handle(request, context) {
    const { keyType, key, coordinatorKeys } = request;
    const isBatch = context.apiVersion >= firstVersionWithBatches;
    const keys = isBatch ? coordinatorKeys : [key];
    if (keyType === keyTypes.group) await ensureOffsetsTopic(context.node);
    const coordinators = keys.map((one) => coordinatorOf(one, keyType, context));
    if (isBatch) return { coordinators };
    const [only] = coordinators;
    return { ...only };
  },
};

function coordinatorOf(key: string, keyType: number, { node }: RequestContext): Coordinator {
  const refuse = (errorCode: number, errorMessage: string): Coordinator => ({
    key,
    errorCode,
    errorMessage,
    nodeId: -1,
    host: '',
    port: -1,
  });
  if (keyType === keyTypes.transaction) {
    return refuse(errorCodes.INVALID_REQUEST, 'this cluster does not have transactions yet');
  }
  if (keyType !== keyTypes.group) {
    return refuse(errorCodes.INVALID_REQUEST, `there is no coordinator of type ${keyType}`);
  }
  const partition = node.groupCoordinator.partitionFor(key);
  const leader = node.image.topic(offsetsTopic)?.partitions[partition]?.leader;
  const endpoint = node.cluster.endpoints().find(({ id }) => id === leader);
  if (!endpoint) {
    return refuse(errorCodes.COORDINATOR_NOT_AVAILABLE, 'the coordinator is not available');
  }
  const { id: nodeId, host, port } = endpoint;
  return { key, errorCode: errorCodes.NONE, errorMessage: null, nodeId, host, port };
}
