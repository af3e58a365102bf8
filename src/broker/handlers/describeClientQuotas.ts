import { mapInSteps } from '../../base/turns.ts';
import { errorCodes, type ErrorName } from '../../protocol/errors.ts';
import type { Handler, RequestOf } from '../handler.ts';
import { entityTypes, type QuotaEntry } from '../quotas/quotaEntities.ts';

type Component = RequestOf<'describeClientQuotas'>['components'][number];

/** How a part of an entity has to be. [DescribeClientQuotasRequest] */
const matchTypes = { exact: 0, default: 1, any: 2 } as const;

/** Versions 0-1: 1 flexible. Strict: entities that have no other parts than those asked for. [KIP-546] */
export const describeClientQuotas: Handler<'describeClientQuotas'> = {
  versions: [0, 1],
  isReport: () => true,
  *handle({ components, strict }, { node, access }) {
    const problem = access.may('describeConfigs', 'cluster') ? problemOf(components) : unauthorized;
    if (problem) {
      const [error, errorMessage] = problem;
      return { errorCode: errorCodes[error], errorMessage, entries: null };
    }
    const told = yield* mapInSteps([...node.image.quotas.values()], (entry) =>
      isAsked(entry, components, strict) ? entryOf(entry) : undefined,
    );
    return { errorMessage: '', entries: told.filter((entry) => entry !== undefined) };
  },
};

function entryOf({ entity, values }: QuotaEntry) {
  return {
    entity: [...entity],
    values: Array.from(values, ([key, value]) => ({ key, value })),
  };
}

const unauthorized: readonly [ErrorName, string] = [
  'CLUSTER_AUTHORIZATION_FAILED',
  'Who describes quotas needs the operation describeConfigs on the cluster.',
];

function problemOf(components: readonly Component[]): [ErrorName, string] | undefined {
  const seen = new Set<string>();
  for (const component of components) {
    const { entityType } = component;
    const problem = componentProblem(component);
    if (problem) return problem;
    if (seen.has(entityType)) {
      const message = `Entity type ${entityType} cannot appear more than once in the filter.`;
      return ['INVALID_REQUEST', message];
    }
    seen.add(entityType);
  }
  if (!seen.has(entityTypes.ip) || seen.size === 1) return undefined;
  return [
    'INVALID_REQUEST',
    'Invalid entity filter component combination. IP filter component should not be used with user or clientId filter component.',
  ];
}

function componentProblem({
  entityType,
  matchType,
  match,
}: Component): [ErrorName, string] | undefined {
  if (entityType === '') return ['INVALID_REQUEST', 'Invalid empty entity type.'];
  if (!Object.values<string>(entityTypes).includes(entityType)) {
    return ['UNSUPPORTED_VERSION', `Unsupported entity type ${entityType}`];
  }
  if (matchType === matchTypes.exact) {
    const message = 'Request specified MATCH_TYPE_EXACT, but set match string to null.';
    return match === null ? ['INVALID_REQUEST', message] : undefined;
  }
  if (matchType !== matchTypes.default && matchType !== matchTypes.any) {
    return ['INVALID_REQUEST', `Unknown match type ${matchType}`];
  }
  if (match === null) return undefined;
  const name = matchType === matchTypes.default ? 'DEFAULT' : 'SPECIFIED';
  return [
    'INVALID_REQUEST',
    `Request specified MATCH_TYPE_${name}, but also specified a match string.`,
  ];
}

function isAsked(
  { entity }: QuotaEntry,
  components: readonly Component[],
  isStrict: boolean,
): boolean {
  if (isStrict && entity.length !== components.length) return false;
  return components.every(({ entityType, matchType, match }) => {
    const part = entity.find((each) => each.entityType === entityType);
    if (!part) return false;
    if (matchType === matchTypes.any) return true;
    return part.entityName === (matchType === matchTypes.default ? null : match);
  });
}
