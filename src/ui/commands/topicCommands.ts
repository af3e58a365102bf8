import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import { sessionOf } from '../sessions.ts';
import { counted, grouped } from '../text.ts';
import { recordCount } from '../../cluster/recordCounts.ts';
import type { TreeCell } from '../trees/node.ts';
import type { Workbench } from '../workbench.ts';
import { askText, confirm, withProgress } from './prompts.ts';
import { type ClusterTarget, type CommandCall, topicTarget, writableTarget } from './targets.ts';
import { countProblem, replicasProblem, topicNameProblem } from './validate.ts';

/** More would be a slip of the finger; Kafka itself has no limit. */
const mostPartitions = 10_000;

export async function createTopic(call: CommandCall): Promise<void> {
  const { profile, session } = await writableTarget(call);
  const [existing, brokers] = await Promise.all([session.topics(), session.brokers()]);
  const names = existing.map((topic) => topic.name);
  const steps = brokers.length > 1 ? 3 : 2;
  const name = await askText({
    title: t('Create topic on {0} (1/{1})', profile.name, steps),
    prompt: t('Name of the topic.'),
    placeholder: 'orders',
    validate: (text) => topicNameProblem(text, names),
  });
  const partitionCount = await askText({
    title: t('Create topic {0} ({1}/{2})', name, 2, steps),
    prompt: t('Number of partitions. It can be raised later, never lowered.'),
    value: '3',
    validate: (text) => countProblem(text, { least: 1, most: mostPartitions }),
  });
  const replicas = steps === 2 ? '' : await askReplicas(name, brokers.length);
  const replicationFactor = replicas === '' ? byDefault : Number(replicas);
  await withProgress(t('Creating topic {0}', name), ({ signal }) =>
    session.createTopic(
      { name, partitionCount: Number(partitionCount), replicationFactor },
      signal,
    ),
  );
  await call.workbench.model.refresh();
}

/** The broker's own replication factor. [KIP-464] */
const byDefault = -1;

/** Where there is one broker, there is nothing to ask. Empty: `byDefault`. */
function askReplicas(topic: string, brokerCount: number): Promise<string> {
  return askText({
    title: t('Create topic {0} ({1}/{2})', topic, 3, 3),
    prompt: t('Number of replicas of each partition. Empty: as many as the brokers have set.'),
    validate: (text) => replicasProblem(text, brokerCount),
  });
}

export async function deleteTopic(call: CommandCall): Promise<void> {
  const { target, topics } = await topicsToDelete(call);
  await deleteTopicsOf(call.workbench, target, topics);
}

export async function deleteTopicsOf(
  workbench: Workbench,
  target: ClusterTarget,
  topics: readonly string[],
): Promise<void> {
  const sizes = await Promise.all(topics.map((topic) => sizeOf(target.session, topic)));
  const [first = '', ...more] = topics.map((topic, i) => `${topic} (${sizes[i] ?? ''})`);
  await confirm(
    more.length === 0
      ? t('Delete topic {0}?', first)
      : t('Delete {0}?', counted(topics.length, 'topic')),
    [
      ...(more.length ? [first, ...more, ''] : []),
      t('On {0}. Its records cannot be brought back.', target.profile.name),
    ].join('\n'),
    t('Delete'),
    target.profile,
  );
  await withProgress(t('Deleting {0}', topics.join(', ')), ({ signal }) =>
    target.session.deleteTopics(topics, signal),
  );
  await workbench.model.refresh();
}

async function topicsToDelete(
  call: CommandCall,
): Promise<{ target: ClusterTarget; topics: readonly string[] }> {
  const selected = call.cells.filter(isTopic);
  const [first] = selected;
  if (!first || selected.length < 2) {
    const { topic, ...target } = await topicTarget(call, writableTarget);
    return { target, topics: [topic] };
  }
  const profile = first.node.cluster;
  if (selected.some(({ node }) => node.cluster.id !== profile.id)) {
    throw new Error(t('The selected topics are on different clusters. Delete them one by one.'));
  }
  const session = sessionOf(call.workbench.registry, profile);
  session.assertWritable();
  return { target: { profile, session }, topics: selected.map(({ node }) => node.topic.name) };
}

type TopicCell = TreeCell & { node: Extract<TreeCell['node'], { kind: 'topic' }> };

function isTopic(cell: TreeCell): cell is TopicCell {
  return cell.node.kind === 'topic';
}

/** What a deletion destroys: "3 partitions, 20,000 records". */
async function sizeOf(session: ClusterSession, topic: string): Promise<string> {
  const rows = await session.partitions(topic);
  const records = recordCount(rows);
  const partitions = counted(rows.length, 'partition');
  return `${partitions}, ${records === undefined ? t('records unknown') : counted(records, 'record')}`;
}

export async function addPartitions(call: CommandCall): Promise<void> {
  const { session, topic } = await topicTarget(call, writableTarget);
  const { length: now } = await session.partitions(topic);
  const count = await askText({
    title: t('Add partitions to {0}', topic),
    prompt: t(
      'How many partitions in all? It has {0}. New records of a key may then go to another partition than its old ones.',
      grouped(now),
    ),
    value: String(now + 1),
    validate: (text) => countProblem(text, { least: now + 1, most: mostPartitions }),
  });
  await withProgress(t('Adding partitions to {0}', topic), ({ signal }) =>
    session.addPartitions(topic, Number(count), signal),
  );
  await call.workbench.model.refresh();
}

/** Follows a topic, or the partition whose row it was. */
export async function tail(call: CommandCall): Promise<void> {
  const { profile, topic } = await topicTarget(call);
  const partition = partitionOfRow(call);
  call.workbench.panels.openTail({
    cluster: profile,
    topic,
    ...(partition !== undefined && { partitions: [partition] }),
    from: 'last 100',
    isFresh: true,
  });
}

function partitionOfRow({ cell }: CommandCall): number | undefined {
  const node = cell?.node;
  if (!node) return undefined;
  if (node.kind === 'partition') return node.row.partition;
  return 'commit' in node ? node.commit.partition : undefined;
}

export async function produce(call: CommandCall): Promise<void> {
  const { profile, topic } = await topicTarget(call, writableTarget);
  const partition = partitionOfRow(call) ?? null;
  call.workbench.panels.openProduce({ cluster: profile, topic, partition });
}
