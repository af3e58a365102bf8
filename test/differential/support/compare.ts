import { toText } from './normalise.ts';

const mostTextShown = 600;

/** One field in which two normalised answers differ. */
export interface Difference {
  /** `responses[0].partitionResponses[0].errorCode` */
  readonly path: string;
  readonly ours: unknown;
  readonly kafkas: unknown;
}

export function differences(ours: unknown, kafkas: unknown, path = ''): Difference[] {
  if (toText(ours) === toText(kafkas)) return [];
  if (Array.isArray(ours) && Array.isArray(kafkas)) return arrayDifferences(ours, kafkas, path);
  if (isStruct(ours) && isStruct(kafkas)) {
    const names = new Set([...Object.keys(ours), ...Object.keys(kafkas)]);
    return [...names].flatMap((name) =>
      differences(ours[name], kafkas[name], path === '' ? name : `${path}.${name}`),
    );
  }
  return [{ path, ours, kafkas }];
}

/** Items are held against those of the same name, or else of the same place. */
function arrayDifferences(ours: unknown[], kafkas: unknown[], path: string): Difference[] {
  const [ourNames, kafkaNames] = [namesOf(ours), namesOf(kafkas)];
  if (!ourNames || !kafkaNames) {
    if (ours.length !== kafkas.length) return [{ path, ours, kafkas }];
    return ours.flatMap((item, i) => differences(item, kafkas[i], `${path}[${i}]`));
  }
  const found: Difference[] = [];
  for (const name of new Set([...ourNames.keys(), ...kafkaNames.keys()])) {
    const [our, their] = [ourNames.get(name), kafkaNames.get(name)];
    found.push(...differences(our, their, `${path}[${name}]`));
  }
  return found;
}

/** Undefined where the items are not structs with names that are all different. */
function namesOf(items: readonly unknown[]): Map<string, unknown> | undefined {
  const named = new Map<string, unknown>();
  for (const item of items) {
    const name: unknown = isStruct(item) ? (item['name'] ?? item['apiKey']) : undefined;
    if (typeof name !== 'string' && typeof name !== 'number') return undefined;
    named.set(String(name), item);
  }
  return named.size === items.length ? named : undefined;
}

const isStruct = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The outcome as it is counted: the names of the errors in an answer, or nothing where it has none. */
export function errorsIn(answer: unknown): Set<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (isStruct(value))
      for (const [name, inner] of Object.entries(value)) {
        if (/ErrorCode$|^errorCode$/.test(name) && inner !== 'NONE') found.add(String(inner));
        else visit(inner);
      }
  };
  visit(answer);
  return found;
}

export const shorten = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : toText(value);
  return text.length > mostTextShown ? `${text.slice(0, mostTextShown)}...` : text;
};

/** Both, also where the first has failed: nothing may go on behind the next scenario's back. */
export async function settleBoth<T>(both: readonly Promise<T>[]): Promise<T[]> {
  const settled = await Promise.allSettled(both);
  const reasons = settled.flatMap((one, i) =>
    one.status === 'rejected' ? [`${i === 0 ? 'ours' : "Kafka's"}: ${String(one.reason)}`] : [],
  );
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}
