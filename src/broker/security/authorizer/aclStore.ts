import type { Uuid } from '../../../base/uuid.ts';
import { type Acl, aclKey } from './acl.ts';
import { AclIndex, type PatternAcls } from './aclIndex.ts';

/** The ACLs of the cluster, as far as the metadata log has been replayed. [AclsImage, AclCache] */
export class AclStore {
  readonly #byId = new Map<Uuid, Acl>();
  readonly #keys = new Set<string>();
  readonly #index = new AclIndex();
  #textLength = 0;

  get size(): number {
    return this.#byId.size;
  }

  /** Characters in all names, principals and hosts. */
  get textLength(): number {
    return this.#textLength;
  }

  entries(): Iterable<[Uuid, Acl]> {
    return this.#byId;
  }

  values(): Iterable<Acl> {
    return this.#byId.values();
  }

  has(acl: Acl): boolean {
    return this.#keys.has(aclKey(acl));
  }

  /** Those whose pattern the name fits, pattern by pattern. */
  matching(resourceType: number, name: string): Iterable<PatternAcls> {
    return this.#index.matching(resourceType, name);
  }

  add(id: Uuid, acl: Acl): void {
    this.#byId.set(id, acl);
    this.#keys.add(aclKey(acl));
    this.#index.add(acl);
    this.#textLength += textLength(acl);
  }

  remove(id: Uuid): void {
    const acl = this.#byId.get(id);
    if (!acl) return;
    this.#byId.delete(id);
    this.#keys.delete(aclKey(acl));
    this.#index.remove(acl);
    this.#textLength -= textLength(acl);
  }
}

export function textLength({ resourceName, principal, host }: Acl): number {
  return resourceName.length + principal.length + host.length;
}
