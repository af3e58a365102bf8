import { workOnEach } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { offsetsTopic, transactionTopic } from '../controller/topicNames.ts';
import type { Handler, RequestContext } from '../handler.ts';
import { leadershipIn } from '../leadership.ts';

/** What is to be coordinated. [CoordinatorType] */
const keyTypes = { group: 0, transaction: 1, share: 2 } as const;

const firstVersionWithManyKeys = 4;
const firstVersionWithShare = 6;

interface Coordinator {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly nodeId: number;
  readonly host: string;
  readonly port: number;
}

/**
 * Versions 0-6: 1 the kind of coordinator, an error message; 2 throttle time; 3 flexible; 4 many keys at once
 * (KIP-699); 5 TRANSACTION_ABORTABLE (KIP-890); 6 share coordinators (KIP-932). The first question creates the
 * coordinator's topic; where Kafka answers COORDINATOR_NOT_AVAILABLE until it is there, we answer once it is.
 * Share groups are not there yet: UNSUPPORTED_VERSION, on which clients give up at once where
 * COORDINATOR_NOT_AVAILABLE would have them ask again for a minute.
 */
export const findCoordinator: Handler<'findCoordinator'> = {
  versions: [0, 6],
  async handle({ key, keyType, coordinatorKeys }, context) {
    if (context.apiVersion < firstVersionWithManyKeys) return find(key, keyType, context);
    const findEach = async (each: string) => ({
      key: each,
      ...(await find(each, keyType, context)),
    });
    return { coordinators: await workOnEach(coordinatorKeys, findEach, context.inTurns) };
  },
};

async function find(key: string, keyType: number, context: RequestContext): Promise<Coordinator> {
  const { node, apiVersion, access } = context;
  switch (keyType) {
    case keyTypes.group:
      if (!access.may('describe', 'group', key)) {
        return unauthorized('GROUP_AUTHORIZATION_FAILED', apiVersion);
      }
      return leaderOf(offsetsTopic, context, () => node.groupCoordinator.partitionFor(key));
    case keyTypes.transaction:
      if (!access.may('describe', 'transactionalId', key)) {
        return unauthorized('TRANSACTIONAL_ID_AUTHORIZATION_FAILED', apiVersion);
      }
      return leaderOf(transactionTopic, context, () =>
        node.transactions.coordinator.partitionFor(key),
      );
    case keyTypes.share:
      return apiVersion < firstVersionWithShare
        ? unavailable('INVALID_REQUEST', 'Share coordinators need version 6 of FindCoordinator.')
        : unavailable(
            'UNSUPPORTED_VERSION',
            'This embedded cluster does not support share groups yet.',
          );
    default:
      return unavailable('INVALID_REQUEST', `There is no kind of coordinator ${keyType}.`);
  }
}

async function leaderOf(
  topic: string,
  { node, apiVersion, session: { listener } }: RequestContext,
  partitionOf: () => number,
): Promise<Coordinator> {
  if (!node.image.topic(topic)) await node.autoTopics.create(topic);
  const partition = partitionOf();
  const image = node.image.topic(topic)?.partitions[partition];
  const leader = image && leadershipIn(node, topic)(image).leaderId;
  const endpoint = node.cluster.endpoints(listener).find(({ id }) => id === leader);
  if (!endpoint) {
    return unavailable(
      'COORDINATOR_NOT_AVAILABLE',
      `Partition ${partition} of ${topic} has no leader.`,
    );
  }
  const { id: nodeId, host, port } = endpoint;
  // The words of "no error" are its name. [FindCoordinatorResponse.prepareOldResponse]
  const errorMessage = apiVersion < firstVersionWithManyKeys ? 'NONE' : '';
  return { errorCode: errorCodes.NONE, errorMessage, nodeId, host, port };
}

/** Later versions say no more than the error. */
function unauthorized(error: ErrorName, apiVersion: number): Coordinator {
  const words = 'No ACL allows the client to ask for this coordinator.';
  return unavailable(error, apiVersion < firstVersionWithManyKeys ? words : '');
}

function unavailable(error: ErrorName, errorMessage: string): Coordinator {
  return { errorCode: errorCodes[error], errorMessage, nodeId: -1, host: '', port: -1 };
}
