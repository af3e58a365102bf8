/** The configs of a topic, and a change of one. */
import { alterConfigs, type ConfigEntry, describeConfigs } from '../client/admin/configs.ts';
import type { ClusterSession } from './clusterSession.ts';

export type { ConfigEntry } from '../client/admin/configs.ts';

/** Of a long list, as of replicas that are throttled, so much is in the activity. */
const keptLetters = 200;

/** Those that were set for the topic first, each half by name. */
export async function topicConfigs(
  session: ClusterSession,
  topic: string,
  signal?: AbortSignal,
): Promise<readonly ConfigEntry[]> {
  const entries = await session.use((client) =>
    describeConfigs(client, { kind: 'topic', name: topic }, { signal }),
  );
  return entries.toSorted(
    (a, b) => Number(a.isDefault) - Number(b.isDefault) || (a.name < b.name ? -1 : 1),
  );
}

/** Sets one config of a topic; null: back to what the cluster has for every topic. */
export function setTopicConfig(
  session: ClusterSession,
  topic: string,
  { name, before, value }: { name: string; before: string | null; value: string | null },
  signal?: AbortSignal,
): Promise<void> {
  const kept = (text: string | null): string | null => text?.slice(0, keptLetters) ?? null;
  return session.change(
    { kind: 'setConfig', topic, config: name, before: kept(before), value: kept(value) },
    (client, running) =>
      alterConfigs(client, { kind: 'topic', name: topic }, [{ name, value }], {
        signal: running.signal,
      }),
    { signal },
  );
}
