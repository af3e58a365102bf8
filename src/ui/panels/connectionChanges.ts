import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { ConnectionState } from '../../cluster/model.ts';

/** Calls `onConnected` whenever the cluster is connected to. */
export function whenConnected(
  registry: ClusterRegistry,
  clusterId: string,
  onConnected: () => void,
): Disposable {
  return whenStateChanges(registry, clusterId, ({ kind }) => {
    if (kind === 'connected') onConnected();
  });
}

/** Calls `onState` for every state of the connection, also where its session is a new one after an edit. */
export function whenStateChanges(
  registry: ClusterRegistry,
  clusterId: string,
  onState: (state: ConnectionState) => void,
): Disposable {
  let followed: ClusterSession | undefined;
  let subscription: Disposable | undefined;
  const follow = (): void => {
    const session = registry.session(clusterId);
    if (session === followed) return;
    subscription?.dispose();
    followed = session;
    subscription = session?.onDidChangeState(onState);
  };
  follow();
  const store = new DisposableStore();
  store.add(registry.onDidChange(follow));
  store.add(toDisposable(() => subscription?.dispose()));
  return store;
}
