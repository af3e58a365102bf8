import type { MetadataRecord } from '../../protocol/records/metadataRecordCodec.ts';
import {
  type ScramCredential,
  type ScramMechanism,
  scramMechanismById,
} from '../security/scramMechanisms.ts';

type Credentials = Map<ScramMechanism, ScramCredential>;

/** The SCRAM credentials of all users, as far as the metadata log has been replayed. [ScramImage] */
export class ScramCredentials {
  readonly #byUser = new Map<string, Credentials>();

  get users(): Iterable<string> {
    return this.#byUser.keys();
  }

  of(user: string): ReadonlyMap<ScramMechanism, ScramCredential> | undefined {
    return this.#byUser.get(user);
  }

  set(record: (MetadataRecord & { kind: 'userScramCredential' })['message']): void {
    const mechanism = scramMechanismById(record.mechanism);
    if (mechanism === undefined) return;
    const { name, iterations } = record;
    const credentials = this.#byUser.get(name) ?? new Map<ScramMechanism, ScramCredential>();
    this.#byUser.set(name, credentials);
    credentials.set(mechanism, {
      salt: Buffer.from(record.salt),
      storedKey: Buffer.from(record.storedKey),
      serverKey: Buffer.from(record.serverKey),
      iterations,
    });
  }

  remove(name: string, mechanismId: number): void {
    const mechanism = scramMechanismById(mechanismId);
    const credentials = this.#byUser.get(name);
    if (mechanism !== undefined) credentials?.delete(mechanism);
    if (credentials?.size === 0) this.#byUser.delete(name);
  }
}
