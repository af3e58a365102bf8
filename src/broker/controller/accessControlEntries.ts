import type { Uuid } from '../../base/uuid.ts';
import type { MetadataRecord } from '../../protocol/records/metadataRecordCodec.ts';

/** One rule: what a principal may do, or must not, in Kafka's numbers. [StandardAcl] */
export type AccessControlEntry = (MetadataRecord & { kind: 'accessControlEntry' })['message'];

/** All rules, as far as the metadata log has been replayed. [AclsImage] */
export class AccessControlEntries {
  readonly #byId = new Map<Uuid, AccessControlEntry>();

  get all(): Iterable<AccessControlEntry> {
    return this.#byId.values();
  }

  set(entry: AccessControlEntry): void {
    this.#byId.set(entry.id, entry);
  }

  remove(id: Uuid): void {
    this.#byId.delete(id);
  }
}
