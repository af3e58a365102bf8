import * as v from 'valibot';
import { t } from '../../base/l10n.ts';
import { produceState } from '../../shared/contracts/produce.ts';
import type { PanelContext, PanelKind } from './panelHost.ts';
import { produceKey, type ProduceSubject, type ShowRecord } from './produceSubject.ts';

/** The produce panel: one for each cluster and the topic that it was opened for. */
export function producePanel(
  context: PanelContext,
  showRecord: ShowRecord,
): PanelKind<ProduceSubject> {
  return {
    name: 'produce',
    state: produceState,
    restore: (state) => {
      const { cluster, draft } = v.parse(produceState, state);
      const profile = context.registry.profile(cluster.id);
      return profile && { cluster: profile, topic: draft.topic, partition: draft.partition, draft };
    },
    title: ({ cluster, topic }) => t('Produce to {0} @ {1}', topic, cluster.name),
    key: ({ cluster, topic }) => produceKey(cluster, topic),
    load: async () => {
      const { ProduceServer } = await import('./produceServer.ts');
      return (panel, subject) => new ProduceServer(context, panel, { subject, showRecord });
    },
  };
}
