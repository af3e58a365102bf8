import { t } from '../../base/l10n.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { ClusterProfile } from '../../cluster/model.ts';
import { sessionOf } from '../sessions.ts';
import { counted } from '../text.ts';
import { type NodeKind, type NodeOf, type TreeCell } from '../trees/node.ts';
import type { Workbench } from '../workbench.ts';
import { type Choice, choose } from './prompts.ts';

/**
 * What a command works on: the row that it was called from, or, from the palette, what the person then
 * chooses.
 */
export interface CommandCall {
  readonly workbench: Workbench;
  /** The row whose menu or button it was; undefined from the palette. */
  readonly cell: TreeCell | undefined;
  /** All rows, where several were selected and `cell` is among them; else only `cell`. */
  readonly cells: readonly TreeCell[];
  /** Names of the saved records whose rows they were. */
  readonly saved: readonly string[];
  /** Ids of the changes whose rows they were. */
  readonly activity: readonly string[];
  /** By a key of the view that has the focus, which says so: what is selected there is meant. */
  readonly isOnSelection: boolean;
  /** The command's name in words, for the title of questions. */
  readonly title: string;
}

export interface ClusterTarget {
  readonly profile: ClusterProfile;
  readonly session: ClusterSession;
}

export interface TopicTarget extends ClusterTarget {
  readonly topic: string;
}

export interface GroupTarget extends ClusterTarget {
  readonly group: string;
}

/** The called row, if it is of one of the kinds. */
export function rowOf<K extends NodeKind>(
  call: CommandCall,
  ...kinds: readonly K[]
): NodeOf<K> | undefined {
  const node = call.cell?.node;
  return node && (kinds as readonly string[]).includes(node.kind) ? (node as NodeOf<K>) : undefined;
}

/** The rows called from, or, from the keyboard, those selected. */
export function rowsOf({ workbench, cells }: CommandCall): readonly TreeCell[] {
  return cells.length ? cells : workbench.view.selection;
}

export function targetOf(workbench: Workbench, profile: ClusterProfile): ClusterTarget {
  return { profile, session: sessionOf(workbench.registry, profile) };
}

/** The row's cluster, the only one that can be meant, or the chosen one. */
export async function clusterTarget(
  call: CommandCall,
  isEligible: (profile: ClusterProfile) => boolean = () => true,
): Promise<ClusterTarget> {
  const { workbench, cell } = call;
  if (cell) return targetOf(workbench, cell.node.cluster);
  const profiles = workbench.registry.profiles.filter(
    (profile) => isEligible(profile) && isReachable(workbench, profile),
  );
  const [only] = profiles;
  if (!only) {
    throw new Error(
      t('There is no cluster to do that on. Start the embedded one or connect to one.'),
    );
  }
  if (profiles.length === 1) return targetOf(workbench, only);
  const chosen = await choose(
    { title: call.title, placeholder: t('Which cluster?') },
    profiles.map((profile) => ({ label: profile.name, value: profile })),
  );
  return targetOf(workbench, chosen);
}

/** A cluster that can be written to. */
export async function writableTarget(call: CommandCall): Promise<ClusterTarget> {
  const target = await clusterTarget(call, ({ readOnly }) => !readOnly);
  target.session.assertWritable();
  return target;
}

function isReachable(workbench: Workbench, profile: ClusterProfile): boolean {
  return profile.kind === 'remote' || workbench.embedded.state.kind === 'running';
}

export async function topicTarget(
  call: CommandCall,
  cluster: (call: CommandCall) => Promise<ClusterTarget> = clusterTarget,
): Promise<TopicTarget> {
  const target = await cluster(call);
  return { ...target, topic: topicOfRow(call) ?? (await chooseTopic(call, target)) };
}

/** The topic that a row is about. */
export function topicOfRow(call: CommandCall): string | undefined {
  const node = call.cell?.node;
  if (!node) return undefined;
  if (node.kind === 'topic') return node.topic.name;
  if (node.kind === 'partition') return node.row.topic;
  if ('commit' in node) return node.commit.topic;
  return 'topic' in node ? node.topic : undefined;
}

async function chooseTopic(call: CommandCall, { session }: ClusterTarget): Promise<string> {
  const choices = async (): Promise<Choice<string>[]> => {
    const topics = await session.topics();
    if (topics.length === 0) throw new Error(t('{0} has no topics yet.', session.profile.name));
    return topics
      .toSorted((a, b) => Number(a.isInternal) - Number(b.isInternal) || compare(a.name, b.name))
      .map((topic) => ({
        label: topic.name,
        description: counted(topic.partitionCount, 'partition'),
        value: topic.name,
      }));
  };
  return choose({ title: call.title, placeholder: t('Which topic?') }, choices());
}

export async function groupTarget(
  call: CommandCall,
  cluster: (call: CommandCall) => Promise<ClusterTarget> = clusterTarget,
): Promise<GroupTarget> {
  const target = await cluster(call);
  return { ...target, group: groupOfRow(call) ?? (await chooseGroup(call, target)) };
}

/** The consumer group that a row is about. */
export function groupOfRow(call: CommandCall): string | undefined {
  const node = call.cell?.node;
  if (!node) return undefined;
  if (node.kind === 'group') return node.group.groupId;
  if ('commit' in node) return node.commit.group;
  return 'group' in node ? node.group : undefined;
}

async function chooseGroup(call: CommandCall, { session }: ClusterTarget): Promise<string> {
  const choices = async (): Promise<Choice<string>[]> => {
    const found = await groupChoices(session);
    if (found.length === 0)
      throw new Error(t('{0} has no consumer groups yet.', session.profile.name));
    return found;
  };
  return choose({ title: call.title, placeholder: t('Which consumer group?') }, choices());
}

/** The groups of a cluster by name, each with its state; those that have offsets on a topic come first. */
export async function groupChoices(
  session: ClusterSession,
  topic?: string,
): Promise<Choice<string>[]> {
  const [groups, commits] = await Promise.all([
    session.groups(),
    // Without them the groups are offered as well, by name.
    topic === undefined ? [] : session.committedOn(topic).catch(() => []),
  ]);
  const onTopic = new Set(commits.map(({ group }) => group));
  const isElsewhere = (group: string): number => Number(!onTopic.has(group));
  return groups
    .map(({ groupId, state }) => ({ label: groupId, description: state, value: groupId }))
    .toSorted(({ value: a }, { value: b }) => isElsewhere(a) - isElsewhere(b) || compare(a, b));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
