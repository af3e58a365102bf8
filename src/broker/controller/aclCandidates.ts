import type { Uuid } from '../../base/uuid.ts';
import type { Acl, AclFilter } from '../security/authorizer/acl.ts';
import { patternTypes, wildcard } from '../security/authorizer/aclCodes.ts';
import type { AclStore } from '../security/authorizer/aclStore.ts';
import { PrefixIndex } from '../security/authorizer/prefixIndex.ts';

type Entry = readonly [Uuid, Acl];

/** The ACLs that a filter may mean: all, or where it has a name those of the name. Made for one request's filters. */
export class AclCandidates {
  readonly #store: AclStore;
  #byName: PrefixIndex<Entry[]> | undefined;

  constructor(store: AclStore) {
    this.#store = store;
  }

  of({ resourceNameFilter: name, patternTypeFilter }: AclFilter): Iterable<Entry> {
    if (name === null) return this.#store.entries();
    this.#byName ??= byName(this.#store);
    if (patternTypeFilter !== patternTypes.match) return this.#byName.get(name) ?? [];
    const beginnings = [...this.#byName.beginningsOf(name)].flat();
    return name.startsWith(wildcard)
      ? beginnings
      : [...beginnings, ...(this.#byName.get(wildcard) ?? [])];
  }
}

function byName(store: AclStore): PrefixIndex<Entry[]> {
  const index = new PrefixIndex<Entry[]>();
  for (const entry of store.entries()) {
    const { resourceName } = entry[1];
    const same = index.get(resourceName);
    if (same) same.push(entry);
    else index.set(resourceName, [entry]);
  }
  return index;
}
