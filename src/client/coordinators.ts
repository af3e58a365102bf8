import { errorCodes } from '../protocol/errors.ts';
import { KafkaError, UnsupportedError } from './kafkaError.ts';
import type { CallOptions, Requester } from './request.ts';

const groupKeyType = 0;
const transactionKeyType = 1;

/** Asks any broker where groups are coordinated: all at once from version 4 on, else one by one. [KIP-699] */
export async function findCoordinators(
  client: Requester,
  groups: readonly string[],
  options: CallOptions,
): Promise<Map<string, number | Error>> {
  const found = new Map<string, number | Error>();
  if (groups.length === 0) return found;
  try {
    await findTogether(client, groups, { options, found });
  } catch (error) {
    if (!(error instanceof UnsupportedError)) throw error;
    for (const group of groups) {
      found.set(group, await findOne(client, { key: group, keyType: groupKeyType }, options));
    }
  }
  return found;
}

/** The broker that coordinates a transactional id. Throws where it is not known. */
export async function findTransactionCoordinator(
  client: Requester,
  transactionalId: string,
  options: CallOptions,
): Promise<number> {
  const key = { key: transactionalId, keyType: transactionKeyType };
  const node = await findOne(client, key, options);
  if (typeof node === 'number') return node;
  throw node;
}

interface Search {
  readonly options: CallOptions;
  readonly found: Map<string, number | Error>;
}

async function findTogether(
  client: Requester,
  groups: readonly string[],
  { options, found }: Search,
): Promise<void> {
  const body = { keyType: groupKeyType, coordinatorKeys: groups };
  const { coordinators } = await client.request('findCoordinator', body, {
    to: 'any',
    minVersion: 4,
    ...options,
  });
  for (const { key: group, errorCode, errorMessage: detail, nodeId } of coordinators) {
    const error = new KafkaError(errorCode, { api: 'findCoordinator', group, detail });
    found.set(group, errorCode === errorCodes.NONE ? nodeId : error);
  }
}

/** Version 3 asks for one key, and every broker has it. */
async function findOne(
  client: Requester,
  { key, keyType }: { readonly key: string; readonly keyType: number },
  options: CallOptions,
): Promise<number | Error> {
  const answer = await client.request(
    'findCoordinator',
    { key, keyType },
    { to: 'any', minVersion: 1, maxVersion: 3, ...options },
  );
  if (answer.errorCode === errorCodes.NONE) return answer.nodeId;
  const group = keyType === groupKeyType ? { group: key } : {};
  const detail = answer.errorMessage;
  return new KafkaError(answer.errorCode, { api: 'findCoordinator', ...group, detail });
}
