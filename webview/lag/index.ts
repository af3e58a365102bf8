/** The lag panel: how far a group is behind, what that is made of, and how it went. */
import '../kit/language.ts';
import {
  type Isolation,
  type LagGroup,
  lagHost,
  type LagPartition,
  lagState,
  lagView,
  type ReadablePartition,
} from '../../src/shared/contracts/lag.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { t } from '../../src/base/l10n.ts';
import { attempts, loader } from '../kit/attempts.ts';
import { clusterLine } from '../kit/clusterLine.ts';
import { button, dropdown } from '../kit/controls.ts';
import { append, h, setText, show } from '../kit/dom.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, segmented, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { details } from './details.ts';
import { groupTitle, nothingWords } from './groupTitle.ts';
import { historyView } from './history.ts';
import { lookBar } from './lookBar.ts';
import { chartedOf, keyOf, lagOf, type TopicPartition } from './model.ts';
import { partitionList } from './partitionList.ts';
import './lag.css';
import { toKeep, withSeenBefore } from './seenBefore.ts';
import { summary } from './summary.ts';
import { topicFilter } from './topicFilter.ts';
import { watchBox } from './watchBox.ts';

const windows = { 300_000: t('5 min'), 3_600_000: t('1 h') } as const;

const host = connect(
  lagView,
  {
    group: (next) => {
      // It could not be loaded before: what was said of that is over.
      if (!group) banner.show(undefined);
      if (!isPaused) applyGroup(next);
    },
    lookProgress: ({ done, total }) => look.progress(done, total),
    topic: ({ topic }) => {
      filter.topic = topic;
      showAll();
    },
    status: (status) => {
      cluster.show(status);
      // Why it is not loaded is said there, with the button that helps.
      if (!group && cluster.why !== undefined) banner.show(undefined);
      showStale();
    },
  },
  lagHost,
);

const saved = savedState(lagState);
let group: LagGroup | undefined;
let isolation: Isolation = saved?.isolation ?? 'read_uncommitted';
let windowMs = saved?.windowMs === 3_600_000 ? 3_600_000 : 300_000;
let isPaused = false;
/** What was shown before a reload, and what is kept for after the next one. */
const before = saved?.seen;
let seen = before;
let looking: AbortController | undefined;
/** What the last look found, by partition. */
const looked = new Map<string, ReadablePartition>();

const banner = errorBanner();
const { act } = attempts(banner);
const cluster = clusterLine(() => void act(() => host.callWithoutDeadline('bringUp', {})));
const title = groupTitle(saved?.group ?? '');
const loading = loader({ banner, isDown: () => cluster.why !== undefined, load: loaded });
const pause = button({ label: t('Pause'), icon: 'pause', onClick: () => setPaused(!isPaused) });
const level = dropdown<Isolation>({
  label: t('The end is'),
  choices: [
    { value: 'read_uncommitted', text: t('high watermark') },
    { value: 'read_committed', text: t('last stable offset') },
  ],
  value: isolation,
  onChange: (value) => {
    isolation = value;
    showAll();
  },
});
const range = segmented<string>({
  label: t('Window'),
  choices: Object.entries(windows).map(([value, text]) => ({ value, text })),
  value: String(windowMs),
  onChange: (value) => {
    windowMs = Number(value);
    save();
    void showHistory();
  },
});
const filter = topicFilter(() => showAll());
const watch = watchBox((next) => void act(() => host.call('setWatch', next)));
const reset = button({
  label: t('Reset offsets...'),
  onClick: () => void act(() => host.call('resetOffsets', {})),
});
const figures = summary((row) => list.select(keyOf(row)));
const history = historyView({ onCopy: (text) => void act(() => host.call('copy', { text })) });
const look = lookBar({ onLook: () => void lookAtAll(), onCancel: () => looking?.abort() });
const list = partitionList({
  onSelect: () => {
    showDetails();
    void showHistory();
  },
  onOpen: (row) => void tail(row),
});
const partition = details({
  isolation: () => isolation,
  onTail: (row) => void tail(row),
  actions: [reset.element],
});
const empty = h('p', { class: 'dim no-rows', hidden: true });
const stale = h('p', { class: 'stale', role: 'status', hidden: true });

function tail({ topic, partition: index }: TopicPartition): Promise<void> {
  return act(() => host.call('tail', { topic, partition: index }));
}

function setPaused(paused: boolean): void {
  isPaused = paused;
  pause.setLabel(paused ? t('Go on') : t('Pause'), paused ? 'play' : 'pause');
  announce(paused ? t('Paused; samples are still taken') : t('Live'));
  if (!paused) void loading.load('ready');
}

