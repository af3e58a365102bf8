import type { ConnectionReport } from '../../cluster/profileTest.ts';
import { counted, listed } from '../text.ts';

/** What a trial connection found, in a sentence or two. */
export function reportWords(
  name: string,
  { clusterId, brokerCount, release, unreachable }: ConnectionReport,
): { readonly message: string; readonly isGood: boolean } {
  const isGood = unreachable.length === 0;
  const kafka = release === undefined ? 'does not say its version' : `Kafka ${release}`;
  const found = `${name} answers: cluster ${clusterId}, ${kafka}, ${counted(brokerCount, 'broker')}`;
  if (isGood) return { message: `${found}, all reachable.`, isGood };
  const message = `${found}. Not reachable: ${listed(unreachable)}. Brokers are asked for by the addresses in their advertised.listeners: these have to be reachable from here.`;
  return { message, isGood };
}
