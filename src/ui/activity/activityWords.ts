/** The words of an entry. */
import { t } from '../../base/l10n.ts';
import { type ActivityEntry, isUndoable } from '../../cluster/activity/activityEntry.ts';
import type { Change, OffsetChange } from '../../cluster/activity/change.ts';
import type { UndoneChange } from '../../cluster/activity/changeLog.ts';
import { counted, durationText, grouped, listed } from '../text.ts';
import { exactTime } from './activityTime.ts';

/** Of a change in a list to choose from, so many partitions are named. */
const commitsInChoice = 3;

/** A change as whoever takes it back names it. */
export function undoneOf(entry: ActivityEntry): UndoneChange {
  const { id, change, undoes } = entry;
  const isRedo = undoes !== undefined && !undoes.isRedo;
  const title = undoes?.title ?? changeTitle(change);
  return { id, kind: change.kind, title, ...(isRedo && { isRedo }) };
}

/** Whether taking it back does once more what was undone by it. */
export function isRedoOf(entry: ActivityEntry): boolean {
  return undoneOf(entry).isRedo ?? false;
}

/** What taking a change back would bring back: each commit, or the connection. */
export function undoWords({ facts }: ActivityEntry): string {
  const { undo, offsets = [], moreOffsets = 0 } = facts;
  if (undo?.kind === 'connection') {
    const { name, bootstrap } = undo.before;
    return undo.left
      ? t('Back to {0} as it was, at {1}', name, bootstrap.join(', '))
      : t('Brings {0} back, at {1}', name, bootstrap.join(', '));
  }
  const changed = offsets.filter(({ problem }) => problem === undefined);
  const named = changed
    .slice(0, commitsInChoice)
    .map(({ before, after, ...of }) => offsetWords({ ...of, before: after, after: before }));
  const left = changed.length - named.length + moreOffsets;
  return [...named, ...(left > 0 ? [t('{0} more', counted(left, 'partition'))] : [])].join(' · ');
}

/** What is done, whether it runs, has ended or has failed: "Delete topic orders". */
export function titleOf({ change, undoes }: Pick<ActivityEntry, 'change' | 'undoes'>): string {
  if (!undoes) return changeTitle(change);
  return undoes.isRedo ? t('Redo: {0}', undoes.title) : t('Undo: {0}', undoes.title);
}

/** The title of a row, which is narrow, and the part of the change that stands beside it. */
export function rowTitleOf({
  change,
  undoes,
}: Pick<ActivityEntry, 'change' | 'undoes'>): readonly [title: string, detail?: string] {
  if (change.kind === 'resetOffsets' && (!undoes || undoes.kind === 'resetOffsets')) {
    const { group, summary } = change;
    if (undoes?.isRedo) return [t('Redo of reset {0}', group), summary];
    return [undoes ? t('Undo of reset {0}', group) : t('Reset {0}', group), summary];
  }
  return [titleOf({ change, ...(undoes && { undoes }) })];
}

function changeTitle(change: Change): string {
  if ('topic' in change) return topicTitle(change);
  if ('group' in change) return groupTitle(change);
  if ('name' in change) return connectionTitle(change);
  return clusterTitle(change);
}

function topicTitle(change: Extract<Change, { topic: string }>): string {
  switch (change.kind) {
    case 'createTopic':
      return t('Create topic {0}', change.topic);
    case 'addPartitions':
      return t('Add partitions to {0}', change.topic);
    case 'setConfig':
      return change.value === null
        ? t('Set {0} of {1} back to its default', change.config, change.topic)
        : t('Set {0} of {1} to {2}', change.config, change.topic, change.value);
    case 'produce':
      return produceTitle(change);
    case 'replay':
      return t('Replay records to {0}', change.topic);
    case 'loadSample':
      return t('Load sample data');
    case 'exportRecords':
      return t('Export records of {0}', change.topic);
  }
}

function groupTitle(change: Extract<Change, { group: string }>): string {
  switch (change.kind) {
    case 'resetOffsets':
      return t('Reset {0}: {1}', change.group, change.summary);
    case 'deleteGroup':
      return t('Delete group {0}', change.group);
    case 'removeMembers':
      return t('Remove the members of {0}', change.group);
    case 'exportOffsets':
      return t('Export offsets of {0}', change.group);
  }
}

function connectionTitle({ kind, name }: Extract<Change, { name: string }>): string {
  switch (kind) {
    case 'addConnection':
      return t('Add connection {0}', name);
    case 'editConnection':
      return t('Edit connection {0}', name);
    case 'removeConnection':
      return t('Remove connection {0}', name);
  }
}

type ClusterChange = Exclude<Change, { topic: string } | { group: string } | { name: string }>;

function clusterTitle(change: ClusterChange): string {
  switch (change.kind) {
    case 'deleteTopics':
      return change.count === 1
        ? t('Delete topic {0}', change.topics[0] ?? '')
        : t('Delete {0}', counted(change.count, 'topic'));
    case 'startCluster':
      return t('Start the embedded cluster');
    case 'stopCluster':
      return t('Stop the embedded cluster');
    case 'clusterFailed':
      return t('The embedded cluster failed');
    case 'advanceClock':
      return t('Advance the clock by {0}', durationText(change.byMs));
    case 'runMaintenance':
      return t('Run maintenance: {0}', listed(change.tasks));
  }
}

function produceTitle({ topic, from }: Extract<Change, { kind: 'produce' }>): string {
  switch (from) {
    case 'form':
      return t('Send a record to {0}', topic);
    case 'template':
      return t('Send records to {0}', topic);
    case 'file':
      return t('Send the records of a file to {0}', topic);
  }
}

