/** The offsets panel: where a group is, where it would be, the reset, and the way back. */
import '../kit/language.ts';
import { t } from '../../src/base/l10n.ts';
import {
  type GroupSnapshot,
  type HistoryEntry,
  offsetsHost,
  offsetsState,
  offsetsView,
  type ResetScenario,
} from '../../src/shared/contracts/offsets.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { iconButton } from '../kit/controls.ts';
import { append, fill, h, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { changingOf, chosenOf, toApply, toCommand, toExport } from './chosen.ts';
import { footer } from './footer.ts';
import { groupHeader } from './groupHeader.ts';
import { lookedAt, type ReadFacts } from './lookedAt.ts';
import {
  keyOf,
  type OffsetRow,
  rowsOf,
  showResults,
  whyNot,
  whyNotDelete,
  withOffsets,
  withTopic,
} from './model.ts';
import './offsets.css';
import { Planner } from './planner.ts';
import { scenarioChooser } from './scenario.ts';
import { offsetTable } from './table.ts';
import { targetCard } from './targetCard.ts';
import { topicChooser, topicScope } from './topics.ts';

const host = connect(
  offsetsView,
  {
    group: (next) => {
      // It could not be loaded before: what was said of that is over.
      if (!group) banner.show(undefined);
      applyGroup(next, true);
    },
  },
  offsetsHost,
);

let group: GroupSnapshot | undefined;
let rows: OffsetRow[] = [];
let looked: OffsetRow | undefined;
let undo: HistoryEntry | undefined;
let isApplying = false;

const planner = new Planner((request, signal) => host.call('plan', request, signal));
const banner = errorBanner();
const header = groupHeader({
  onRemoveMembers: () => void act(() => host.callWithoutDeadline('removeMembers', {})),
});
const refresh = iconButton({
  label: t('Refresh'),
  icon: 'refresh',
  onClick: () => void load('load'),
});
const scenario = scenarioChooser(
  {
    importCsv: async () => shown(await host.callWithoutDeadline('importCsv', {})),
    groups: async () => shown(await host.call('groups', {})).groups,
    history: async () => shown(await host.call('history', {})).entries,
  },
  () => {
    for (const row of rows) row.edited = undefined;
    forgetResults();
    addGivenTopics();
    void planAll();
  },
);
const table = offsetTable({
  onSelect: () => showActions(),
  onTarget: (row, offset) => {
    row.edited = offset;
    forgetResults();
    void planAll();
  },
  onLook: (row) => {
    looked = row;
    details.look(row);
  },
  onHover: (row, at) => (at ? card.rest(row, at) : card.leave()),
});
const readFacts: ReadFacts = async ({ topic, partition, committed = null }, target, signal) => {
  const { facts, error } = await host.call('look', { topic, partition, committed, target }, signal);
  if (!facts) throw new Error(error?.message ?? t('The record could not be read.'));
  return facts;
};
const details = lookedAt(readFacts);
const card = targetCard(readFacts);
const addTopic = topicChooser(
  () => ({ topics: group?.topics ?? [], present: rows }),
  ({ name, partitionCount }) => {
    rows = withTopic(rows, name, partitionCount);
    showRows();
    void planAll();
  },
);
const scope = topicScope(() => {
  showRows();
  showActions();
});
const actions = footer({
  leading: [addTopic],
  onReset: () => void apply(),
  onUndo: () => void undoLast(),
  onCopyCommand: () =>
    void act(() => host.call('copyCommand', { scenario: how(), rows: toCommand(chosen()) })),
  onExport: () =>
    void act(() => host.callWithoutDeadline('exportCsv', { offsets: toExport(chosen()) })),
  onDeleteGroup: () => void act(() => host.callWithoutDeadline('deleteGroup', {})),
});

/** An answer, with what failed of it said. */
function shown<T extends { error?: UserError | undefined }>(answer: T): T {
  banner.show(answer.error);
  return answer;
}

async function act(call: () => Promise<{ error?: UserError | undefined }>): Promise<void> {
  await run(async () => void shown(await call()));
}

async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    banner.show(toUserError(error));
  }
}

function applyGroup(next: GroupSnapshot, keepResults: boolean): void {
  group = next;
  document.title = t('Reset {0} @ {1}', next.group, next.cluster.name);
  rows = rowsOf(next, rows, keepResults);
  header.set(next);
  addGivenTopics();
  showRows();
  void planAll();
}

