import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { type Random, systemRandom } from '../base/random.ts';
import { randomUuid } from '../base/uuid.ts';
import { parseAddress } from '../client/address.ts';
import { ClusterSession } from './clusterSession.ts';
import type { EmbeddedCluster, EmbeddedState } from './embeddedCluster.ts';
import type { ClusterProfile } from './model.ts';
import { ProblemError } from './problems.ts';
import {
  loadSecrets,
  type ProfileSecrets,
  saveSecrets,
  secretKey,
  type SecretStore,
} from './profileSecrets.ts';
import { plaintextProfile } from './profileSecurity.ts';
import { resolveSecurity } from './resolveSecurity.ts';

/** Where the list of remote clusters is kept. Implemented by `ui`. */
export interface ProfileStore {
  load(): readonly ClusterProfile[];
  save(profiles: readonly ClusterProfile[]): Promise<void>;
}

export interface ClusterRegistryOptions {
  readonly profiles: ProfileStore;
  readonly secrets: SecretStore;
  /** Left out where there is no embedded cluster (a virtual workspace). */
  readonly embedded?: EmbeddedCluster;
  readonly logger: Logger;
  readonly random?: Random;
}

/** What a person gives for a remote cluster. */
export type NewProfile = Omit<ClusterProfile, 'id' | 'kind'>;

export const embeddedProfileId = 'embedded';

/** The clusters that the workbench knows, and one session for each. */
export class ClusterRegistry implements Disposable {
  readonly #options: ClusterRegistryOptions;
  readonly #disposables = new DisposableStore();
  readonly #changeEmitter = this.#disposables.add(new Emitter<void>());
  /** A profile was added, edited or removed. */
  readonly onDidChange = this.#changeEmitter.event;
  readonly #sessions = new Map<string, ClusterSession>();

  constructor(options: ClusterRegistryOptions) {
    this.#options = options;
    const { embedded } = options;
    if (embedded) {
      this.#disposables.add(embedded.onDidChangeState((state) => this.#followEmbedded(state)));
    }
  }

  /** The embedded cluster first, then the others in the order they were added. */
  get profiles(): readonly ClusterProfile[] {
    const remotes = this.#options.profiles.load();
    return this.#options.embedded ? [embeddedProfile(), ...remotes] : remotes;
  }

  profile(id: string): ClusterProfile | undefined {
    return this.profiles.find((profile) => profile.id === id);
  }

  /** The cluster's session, made on first use. Undefined: no such cluster (it was removed). */
  session(id: string): ClusterSession | undefined {
    const existing = this.#sessions.get(id);
    if (existing) return existing;
    const profile = this.profile(id);
    if (!profile) return undefined;
    const { logger } = this.#options;
    const session = new ClusterSession(profile, {
      bootstrap: () => this.#bootstrapOf(profile),
      security: async () =>
        resolveSecurity(profile.security ?? plaintextProfile, await this.secrets(id)),
      logger,
    });
    this.#sessions.set(id, session);
    return session;
  }

  /** A profile's secrets: only for connecting with them, and for keeping them over an edit. */
  secrets(id: string): Promise<ProfileSecrets> {
    return loadSecrets(this.#options.secrets, id);
  }

  /** Adds a remote cluster. Rejects where a name is taken or an address cannot be read. */
  async add(added: NewProfile, secrets: ProfileSecrets = {}): Promise<ClusterProfile> {
    const id = randomUuid(this.#options.random ?? systemRandom);
    const profile: ClusterProfile = { id, kind: 'remote', ...this.#checked(added) };
    await this.#saveSecrets(profile, secrets);
    await this.#options.profiles.save([...this.#options.profiles.load(), profile]);
    this.#changeEmitter.fire();
    return profile;
  }

  /**
   * Replaces a profile, and its secrets if they are given; its session ends, and a new one is made on next use.
   */
  async edit(id: string, wanted: NewProfile, secrets?: ProfileSecrets): Promise<void> {
    const profiles = this.#options.profiles.load();
    const profile = profiles.find((candidate) => candidate.id === id);
    if (!profile) throw new ProblemError(t('this connection was removed'));
    const edited: ClusterProfile = { id, kind: 'remote', ...this.#checked(wanted, id) };
    await this.#saveSecrets(edited, secrets ?? (await this.secrets(id)));
    await this.#options.profiles.save(
      profiles.map((candidate) => (candidate.id === id ? edited : candidate)),
    );
    this.#endSession(id);
    this.#changeEmitter.fire();
  }

  /** Forgets a profile with its secrets and ends its session. */
  async remove(id: string): Promise<void> {
    const profiles = this.#options.profiles.load();
    await this.#options.profiles.save(profiles.filter((profile) => profile.id !== id));
    await this.#options.secrets.delete(secretKey(id));
    this.#endSession(id);
    this.#changeEmitter.fire();
  }

  dispose(): void {
    for (const id of [...this.#sessions.keys()]) this.#endSession(id);
    this.#disposables.dispose();
  }

  #saveSecrets(
    { id, security = plaintextProfile }: ClusterProfile,
    secrets: ProfileSecrets,
  ): Promise<void> {
    return saveSecrets(this.#options.secrets, id, security, secrets);
  }

  #checked(wanted: NewProfile, ownId?: string): NewProfile {
    const { name, bootstrap } = wanted;
    const trimmed = name.trim();
    if (trimmed === '') throw new ProblemError(t('a connection needs a name'));
    const isTaken = this.profiles.some(
      (profile) => profile.id !== ownId && profile.name === trimmed,
    );
    if (isTaken) throw new ProblemError(t('there is a connection named {0} already', trimmed));
    if (bootstrap.length === 0) {
      throw new ProblemError(t('a connection needs an address'), t('Such as localhost:9092.'));
    }
    for (const address of bootstrap) parseAddress(address);
    return { ...wanted, name: trimmed };
  }

  #bootstrapOf(profile: ClusterProfile): readonly string[] {
    if (profile.kind === 'remote') return profile.bootstrap;
    const state = this.#options.embedded?.state;
    return state?.kind === 'running' ? state.bootstrap.split(',') : [];
  }

  /** The embedded cluster's session lives as long as its process: connected while it runs. */
  #followEmbedded(state: EmbeddedState): void {
    const session = this.session(embeddedProfileId);
    if (!session) return;
    if (state.kind !== 'running') {
      session.disconnect();
      return;
    }
    session.connect().catch((error: unknown) => {
      this.#options.logger.warn(
        `the embedded cluster runs but cannot be reached: ${String(error)}`,
      );
    });
  }

  #endSession(id: string): void {
    this.#sessions.get(id)?.dispose();
    this.#sessions.delete(id);
  }
}

function embeddedProfile(): ClusterProfile {
  return {
    id: embeddedProfileId,
    name: t('Embedded'),
    kind: 'embedded',
    bootstrap: [],
    readOnly: false,
  };
}
