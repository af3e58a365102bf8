import * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { offsetsState } from '../../shared/contracts/offsets.ts';
import type { PanelContext, PanelKind } from './panelHost.ts';
import { offsetsKey, type OffsetsSubject } from './offsetsSubject.ts';

/** The offsets panel: one for each cluster and group. */
export function offsetsPanel(context: PanelContext): PanelKind<OffsetsSubject> {
  return {
    name: 'offsets',
    state: offsetsState,
    restore: (state) => {
      const { cluster, group } = v.parse(offsetsState, state);
      const profile = context.registry.profile(cluster.id);
      return profile && { cluster: profile, group };
    },
    title: ({ cluster, group }) => t('Reset {0} @ {1}', group, cluster.name),
    key: offsetsKey,
    load: async () => {
      const { OffsetsServer } = await import('./offsetsServer.ts');
      return (panel, subject) => new OffsetsServer(context, panel, subject);
    },
  };
}
