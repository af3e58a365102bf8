import { t } from '../../base/l10n.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { counted } from '../text.ts';
import { confirm } from './prompts.ts';

export function confirmGroupDeletion(
  group: string,
  commitCount: number,
  cluster: ClusterProfile,
): Promise<void> {
  return confirm(
    t('Delete consumer group {0} ({1})?', group, counted(commitCount, 'committed offset')),
    t(
      'On {0}. A consumer that joins under this name later starts where its auto.offset.reset says. The Activity view can undo it.',
      cluster.name,
    ),
    t('Delete'),
    cluster,
  );
}
