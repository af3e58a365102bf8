import * as vscode from 'vscode';
import { t } from '../../base/l10n.ts';
import { CancelledError } from '../../client/kafkaError.ts';
import type { ClusterRegistry } from '../../cluster/clusterRegistry.ts';
import type { ClusterSession } from '../../cluster/clusterSession.ts';
import type { ClusterProfile, TopicSummary } from '../../cluster/model.ts';
import { toProblem } from '../../cluster/problems.ts';
import { replay, type ReplayOptions } from '../../cluster/produce/replay.ts';
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

const title = (): string => t('Replay');

/** Asks where to, then writes the records there. Rejects where the person thought better of it. */
export async function replayRecords(
  registry: ClusterRegistry,
  source: ReplaySource,
): Promise<void> {
  const target = await chooseTarget(registry, source);
  const { session, topic } = target;
  const where = t('{0} on {1}', topic, session.profile.name);
  await confirm(
    t('Write {0} to {1}?', source.count, where),
    `${source.detail} ${howWritten(target)} ${t('What is written to a topic cannot be taken back.')}`,
    t('Write'),
    session.profile,
  );
  const outcome = await withProgress(t('Replaying {0} to {1}', source.count, where), (progress) =>
    write(source, target, progress),
  );
  tell(source, where, outcome);
}

function howWritten({ keepsPartition, keepsTimestamp }: Target): string {
  const where = keepsPartition ? t('to the same partitions') : t('to the partition of their key');
  const when = keepsTimestamp ? t('with their timestamps') : t('with the time of writing');
  return t('Key, value and headers are written byte for byte, {0}, {1}.', where, when);
}

async function chooseTarget(registry: ClusterRegistry, source: ReplaySource): Promise<Target> {
  const session = await chooseCluster(registry, source.cluster);
  const topic = await chooseTopic(session);
  const keepsPartition = await choosePartitions(topic, source.largestPartition);
  const keepsTimestamp = await choose({ title: title(), placeholder: t('Which timestamps?') }, [
    {
      label: t('Keep the timestamps'),
      description: t('unless the topic sets its own: message.timestamp.type=LogAppendTime'),
      value: true,
    },
    { label: t('The time of writing'), value: false },
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
          { title: title(), placeholder: t('To which cluster?') },
          sessions.map((value) => ({
            label: value.profile.name,
            ...(value.profile.id === own.id && { description: t('this cluster') }),
            value,
          })),
        );
  session.assertWritable();
  return session;
}

function chooseTopic(session: ClusterSession): Promise<TopicSummary> {
  const choices = async () => {
    const topics = (await session.topics()).filter(({ isInternal }) => !isInternal);
    if (topics.length === 0) throw new Error(t('{0} has no topics yet.', session.profile.name));
    return topics.map((topic) => ({
      label: topic.name,
      description: counted(topic.partitionCount, 'partition'),
      value: topic,
    }));
  };
  return choose(
    { title: title(), placeholder: t('To which topic of {0}?', session.profile.name) },
    choices(),
  );
}

/** Whether each record keeps its partition: asked only where the topic has them all. */
async function choosePartitions(
  { name, partitionCount }: TopicSummary,
  largest: number,
): Promise<boolean> {
  const byKey = {
    label: t('By key'),
    description: t('as Java clients choose; without a key at random'),
    value: false,
  };
  const same = { label: t('The same partition'), value: true };
  const lacks = t('{0} has no partition {1}, so the same partition is not offered', name, largest);
  return choose(
    { title: title(), placeholder: largest < partitionCount ? t('To which partitions?') : lacks },
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
    report(t('{0} of {1}', grouped(written), grouped(rows)), written / rows);
  };
  try {
    await session.change(
      { kind: 'replay', topic: options.topic },
      (client, running) =>
        replay(client, records, {
          ...options,
          signal: running.signal,
          onProgress: (done) => {
            onProgress(done);
            running.note({ progress: { done, total: rows } });
          },
        }),
      { signal },
    );
    return { written };
  } catch (error) {
    return error instanceof CancelledError ? { written, cancelled: true } : { written, error };
  }
}

/** The panel may be closed by now: the window says how it ended. */
function tell({ rows }: ReplaySource, where: string, outcome: Outcome): void {
  const { written, cancelled = false, error } = outcome;
  const done = t('{0} written to {1}', counted(written, 'record'), where);
  if (error !== undefined) {
    const { message, hint = '' } = toProblem(error);
    const end = `${t('{0}, then it failed: {1}. More of them may have arrived.', done, message)} ${hint}`;
    void vscode.window.showErrorMessage(end.trim());
  } else if (cancelled) {
    const end = t('Cancelled: {0}. Those under way may have arrived too.', done);
    void vscode.window.showWarningMessage(end);
  } else {
    const left = rows - written;
    const note = t('{0} left out: no record, or dropped meanwhile.', counted(left, 'row'));
    void vscode.window.showInformationMessage(left > 0 ? `${done}. ${note}` : `${done}.`);
  }
}
