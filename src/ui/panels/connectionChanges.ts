import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/event.ts';
import type { ConnectionState } from '../../cluster/model.ts';

interface FollowedRegistry {
  readonly onDidChange: Event<void>;
  session(id: string): FollowedSession | undefined;
}

interface FollowedSession {
  readonly state: ConnectionState;
  readonly onDidChangeState: Event<ConnectionState>;
}

/** Calls `onConnected` whenever the cluster is connected to. */
export function whenConnected(
  registry: FollowedRegistry,
  clusterId: string,
  onConnected: () => void,
): Disposable {
  return whenStateChanges(registry, clusterId, ({ kind }) => {
    if (kind === 'connected') onConnected();
  });
}

/**
 * Calls `onState` for every state of the connection. After an edit its session is a new one, which has a state of its
 * own to tell; a connection that was removed is stopped.
 */
export function whenStateChanges(
  registry: FollowedRegistry,
  clusterId: string,
  onState: (state: ConnectionState) => void,
): Disposable {
  let followed = registry.session(clusterId);
  let subscription = followed?.onDidChangeState(onState);
  const follow = (): void => {
    const session = registry.session(clusterId);
    if (session === followed) return;
    subscription?.dispose();
    followed = session;
    subscription = session?.onDidChangeState(onState);
    onState(session?.state ?? { kind: 'stopped' });
  };
  const store = new DisposableStore();
  store.add(registry.onDidChange(follow));
  store.add(toDisposable(() => subscription?.dispose()));
  return store;
}