function applyGroup(next: LagGroup): void {
  group = next;
  document.title = t('Lag of {0} @ {1}', next.group, next.cluster.name);
  showAll();
}

function rowsShown(): LagPartition[] {
  return (group?.partitions ?? []).filter(({ topic }) => filter.includes(topic));
}

function showAll(): void {
  if (!group) return;
  save();
  filter.offer(group.partitions.map(({ topic }) => topic));
  const rows = rowsShown();
  title.set(group);
  figures.update(group, rows, isolation);
  list.setRows(
    rows.map((row) => ({ row, readable: looked.get(keyOf(row)) })),
    { isolation, atMs: group.atMs },
  );
  watch.set(group.watch, group.isAlarmed);
  reset.setDisabled(
    group.cluster.readOnly ? t('{0} is marked read-only.', group.cluster.name) : undefined,
  );
  const isBehind = rows.some((row) => (lagOf(row, 'read_uncommitted') ?? 0n) > 0n);
  look.setReason(isBehind ? undefined : t('Nothing is behind.'));
  showStale();
  const hasRows = rows.length > 0;
  setText(empty, hasRows ? '' : nothingWords(group));
  show(empty, !hasRows);
  for (const part of [list.element, history.element, overview]) show(part, hasRows);
  showDetails();
  void showHistory();
}

/** Where the cluster is down, its own line says so. */
function showStale(): void {
  const problem = cluster.why === undefined ? group?.problem : undefined;
  setText(stale, problem ? t('Not up to date: {0}', problem.message) : '');
  show(stale, problem !== undefined);
}

function showDetails(): void {
  const row = rowsShown().find((each) => keyOf(each) === list.selected);
  partition.update(row, row && looked.get(keyOf(row)), group?.atMs ?? 0);
}

async function showHistory(): Promise<void> {
  if (!group) return;
  const of = chartedOf(rowsShown(), isolation, list.selected);
  const nameOf = ({ topic, partition: index }: TopicPartition): string => `${topic} ${index}`;
  try {
    const sinceMs = group.atMs - windowMs;
    const found = await host.call('series', { sinceMs, isolation, of });
    const { total, partitions } = withSeenBefore(before, { ...found, sinceMs, isolation });
    seen = toKeep({ total, partitions, sinceMs, isolation });
    const selected = of.find((each) => keyOf(each) === list.selected);
    history.set({
      total,
      partitions: partitions.map((each) => ({ name: nameOf(each), points: each.points })),
      selected: selected && nameOf(selected),
    });
  } catch (error) {
    banner.show(toUserError(error));
  }
}

async function lookAtAll(): Promise<void> {
  looking?.abort();
  const { signal } = (looking = new AbortController());
  look.setRunning(true);
  try {
    const wanted = rowsShown().map(({ topic, partition: index }) => ({ topic, partition: index }));
    const found = await host.callWithoutDeadline('look', { partitions: wanted }, signal);
    banner.show(found.error);
    for (const each of found.partitions) looked.set(keyOf(each), each);
    announce(t('Counted'));
  } catch (error) {
    if (!signal.aborted) banner.show(toUserError(error));
  }
  look.setRunning(false);
  showAll();
}

/** Shows the group; answers with what failed. */
async function loaded(method: 'ready' | 'load'): Promise<UserError | undefined> {
  const { group: next, topic, error } = await host.call(method, {});
  if (topic !== undefined && method === 'ready') filter.topic ??= topic;
  if (next) applyGroup(next);
  return error;
}

function save(): void {
  if (!group) return;
  const { cluster, group: name } = group;
  const { topic } = filter;
  const state = { panel: 'lag', cluster, group: name, isolation, windowMs, topic, seen } as const;
  saveState(lagState, state);
}

const overview = h('div', { class: 'overview' }, figures.element, look.element);
append(
  document.body,
  h(
    'header',
    { class: 'toolbar' },
    title.element,
    loading.element,
    pause.element,
    h('span', { class: 'spring' }),
    filter.element,
    h('span', { class: 'labelled' }, h('span', { class: 'dim' }, t('end')), level.element),
    range.element,
    watch.element,
  ),
  cluster.element,
  banner.element,
  stale,
  h('main', { class: 'lag' }, overview, history.element, list.element, partition.element, empty),
);
if (saved?.topic !== undefined) filter.topic = saved.topic;
void loading.load('ready');