/** How it stands, where there is more to say than that it is done. */
export function stateWords(entry: ActivityEntry): string | undefined {
  const { state, problem, undoneBy, facts } = entry;
  if (undoneBy !== undefined) return isRedoOf(entry) ? t('redone') : t('undone');
  switch (state) {
    case 'running':
      return t('running');
    case 'done':
      return undefined;
    case 'partly': {
      const { offsets = [], moreOffsets = 0 } = facts;
      const refused = offsets.filter((of) => of.problem !== undefined).length;
      return t('{0} of {1} refused', refused, counted(offsets.length + moreOffsets, 'partition'));
    }
    case 'failed':
      return t('failed: {0}', problem?.message ?? '');
    case 'cancelled':
      return t('cancelled');
    case 'interrupted':
      return t('interrupted');
  }
}

/** How much it was, or is by now. */
export function amountWords({ change, facts, state }: ActivityEntry): string | undefined {
  const { progress, place, offsets, moreOffsets = 0 } = facts;
  if (progress) {
    const { done, total } = progress;
    return state === 'done' || total === null
      ? counted(done, 'record')
      : t('{0} of {1}', grouped(done), grouped(total));
  }
  if (place) {
    return t('partition {0}, offset {1}', place.partition, grouped(BigInt(place.offset)));
  }
  if (offsets) return counted(offsets.length + moreOffsets, 'partition');
  if ('partitionCount' in change) return counted(change.partitionCount, 'partition');
  return undefined;
}

export function offsetWords({ topic, partition, before, after, problem }: OffsetChange): string {
  const words = (offset: string | null): string =>
    offset === null ? t('no commit') : grouped(BigInt(offset));
  const change = `${topic}-${partition}: ${words(before)} → ${words(after)}`;
  return problem === undefined ? change : t('{0}, refused: {1}', change, problem);
}

/** The exact facts, a line each; of many partitions, the first `partitionsNamed`. */
export function factLines(entry: ActivityEntry, partitionsNamed = Infinity): string[] {
  const { cluster, change, startedAtMs, endedAtMs, facts, problem } = entry;
  const { offsets = [], moreOffsets = 0 } = facts;
  const named = offsets.slice(0, partitionsNamed);
  const left = offsets.length - named.length + moreOffsets;
  const amount = amountWords(entry);
  return [
    t('Cluster: {0}', cluster.name),
    t('Began: {0}', exactTime(startedAtMs)),
    ...(endedAtMs === undefined ? [] : [t('Took: {0}', durationText(endedAtMs - startedAtMs))]),
    ...(amount === undefined ? [] : [t('Amount: {0}', amount)]),
    ...(change.kind === 'deleteTopics' ? change.topics : []),
    ...('file' in change ? [change.file] : []),
    ...(change.kind === 'setConfig' ? [configLine(change)] : []),
    ...named.map(offsetWords),
    ...(left > 0 ? [t('{0} more', counted(left, 'partition'))] : []),
    ...(problem ? [problem.message, ...(problem.hint === undefined ? [] : [problem.hint])] : []),
    ...interruption(entry),
    ...undoLine(entry),
  ];
}

function configLine({ config, before, value }: Extract<Change, { kind: 'setConfig' }>): string {
  const words = (of: string | null): string => of ?? t('the default');
  return `${config}: ${words(before)} → ${words(value)}`;
}

function interruption({ state }: ActivityEntry): string[] {
  if (state !== 'interrupted') return [];
  return [t('The window closed before this ended. Some of it may have been done.')];
}

function undoLine(entry: ActivityEntry): string[] {
  if (entry.state === 'running') return [];
  const isRedo = isRedoOf(entry);
  if (entry.undoneBy !== undefined) return [isRedo ? t('It was redone.') : t('It was undone.')];
  if (isUndoable(entry)) return [isRedo ? t('It can be redone.') : t('It can be undone.')];
  const words = entry.state === 'failed' ? undefined : whyNotUndone(entry.change);
  return words === undefined ? [] : [words];
}

function whyNotUndone(change: Change): string | undefined {
  if ('name' in change) return whyConnectionNotUndone(change.kind);
  switch (change.kind) {
    case 'createTopic':
      return t('To take it back, delete the topic.');
    case 'deleteTopics':
      return t('It cannot be undone: the records are gone.');
    case 'addPartitions':
      return t('It cannot be undone: Kafka takes no partition away.');
    case 'setConfig':
      return t('To take it back, set the config as it was before.');
    case 'resetOffsets':
    case 'deleteGroup':
      return t('There is nothing to undo.');
    case 'removeMembers':
      return t('It cannot be undone. Members that still run join again by themselves.');
    case 'produce':
    case 'replay':
      return t('It cannot be undone: what is written to a topic stays there.');
    case 'loadSample':
      return t('To take it back, delete the topic and its groups.');
    case 'advanceClock':
      return t('It cannot be undone: the clock never goes back.');
    case 'runMaintenance':
      return t('It cannot be undone: what was over its time is gone.');
    case 'startCluster':
    case 'stopCluster':
    case 'clusterFailed':
    case 'exportRecords':
    case 'exportOffsets':
      return undefined;
  }
}

function whyConnectionNotUndone(
  kind: Extract<Change, { name: string }>['kind'],
): string | undefined {
  switch (kind) {
    case 'addConnection':
      return t('To take it back, remove the connection.');
    case 'editConnection':
      return t('It cannot be undone: earlier passwords are not kept.');
    case 'removeConnection':
      return undefined;
  }
}

/** An entry for pasting into a report. */
export function entryText(entry: ActivityEntry): string {
  const how = stateWords(entry) ?? t('done');
  return [`${titleOf(entry)}: ${how}`, ...factLines(entry).map((line) => `  ${line}`)].join('\n');
}
