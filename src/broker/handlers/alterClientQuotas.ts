import { mapInSteps } from '../../base/turns.ts';
import { isIP } from 'node:net';
import { errorCodes } from '../../protocol/errors.ts';
import { metadataRecord, type NewMetadataRecord } from '../controller/controller.ts';
import type { Handler, RequestOf } from '../handler.ts';
import {
  entityKey,
  entityProblem,
  entityTypes,
  normalEntity,
  quotaProblem,
} from '../quotas/quotaEntities.ts';
import { repeated } from '../repeated.ts';

type Entry = RequestOf<'alterClientQuotas'>['entries'][number];

/** Versions 0-1: 1 flexible. Each entity's changes are made all or none. [KIP-546, ClientQuotaControlManager] */
export const alterClientQuotas: Handler<'alterClientQuotas'> = {
  versions: [0, 1],
  async handle({ entries, validateOnly }, { node, access, inTurns }) {
    if (!access.may('alterConfigs', 'cluster')) return { entries: entries.map(refused) };
    const records: NewMetadataRecord[] = [];
    const keys = entries.map(({ entity }) => entityKey(entity));
    const duplicates = repeated(keys);
    const indexed = entries.entries();
    const work = mapInSteps(indexed, ([index, entry]) => {
      const entity = normalEntity(entry.entity);
      const problem = duplicates.has(keys[index] ?? '') ? duplicate(entry) : problemOf(entry);
      if (problem !== undefined) {
        return { errorCode: errorCodes.INVALID_REQUEST, errorMessage: problem, entity };
      }
      for (const { key, value, remove } of entry.ops) {
        records.push(metadataRecord('clientQuota', { entity, key, value, remove }));
      }
      return { errorCode: errorCodes.NONE, errorMessage: null, entity };
    });
    const answers = await inTurns(work);
    // A repeated entity is answered once, the first time.
    const first = new Map(keys.map((key, index) => [key, answers[index]] as const).reverse());
    await node.cluster.controller.change(() => ({
      records: validateOnly ? [] : records,
      result: undefined,
    }));
    return { entries: [...first.values()].reverse().filter((each) => each !== undefined) };
  },
};

function refused({ entity }: Entry) {
  const errorMessage = 'Who sets quotas needs the operation alterConfigs on the cluster.';
  return { errorCode: errorCodes.CLUSTER_AUTHORIZATION_FAILED, errorMessage, entity };
}

function problemOf(entry: Entry): string | undefined {
  const { entity, ops } = entry;
  const invalid = entityProblem(entity);
  if (invalid !== undefined) return invalid;
  if (new Set(ops.map(({ key }) => key)).size !== ops.length) return duplicate(entry);
  const host = entity.find(({ entityType }) => entityType === entityTypes.ip)?.entityName;
  if (typeof host === 'string' && isIP(host) === 0) {
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
