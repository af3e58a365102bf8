import type { Disposable } from '../base/disposable.ts';
import { Emitter } from '../base/event.ts';
import type { Logger } from '../base/logger.ts';
import type { ClusterSession } from './clusterSession.ts';
import type { EmbeddedCluster } from './embeddedCluster.ts';
import type { ClusterProfile } from './model.ts';

/** Where the list of remote clusters is kept. Implemented by `ui`. */
export interface ProfileStore {
  load(): readonly ClusterProfile[];
  save(profiles: readonly ClusterProfile[]): Promise<void>;
}

/** Where secrets are kept, and nowhere else. Implemented by `ui` over the editor's secret storage. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, secret: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface ClusterRegistryOptions {
  readonly profiles: ProfileStore;
  readonly secrets: SecretStore;
  /** Left out where there is no embedded cluster (a virtual workspace). */
  readonly embedded?: EmbeddedCluster;
  readonly logger: Logger;
}

/** What a person gives for a remote cluster. */
export type NewProfile = Pick<ClusterProfile, 'name' | 'bootstrap' | 'readOnly'>;

export const embeddedProfileId = 'embedded';

/** The clusters that the workbench knows, and one session for each. */
export class ClusterRegistry implements Disposable {
  readonly #options: ClusterRegistryOptions;
  readonly #changeEmitter = new Emitter<void>();
  /** A profile was added, edited or removed. */
  readonly onDidChange = this.#changeEmitter.event;
  readonly #sessions = new Map<string, ClusterSession>();

  constructor(options: ClusterRegistryOptions) {
    this.#options = options;
  }

  /** The embedded cluster first, then the others in the order they were added. */
  get profiles(): readonly ClusterProfile[] {
    return this.#options.profiles.load();
  }

  profile(id: string): ClusterProfile | undefined {
    return this.profiles.find((profile) => profile.id === id);
  }

  /** The cluster's session, made on first use. Undefined: no such cluster (it was removed). */
  session(id: string): ClusterSession | undefined {
    return this.#sessions.get(id);
  }

  add(_profile: NewProfile): Promise<ClusterProfile> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Changes a profile; its session reconnects on next use. */
  edit(_id: string, _change: Partial<NewProfile>): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  /** Forgets a profile with its secrets and ends its session. */
  remove(_id: string): Promise<void> {
    return Promise.reject(new Error('not there yet'));
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.dispose();
    this.#changeEmitter.dispose();
  }
}