/** A file may name topics that the group has no commit on. */
function addGivenTopics(): void {
  const given = scenario.scenario;
  if (given?.kind !== 'offsets' || !group) return;
  const counts = new Map(group.topics.map((topic) => [topic.name, topic.partitionCount]));
  rows = withOffsets(rows, given.offsets, counts);
  showRows();
}

function showRows(): void {
  scope.offer(rows.map(({ topic }) => topic));
  table.setRows(rowsInScope());
  if (!rows.some((row) => row === looked)) details.look((looked = undefined));
}

function rowsInScope(): OffsetRow[] {
  return rows.filter(({ topic }) => scope.includes(topic));
}

function save(): void {
  if (!group) return;
  const { cluster, group: name } = group;
  const now = scenario.scenario;
  // The content of a file is read again from the file.
  const kept = now?.kind === 'offsets' ? undefined : now;
  saveState(offsetsState, { panel: 'offsets', cluster, group: name, scenario: kept });
}

async function load(method: 'ready' | 'load'): Promise<void> {
  refresh.setDisabled(t('Refreshing …'));
  await run(async () => {
    const { group: loaded } = shown(await host.call(method, {}));
    if (loaded) applyGroup(loaded, false);
  });
  refresh.setDisabled(undefined);
  showActions();
}

/** Plans every row that can be read, so that selecting more of them shows at once what would happen. */
async function planAll(): Promise<void> {
  save();
  const isPlanned = await planner.plan(rows, scenario.scenario, (error) => banner.show(error));
  if (!isPlanned) return;
  table.update();
  details.look(looked);
  showActions();
}

/** What a person changes is another plan: the results of the last one no longer stand beside it. */
function forgetResults(): void {
  for (const row of rows) row.result = undefined;
}

function chosen(): ReturnType<typeof chosenOf> {
  return chosenOf(rowsInScope());
}

/** What was chosen; offsets alone are a scenario of their own. */
function how(): ResetScenario {
  return scenario.scenario ?? { kind: 'offsets', offsets: [] };
}

function showActions(): void {
  const inScope = rowsInScope();
  const planned = chosen();
  actions.update({
    scenario: scenario.scenario,
    chosen: planned.length,
    changing: changingOf(planned),
    shown: inScope.length,
    why: isApplying ? t('Resetting …') : whyNot(group, inScope, scenario.scenario),
    whyNotDelete: whyNotDelete(group),
    canUndo: undo !== undefined && !isApplying,
  });
  show(empty, group !== undefined && rows.length === 0);
  show(table.element, rows.length > 0);
}

async function apply(): Promise<void> {
  isApplying = true;
  showActions();
  await run(async () => {
    const answer = shown(
      await host.callWithoutDeadline('apply', { scenario: how(), rows: toApply(chosen()) }),
    );
    if (answer.cancelled || answer.error) return;
    undo = answer.undo;
    showResults(rows, answer.results);
    table.update();
    const failed = answer.results.filter((result) => result.error).length;
    announce(
      t('{0} reset, {1} failed', count(answer.results.length - failed, 'partition'), failed),
    );
  });
  isApplying = false;
  showActions();
}

/** Plans the way back of the last reset, and asks for it at once. */
async function undoLast(): Promise<void> {
  if (!undo) return;
  scenario.set({ kind: 'restore', id: undo.id });
  for (const row of rows) row.edited = row.result = undefined;
  await planAll();
  const earlier = new Set(rows.filter((row) => row.plan).map(keyOf));
  for (const row of rows) row.selected = earlier.has(keyOf(row));
  table.update();
  await apply();
}

const empty = h(
  'p',
  { class: 'dim no-rows', hidden: true },
  t('This group has no committed offsets. Add a topic to give it some.'),
);

append(
  document.body,
  h(
    'header',
    { class: 'toolbar' },
    header.title,
    refresh.element,
    h('span', { class: 'spring' }),
    scope.element,
    h('span', { class: 'labelled' }, h('span', { class: 'dim' }, t('reset')), scenario.element),
  ),
  banner.element,
  header.details,
  h('main', { class: 'offsets' }, table.element, empty),
  details.element,
  actions.element,
  card.element,
);
const saved = savedState(offsetsState);
if (saved?.scenario) scenario.set(saved.scenario);
fill(header.title, saved ? t('Reset {0}', saved.group) : '');
void load('ready');
