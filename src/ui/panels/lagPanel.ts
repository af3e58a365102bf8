import * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { lagState } from '../../shared/contracts/lag.ts';
import type { LagLinks } from './lagServer.ts';
import { lagKey, type LagSubject } from './lagSubject.ts';
import type { PanelContext, PanelKind } from './panelHost.ts';

/** The lag panel: one for each cluster and group. */
export function lagPanel(context: PanelContext, links: LagLinks): PanelKind<LagSubject> {
  return {
    name: 'lag',
    state: lagState,
    restore: (state) => {
      const { cluster, group, topic } = v.parse(lagState, state);
      const profile = context.registry.profile(cluster.id);
      return profile && { cluster: profile, group, topic };
    },
    title: ({ cluster, group }) => t('Lag of {0} @ {1}', group, cluster.name),
    key: lagKey,
    load: async () => {
      const { LagServer } = await import('./lagServer.ts');
      return (panel, subject) => new LagServer({ context, panel, links }, subject);
    },
  };
}
