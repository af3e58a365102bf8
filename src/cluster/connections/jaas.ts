import { parseJaasEntry } from '../../base/jaas.ts';

/** Who logs in, by a line of `sasl.jaas.config`. */
export interface JaasLogin {
  readonly kind: 'Plain' | 'Scram' | 'OAuthBearer';
  readonly options: ReadonlyMap<string, string>;
}

/**
 * Reads `...PlainLoginModule required username="a" password="b";`, or the same with ScramLoginModule or
 * OAuthBearerLoginModule. Undefined: it is for another module, or cannot be read.
 */
export function parseJaas(config: string): JaasLogin | undefined {
  const entry = parseJaasEntry(config);
  const kind = /(?<kind>Plain|Scram|OAuthBearer)LoginModule$/.exec(entry?.module ?? '')?.[1];
  if (entry === undefined || kind === undefined) return undefined;
  return { kind: kind as JaasLogin['kind'], options: entry.options };
}
