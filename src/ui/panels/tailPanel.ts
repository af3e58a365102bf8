import * as v from 'valibot';
import { tailState } from '../../shared/contracts/tail.ts';
import type { PanelContext, PanelKind } from './panelHost.ts';
import { tailKey, type TailSubject, tailTitle } from './tailSubject.ts';

/** The tail panel: one for each cluster, topic and set of partitions. */
export function tailPanel(context: PanelContext): PanelKind<TailSubject> {
  return {
    name: 'tail',
    state: tailState,
    restore: (state) => {
      const { cluster, topic, partitions, from } = v.parse(tailState, state);
      const profile = context.registry.profile(cluster.id);
      return profile && { cluster: profile, topic, partitions, from };
    },
    title: (subject) => tailTitle(subject),
    key: ({ cluster, topic, partitions }) => tailKey(cluster, topic, partitions),
    load: async () => {
      const { TailServer } = await import('./tailServer.ts');
      return (panel, subject) => new TailServer(context, panel, subject);
    },
  };
}
