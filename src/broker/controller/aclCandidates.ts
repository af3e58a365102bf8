import { type Steps } from '../../base/turns.ts';
import type { Uuid } from '../../base/uuid.ts';
import type { Acl, AclFilter } from '../security/authorizer/acl.ts';
import { patternTypes, wildcard } from '../security/authorizer/aclCodes.ts';
import type { AclStore } from '../security/authorizer/aclStore.ts';
import { PrefixIndex } from '../security/authorizer/prefixIndex.ts';

type Entry = readonly [Uuid, Acl];

/** The ACLs that a filter may mean: all, or where it has a name those of the name. Made for one request's filters. */
export class AclCandidates {
  readonly #store: AclStore;
  readonly #byName: PrefixIndex<Entry[]>;

  static *of(store: AclStore, filters: readonly AclFilter[]): Steps<AclCandidates> {
    const isNamed = filters.some(({ resourceNameFilter }) => resourceNameFilter !== null);
    return new AclCandidates(store, yield* byName(isNamed ? store.entries() : []));
  }

  private constructor(store: AclStore, byName: PrefixIndex<Entry[]>) {
    this.#store = store;
    this.#byName = byName;
  }

  of({ resourceNameFilter: name, patternTypeFilter }: AclFilter): Iterable<Entry> {
    if (name === null) return this.#store.entries();
    if (patternTypeFilter !== patternTypes.match) return this.#byName.get(name) ?? [];
    const beginnings = [...this.#byName.beginningsOf(name)].flat();
    return name.startsWith(wildcard)
      ? beginnings
      : [...beginnings, ...(this.#byName.get(wildcard) ?? [])];
  }
}

function* byName(entries: Iterable<Entry>): Steps<PrefixIndex<Entry[]>> {
  const index = new PrefixIndex<Entry[]>();
  for (const entry of entries) {
    yield;
    const { resourceName } = entry[1];
    const same = index.get(resourceName);
    if (same) same.push(entry);
    else index.set(resourceName, [entry]);
  }
  return index;
}
