import * as vscode from 'vscode';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { ClusterProfile, TopicSummary } from '../../cluster/model.ts';
import { toProblem } from '../../cluster/problems.ts';
import { replay, type ReplayOptions } from '../../cluster/replay.ts';
import { choose, confirm, type Progress, withProgress } from '../commands/prompts.ts';
import { sessionOf } from '../sessions.ts';
import { counted, grouped } from '../text.ts';
import type { ReplaySource } from './replaySource.ts';

interface Target extends Pick<ReplayOptions, 'keepsPartition' | 'keepsTimestamp'> {
  readonly session: ClusterSession;
  readonly topic: string;
}

interface Outcome {
  readonly written: number;
  readonly cancelled?: boolean;
  readonly error?: unknown;
}

const title = 'Replay';

/** Asks where to, then writes the records there. Rejects where the person thought better of it. */
export async function replayRecords(
  registry: ClusterRegistry,
  source: ReplaySource,
): Promise<void> {
  const target = await chooseTarget(registry, source);
  const { session, topic } = target;
  const where = `${topic} on ${session.profile.name}`;
  await confirm(
    `Write ${source.count} to ${where}?`,
    `${source.detail} Key, value and headers are written byte for byte, ${howWritten(target)}. What is written to a topic cannot be taken back.`,
    'Write',
    session.profile,
  );
  const outcome = await withProgress(`Replaying ${source.count} to ${where}`, (progress) =>
    write(source, target, progress),
  );
  tell(source, where, outcome);
}

function howWritten({ keepsPartition, keepsTimestamp }: Target): string {
  const partition = keepsPartition ? 'to the same partitions' : 'to the partition of their key';
  return `${partition}, ${keepsTimestamp ? 'with their timestamps' : 'with the time of writing'}`;
}

async function chooseTarget(registry: ClusterRegistry, source: ReplaySource): Promise<Target> {
  const session = await chooseCluster(registry, source.cluster);
  const topic = await chooseTopic(session);
  const keepsPartition = await choosePartitions(topic, source.largestPartition);
  const keepsTimestamp = await choose({ title, placeholder: 'Which timestamps?' }, [
    {
      label: 'Keep the timestamps',
      description: 'unless the topic sets its own: message.timestamp.type=LogAppendTime',
      value: true,
    },
    { label: 'The time of writing', value: false },
  ]);
  return { session, topic: topic.name, keepsPartition, keepsTimestamp };
}

/** The same cluster or another that is connected, of those that may be written to. */
async function chooseCluster(
  registry: ClusterRegistry,
  own: ClusterProfile,
): Promise<ClusterSession> {
  const sessions = registry.profiles
    .filter(({ readOnly }) => !readOnly)
    .map((profile) => sessionOf(registry, profile))
    .filter(({ profile, state }) => profile.id === own.id || state.kind === 'connected');
  const [only] = sessions;
  // Says why nothing may be written.
  if (!only) sessionOf(registry, own).assertWritable();
  const session =
    only && sessions.length === 1
      ? only
      : await choose(
          { title, placeholder: 'To which cluster?' },
          sessions.map((value) => ({
            label: value.profile.name,
            ...(value.profile.id === own.id && { description: 'this cluster' }),
            value,
          })),
        );
  session.assertWritable();
  return session;
}

function chooseTopic(session: ClusterSession): Promise<TopicSummary> {
  const choices = async () => {
    const topics = (await session.topics()).filter(({ isInternal }) => !isInternal);
    if (topics.length === 0) throw new Error(`${session.profile.name} has no topics yet.`);
    return topics.map((topic) => ({
      label: topic.name,
      description: counted(topic.partitionCount, 'partition'),
      value: topic,
    }));
  };
  return choose({ title, placeholder: `To which topic of ${session.profile.name}?` }, choices());
}

/** Whether each record keeps its partition: asked only where the topic has them all. */
async function choosePartitions(
  { name, partitionCount }: TopicSummary,
  largest: number,
): Promise<boolean> {
  const byKey = {
    label: 'By key',
    description: 'as Java clients choose; without a key at random',
    value: false,
  };
  const same = { label: 'The same partition', value: true };
  const lacks = `${name} has no partition ${largest}, so the same partition is not offered`;
  return choose(
    { title, placeholder: largest < partitionCount ? 'To which partitions?' : lacks },
    largest < partitionCount ? [same, byKey] : [byKey],
  );
}

async function write(
  { records, rows }: ReplaySource,
  { session, ...options }: Target,
  { signal, report }: Progress,
): Promise<Outcome> {
  let written = 0;
  const onProgress = (acknowledged: number): void => {
    written = acknowledged;
    report(`${grouped(written)} of ${grouped(rows)}`, written / rows);
  };
  try {
    session.assertWritable();
    await session.connect(signal);
    await replay(session.client, records, { ...options, signal, onProgress });
    return { written };
  } catch (error) {
    return signal.aborted ? { written, cancelled: true } : { written, error };
  }
}

/** The panel may be closed by now: the window says how it ended. */
function tell({ rows }: ReplaySource, where: string, outcome: Outcome): void {
  const { written, cancelled = false, error } = outcome;
  const done = `${counted(written, 'record')} written to ${where}`;
  if (error !== undefined) {
    const { message, hint = '' } = toProblem(error);
    const end = `${done}, then it failed: ${message}. More of them may have arrived. ${hint}`;
    void vscode.window.showErrorMessage(end.trim());
  } else if (cancelled) {
    const end = `Cancelled: ${done}. Those under way may have arrived too.`;
    void vscode.window.showWarningMessage(end);
  } else {
    const left = rows - written;
    const note = `${counted(left, 'row')} left out: no record, or dropped meanwhile.`;
    void vscode.window.showInformationMessage(left > 0 ? `${done}. ${note}` : `${done}.`);
  }
}
