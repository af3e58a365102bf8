import { t } from '../../base/l10n.ts';
import type { ConnectionReport } from '../../cluster/connections/profileTest.ts';
import { counted, listed } from '../text.ts';

/** What a trial connection found, in a sentence or two. */
export function reportWords(
  name: string,
  { clusterId, brokerCount, release, unreachable }: ConnectionReport,
): { readonly message: string; readonly isGood: boolean } {
  const isGood = unreachable.length === 0;
  const kafka = release === undefined ? t('does not say its version') : t('Kafka {0}', release);
  const brokers = counted(brokerCount, 'broker');
  const message = isGood
    ? t('{0} answers: cluster {1}, {2}, {3}, all reachable.', name, clusterId, kafka, brokers)
    : t(
        '{0} answers: cluster {1}, {2}, {3}. Not reachable: {4}. Brokers are asked for by the addresses in their advertised.listeners: these have to be reachable from here.',
        name,
        clusterId,
        kafka,
        brokers,
        listed(unreachable),
      );
  return { message, isGood };
}
