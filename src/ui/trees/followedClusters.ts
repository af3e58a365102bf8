import type { Disposable } from '../../base/disposable.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { ClusterData, type ClusterReader } from './clusterData.ts';
import { folderNodeId } from './project.ts';
import type { TreeChoices } from './treeChoices.ts';

/** A cluster's session while it is followed, and what has been read over it. */
export interface Followed extends Disposable {
  readonly session: ClusterReader;
  readonly data: ClusterData;
}

interface FollowedClustersOptions {
  readonly registry: { session(id: string): ClusterReader | undefined };
  readonly choices: TreeChoices;
  readonly settings: () => { readonly showInternalTopics: boolean };
  /** How many rows of a folder are shown. */
  readonly limit: (folderId: string) => number;
  readonly onDidChangeState: () => void;
}

/** The sessions that the view shows. */
export class FollowedClusters implements Disposable {
  readonly #options: FollowedClustersOptions;
  readonly #followed = new Map<string, Followed>();

  constructor(options: FollowedClustersOptions) {
    this.#options = options;
  }

  get all(): readonly Followed[] {
    return [...this.#followed.values()];
  }

  /** The cluster's session with its data. A session made anew, after an edit, starts with no data. */
  of(cluster: ClusterProfile): Followed | undefined {
    const session = this.#options.registry.session(cluster.id);
    const known = this.#followed.get(cluster.id);
    if (known?.session === session) return known;
    known?.dispose();
    this.#followed.delete(cluster.id);
    if (!session) return undefined;
    const followed = this.#follow(cluster, session);
    this.#followed.set(cluster.id, followed);
    return followed;
  }

  connectedData(cluster: ClusterProfile): ClusterData | undefined {
    const followed = this.of(cluster);
    return followed?.session.state.kind === 'connected' ? followed.data : undefined;
  }

  /** Leaves the clusters that are shown no longer. */
  keepOnly(profiles: readonly ClusterProfile[]): void {
    const ids = new Set(profiles.map(({ id }) => id));
    for (const [id, followed] of this.#followed) {
      if (ids.has(id)) continue;
      followed.dispose();
      this.#followed.delete(id);
    }
  }

  dispose(): void {
    for (const followed of this.#followed.values()) followed.dispose();
    this.#followed.clear();
  }

  #follow(cluster: ClusterProfile, session: ClusterReader): Followed {
    const { choices, settings, limit, onDidChangeState } = this.#options;
    const data = new ClusterData(session, {
      choices: (kind) => choices.of({ clusterId: cluster.id, kind }),
      limit: (kind) => limit(folderNodeId(cluster, kind)),
      showInternalTopics: () => settings().showInternalTopics,
    });
    const subscription = session.onDidChangeState((state) => {
      if (state.kind !== 'connected') data.reset();
      onDidChangeState();
    });
    return {
      session,
      data,
      dispose() {
        subscription.dispose();
        data.reset();
      },
    };
  }
}
