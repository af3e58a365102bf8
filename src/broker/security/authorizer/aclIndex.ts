import type { Acl } from './acl.ts';
import { patternTypes, wildcard } from './aclCodes.ts';
import { hostMatcher } from './hostPattern.ts';
import { PrefixIndex } from './prefixIndex.ts';

export interface IndexedAcl {
  readonly acl: Acl;
  readonly matchesHost: (host: string) => boolean;
}

/** The ACLs of one pattern, by principal. */
export type PatternAcls = ReadonlyMap<string, ReadonlyMap<Acl, IndexedAcl>>;
type MutablePatternAcls = Map<string, Map<Acl, IndexedAcl>>;

/**
 * Finds the ACLs for a name without going through all: by the name itself, by the wildcard, and by the beginnings
 * of the name that are some prefix. Kafka walks a sorted set for it. [StandardAuthorizerData.findAclRule]
 */
export class AclIndex {
  readonly #byType = new Map<number, TypeIndex>();

  add(acl: Acl): void {
    const { resourceType } = acl;
    const index = this.#byType.get(resourceType) ?? new TypeIndex();
    this.#byType.set(resourceType, index);
    index.add(acl);
  }

  remove(acl: Acl): void {
    this.#byType.get(acl.resourceType)?.remove(acl);
  }

  *matching(resourceType: number, name: string): Generator<PatternAcls> {
    yield* this.#byType.get(resourceType)?.matching(name) ?? [];
  }
}

/** The ACLs of one type of resource. */
class TypeIndex {
  readonly #literal = new Map<string, MutablePatternAcls>();
  readonly #prefixed = new PrefixIndex<MutablePatternAcls>();

  add(acl: Acl): void {
    const patterns = this.#patternsOf(acl);
    const { resourceName: name, principal, host } = acl;
    const pattern = patterns.get(name) ?? (new Map() as MutablePatternAcls);
    patterns.set(name, pattern);
    const ofPrincipal = pattern.get(principal) ?? new Map<Acl, IndexedAcl>();
    pattern.set(principal, ofPrincipal);
    ofPrincipal.set(acl, { acl, matchesHost: hostMatcher(host) });
  }

  remove(acl: Acl): void {
    const patterns = this.#patternsOf(acl);
    const { resourceName: name, principal } = acl;
    const pattern = patterns.get(name);
    const ofPrincipal = pattern?.get(principal);
    ofPrincipal?.delete(acl);
    if (ofPrincipal?.size === 0) pattern?.delete(principal);
    if (pattern?.size === 0) patterns.delete(name);
  }

  *matching(name: string): Generator<PatternAcls> {
    const literal = this.#literal.get(name);
    if (literal) yield literal;
    // Kafka's search passes by the wildcard for longer names that begin with one.
    const hasWildcard = !name.startsWith(wildcard);
    const all = hasWildcard ? this.#literal.get(wildcard) : undefined;
    if (all) yield all;
    yield* this.#prefixed.beginningsOf(name);
  }

  #patternsOf({
    patternType,
  }: Acl): Map<string, MutablePatternAcls> | PrefixIndex<MutablePatternAcls> {
    return patternType === patternTypes.prefixed ? this.#prefixed : this.#literal;
  }
}
