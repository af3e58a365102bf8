import { isDeepStrictEqual } from 'node:util';
import { type Disposable, DisposableStore } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { type Random, systemRandom } from '../base/random.ts';
import { randomUuid } from '../base/uuid.ts';
import { parseAddress } from '../client/address.ts';
import type { ChangeKind, Undo } from './activity/change.ts';
import { type ChangeLog, type UndoneChange, unlogged } from './activity/changeLog.ts';
import { ClusterSession } from './clusterSession.ts';
import type { EmbeddedCluster } from './embedded/embeddedCluster.ts';
import type { EmbeddedState } from './embedded/embeddedState.ts';
import { embeddedProfile, embeddedProfileId } from './embedded/embeddedProfile.ts';
import type { ClusterProfile } from './model.ts';
import { ProblemError } from './problems.ts';
import {
  loadSecrets,
  type ProfileSecrets,
  saveSecrets,
  secretKey,
  type SecretStore,
} from './connections/profileSecrets.ts';
import { plaintextProfile } from './connections/profileSecurity.ts';
import { resolveSecurity } from './connections/resolveSecurity.ts';

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
  /** Told of everything that is changed. */
  readonly changes?: ChangeLog;
  readonly logger: Logger;
  readonly random?: Random;
}

/** What a person gives for a remote cluster. */
export type NewProfile = Omit<ClusterProfile, 'id' | 'kind'>;

export interface EditOptions {
  /** Left out: they stay. */
  readonly secrets?: ProfileSecrets;
  /** What it takes back. */
  readonly undoes?: UndoneChange;
}

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
      changes: this.#changes,
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
    await this.#changeOf('addConnection', profile, {}, () => this.#append(profile));
    return profile;
  }

  /** Brings a removed connection back as it was; its secrets are gone with it. */
  async restore(removed: ClusterProfile, undoes: UndoneChange): Promise<void> {
    const { id, kind } = removed;
    if (this.profile(id)) throw new ProblemError(t('{0} is there already', removed.name));
    const profile: ClusterProfile = { ...this.#checked(removed), id, kind };
    await this.#changeOf('addConnection', profile, { undoes }, () => this.#append(profile));
  }

  /**
   * Replaces a profile, and its secrets if they are given; its session ends, and a new one is made on next use.
   */
  async edit(id: string, wanted: NewProfile, { secrets, undoes }: EditOptions = {}): Promise<void> {
    const profiles = this.#options.profiles.load();
    const before = profiles.find((candidate) => candidate.id === id);
    if (!before) throw new ProblemError(t('this connection was removed'));
    const edited: ClusterProfile = { ...this.#checked(wanted, id), id, kind: 'remote' };
    const undo = isDeepStrictEqual(before, edited) ? {} : { undo: undoOf(before, edited) };
    await this.#changeOf('editConnection', edited, { ...undo, undoes }, async () => {
      await this.#saveSecrets(edited, secrets ?? (await this.secrets(id)));
      await this.#options.profiles.save(
        profiles.map((candidate) => (candidate.id === id ? edited : candidate)),
      );
      this.#endSession(id);
    });
  }

  /** Forgets a profile with its secrets and ends its session. */
  async remove(id: string): Promise<void> {
    const profiles = this.#options.profiles.load();
    const removed = profiles.find((profile) => profile.id === id);
    if (!removed) return;
    await this.#changeOf('removeConnection', removed, { undo: undoOf(removed) }, async () => {
      await this.#options.profiles.save(profiles.filter((profile) => profile.id !== id));
      await this.#options.secrets.delete(secretKey(id));
      this.#endSession(id);
    });
  }

  dispose(): void {
    for (const id of [...this.#sessions.keys()]) this.#endSession(id);
    this.#disposables.dispose();
  }

  get #changes(): ChangeLog {
    return this.#options.changes ?? unlogged;
  }

  async #changeOf(
    kind: Extract<ChangeKind, 'addConnection' | 'editConnection' | 'removeConnection'>,
    cluster: ClusterProfile,
    { undo, undoes }: { readonly undo?: Undo; readonly undoes?: UndoneChange | undefined },
    work: () => Promise<void>,
  ): Promise<void> {
    const change = { kind, name: cluster.name };
    await this.#changes.run({ cluster, change, undoes }, async (running) => {
      await work();
      running.note({ undo });
    });
    this.#changeEmitter.fire();
  }

  async #append(profile: ClusterProfile): Promise<void> {
    await this.#options.profiles.save([...this.#options.profiles.load(), profile]);
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

/** Brings a profile back, as far as no secrets are in it. */
function undoOf(before: ClusterProfile, left?: ClusterProfile): Undo {
  const stored = (profile: ClusterProfile) => ({
    ...profile,
    kind: 'remote' as const,
    bootstrap: [...profile.bootstrap],
  });
  return { kind: 'connection', before: stored(before), ...(left && { left: stored(left) }) };
}
