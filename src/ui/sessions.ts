import { t } from '../base/l10n.ts';
import type { ClusterRegistry } from '../cluster/clusterRegistry.ts';
import type { ClusterSession } from '../cluster/clusterSession.ts';
import type { ClusterProfile } from '../cluster/model.ts';

/** The session of a cluster; throws, in words, where the cluster was removed meanwhile. */
export function sessionOf(registry: ClusterRegistry, profile: ClusterProfile): ClusterSession {
  const session = registry.session(profile.id);
  if (!session) throw new Error(t('{0} is not among the clusters any more.', profile.name));
  return session;
}
