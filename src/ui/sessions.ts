import { t } from '../base/l10n.ts';
import type { ClusterRegistry } from '../cluster/clusterRegistry.ts';
import type { ClusterSession } from '../cluster/clusterSession.ts';
import type { ClusterProfile } from '../cluster/model.ts';
import { ProblemError } from '../cluster/problems.ts';

type Named = Pick<ClusterProfile, 'id' | 'name'>;

/** The session of a cluster; throws, in words, where the cluster was removed meanwhile. */
export function sessionOf(registry: ClusterRegistry, cluster: Named): ClusterSession {
  return registry.session(cluster.id) ?? isGone(cluster);
}

/** The profile of a cluster as it is now; throws as `sessionOf` does. */
export function profileOf(registry: ClusterRegistry, cluster: Named): ClusterProfile {
  return registry.profile(cluster.id) ?? isGone(cluster);
}

function isGone({ name }: Named): never {
  throw new ProblemError(
    t('{0} is not among the clusters any more', name),
    t('The activity can undo its removal, if it still lists it.'),
  );
}
