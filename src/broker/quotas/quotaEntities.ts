/** One part of whom a quota is for; a null name stands for everybody who has none of their own. */
export interface QuotaEntityPart {
  readonly entityType: string;
  readonly entityName: string | null;
}

export interface QuotaEntry {
  /** By type, in the order of the types' names. */
  readonly entity: readonly QuotaEntityPart[];
  readonly values: ReadonlyMap<string, number>;
}

export const entityTypes = { user: 'user', clientId: 'client-id', ip: 'ip' } as const;

/** The same for the same entity, whatever the order of its parts; of a type named twice the last counts. */
export function normalEntity(parts: readonly QuotaEntityPart[]): QuotaEntityPart[] {
  const byType = new Map(parts.map((part) => [part.entityType, part]));
  return [...byType.values()].sort((a, b) => (a.entityType < b.entityType ? -1 : 1));
}

export function entityKey(parts: readonly QuotaEntityPart[]): string {
  return JSON.stringify(
    normalEntity(parts).map(({ entityType, entityName }) => [entityType, entityName]),
  );
}

const clientQuotas = new Set([
  'producer_byte_rate',
  'consumer_byte_rate',
  'request_percentage',
  'controller_mutation_rate',
]);
const largestWholeNumbers: Readonly<Record<string, readonly [type: string, largest: number]>> = {
  producer_byte_rate: ['LONG', Number(2n ** 63n - 1n)],
  consumer_byte_rate: ['LONG', Number(2n ** 63n - 1n)],
  connection_creation_rate: ['INT', 2 ** 31 - 1],
};
/** What a whole number may be more by. */
const mostOver = 1e-6;
const ipQuota = 'connection_creation_rate';

/** What is wrong with an entity that somebody wants to set a quota for. [ClientQuotaControlManager.validateEntity] */
export function entityProblem(parts: readonly QuotaEntityPart[]): string | undefined {
  if (parts.length === 0) return 'Invalid empty client quota entity';
  const types: ReadonlySet<string> = new Set(Object.values<string>(entityTypes));
  for (const { entityType, entityName } of parts) {
    if (!types.has(entityType)) return `Unhandled client quota entity type: ${entityType}`;
    if (entityName === '') return `Empty ${entityType} not supported`;
  }
  const named = new Set(parts.map(({ entityType }) => entityType));
  return named.has(entityTypes.ip) && named.size > 1
    ? 'Invalid quota entity combination, IP entity shouldnot be combined with User or ClientId'
    : undefined;
}

/** What is wrong with a value. [ClientQuotaControlManager.validateQuotaKeyValue] */
export function quotaProblem(
  parts: readonly QuotaEntityPart[],
  key: string,
  value: number,
): string | undefined {
  const isIp = parts.some(({ entityType }) => entityType === entityTypes.ip);
  if (isIp ? key !== ipQuota : !clientQuotas.has(key)) return `Invalid configuration key ${key}`;
  if (!Number.isFinite(value)) return `Quota ${key} must be a finite number`;
  if (value <= 0) return `Quota ${key} must be greater than 0`;
  const [type = '', largest = Infinity] = largestWholeNumbers[key] ?? [];
  if (value > largest) return `Proposed value for ${key} is too large for a ${type}.`;
  return type !== '' && value % 1 > mostOver ? `${key} cannot be a fractional value.` : undefined;
}
