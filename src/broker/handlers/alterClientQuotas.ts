import { mapInSteps } from '../../base/turns.ts';
import { errorByCode, errorCodes, type ErrorName } from '../../protocol/errors.ts';
import { metadataRecord, type NewMetadataRecord } from '../controller/controller.ts';
import type { Handler, RequestOf, ResponseOf } from '../handler.ts';
import { answerableError } from '../partitionLookup.ts';
import { javaAddress } from '../quotas/javaAddress.ts';
import {
  entityKey,
  entityProblem,
  entityTypes,
  normalEntity,
  quotaProblem,
} from '../quotas/quotaEntities.ts';
import { repeatedInSteps } from '../repeated.ts';

type Entry = RequestOf<'alterClientQuotas'>['entries'][number];
type EntryResponse = NonNullable<ResponseOf<'alterClientQuotas'>['entries']>[number];

/** Versions 0-1: 1 flexible. Each entity's changes are made all or none. [KIP-546, ClientQuotaControlManager] */
export const alterClientQuotas: Handler<'alterClientQuotas'> = {
  versions: [0, 1],
  async handle({ entries, validateOnly }, { node, access, inTurns }) {
    const failed = (error: ErrorName, message: string) =>
      inTurns(mapInSteps(entries, ({ entity }) => answerTo(entity, message, error)));
    if (!access.may('alterConfigs', 'cluster')) {
      const message = 'Who sets quotas needs the operation alterConfigs on the cluster.';
      return { entries: await failed('CLUSTER_AUTHORIZATION_FAILED', message) };
    }
    const records: NewMetadataRecord[] = [];
    const keys = await inTurns(mapInSteps(entries, ({ entity }) => entityKey(entity)));
    const duplicates = await inTurns(repeatedInSteps(keys));
    // A repeated entity is answered once, as an error, yet what is said of it first counts.
    const answers = new Map<string, EntryResponse>();
    const work = mapInSteps(entries.entries(), ([index, entry]) => {
      const key = keys[index] ?? '';
      if (answers.has(key)) return;
      const problem = problemOf(entry);
      const entity = normalEntity(entry.entity);
      answers.set(key, answerTo(entity, duplicates.has(key) ? duplicate(entry) : problem));
      if (problem !== undefined) return;
      for (const record of recordsOf(entity, entry.ops)) records.push(record);
    });
    await inTurns(work);
    try {
      await node.cluster.controller.change(() => ({
        records: validateOnly ? [] : records,
        result: undefined,
      }));
    } catch (error) {
      const name = answerableError(node, 'AlterClientQuotas', error);
      return { entries: await failed(name, errorByCode(errorCodes[name]).description) };
    }
    return { entries: [...answers.values()] };
  },
};

function answerTo(
  entity: Entry['entity'],
  problem: string | undefined,
  error: ErrorName = 'INVALID_REQUEST',
): EntryResponse {
  return problem === undefined
    ? { errorCode: errorCodes.NONE, errorMessage: null, entity }
    : { errorCode: errorCodes[error], errorMessage: problem, entity };
}

function recordsOf(entity: Entry['entity'], ops: Entry['ops']): NewMetadataRecord[] {
  return ops.map(({ key, value, remove }) =>
    metadataRecord('clientQuota', { entity, key, value, remove }),
  );
}

function problemOf(entry: Entry): string | undefined {
  const { entity, ops } = entry;
  const invalid = entityProblem(entity);
  if (invalid !== undefined) return invalid;
  if (new Set(ops.map(({ key }) => key)).size !== ops.length) return duplicate(entry);
  const host = entity.find(({ entityType }) => entityType === entityTypes.ip)?.entityName;
  if (typeof host === 'string' && javaAddress(host) === undefined) {
    return `${host} is not a valid IP or resolvable host.`;
  }
  return ops
    .filter(({ remove }) => !remove)
    .map(({ key, value }) => quotaProblem(entity, key, value))
    .find(Boolean);
}

function duplicate({ entity }: Entry): string {
  const parts = normalEntity(entity).map(
    ({ entityType, entityName }) => `${entityType}=${entityName ?? 'null'}`,
  );
  return `Ignoring duplicate entity ClientQuotaEntity(entries={${parts.join(', ')}})`;
}
