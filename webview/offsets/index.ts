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
import { attempts, loader } from '../kit/attempts.ts';
import { clusterLine } from '../kit/clusterLine.ts';
import { fill, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner } from '../kit/parts.ts';
import '../kit/kit.css';
import { actionState, type Phase } from './actionState.ts';
import { chosenOf, toApply, toCommand, toExport } from './chosen.ts';
import { footer } from './footer.ts';
import { groupHeader } from './groupHeader.ts';
import { emptyTable, layOut } from './layout.ts';
import { factsReader, lookedAt } from './lookedAt.ts';
import { isKept, keptOf, withKept } from './keptRows.ts';
import {
  isReadByPlan,
  keyOf,
  type OffsetRow,
  partitionCounts,
  rowsOf,
  showResults,
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
    resetting: () => {
      phase = 'resetting';
      showActions();
    },
    status: (status) => {
      const wasDown = cluster.why !== undefined;
      cluster.show(status);
      if (wasDown && status.state === 'up') {
        scenario.readAgain();
        // The plan that was asked for meanwhile failed.
        if (group) void planAll();
      }
      // Why it is not loaded is said there, with the button that helps.
      if (!group && cluster.why !== undefined) banner.show(undefined);
      showActions();
    },
  },
  offsetsHost,
);

const saved = savedState(offsetsState);
let group: GroupSnapshot | undefined;
let rows: OffsetRow[] = [];
let looked: OffsetRow | undefined;
let undo: HistoryEntry | undefined;
let phase: Phase = 'none';

const planner = new Planner((request, signal) => host.call('plan', request, signal));
const banner = errorBanner();
const { run, act, shown } = attempts(banner);
const cluster = clusterLine(() => void act(() => host.callWithoutDeadline('bringUp', {})));
const header = groupHeader({
  onRemoveMembers: () => void act(() => host.callWithoutDeadline('removeMembers', {})),
});
const loading = loader({ banner, isDown: () => cluster.why !== undefined, load: loaded });
const scenario = scenarioChooser(
  {
    importCsv: async () => shown(await host.callWithoutDeadline('importCsv', {})),
    groups: async () => shown(await host.call('groups', {})).groups,
    history: async () => {
      // Why it is not known is said already.
      if (cluster.why !== undefined) return undefined;
      const { entries, error } = shown(await host.call('history', {}));
      return error ? undefined : entries;
    },
  },
  () => {
    for (const row of rows) row.edited = undefined;
    // What was said is of the choice before.
    if (group) banner.show(undefined);
    forgetResults();
    addGivenTopics();
    void planAll();
  },
);
const table = offsetTable({
  onSelect: () => {
    save();
    showActions();
  },
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
const readFacts = factsReader((of, signal) => host.call('look', of, signal));
const details = lookedAt(readFacts);
const card = targetCard(readFacts);
const empty = emptyTable();
const addTopic = topicChooser({
  known: () => ({ topics: group?.topics ?? [], present: rows }),
  onAskTopics: () => void run(() => readTopics()),
  onChoose: ({ name, partitionCount }) => {
    rows = withTopic(rows, name, partitionCount);
    showRows();
    void planAll();
  },
});
const scope = topicScope(() => {
  showRows();
  showActions();
});
const actions = footer({
  leading: [addTopic.element],
  onReset: () => void apply(),
  onUndo: () => void undoLast(),
  onCopyCommand: () =>
    void act(() => host.call('copyCommand', { scenario: how(), rows: toCommand(chosen()) })),
  onExport: () =>
    void act(() => host.callWithoutDeadline('exportCsv', { offsets: toExport(chosen()) })),
  onDeleteGroup: () => void act(() => host.callWithoutDeadline('deleteGroup', {})),
});

function applyGroup(next: GroupSnapshot, keepResults: boolean): void {
  const isFirst = group === undefined;
  group = next;
  document.title = t('Reset {0} @ {1}', next.group, next.cluster.name);
  rows = rowsOf(next, rows, keepResults);
  if (isFirst && saved) rows = withKept(rows, saved, partitionCounts(next));
  header.set(next);
  addGivenTopics();
  showRows();
  void planAll();
}

/** Others create topics meanwhile. */
async function readTopics(): Promise<void> {
  if (!group || cluster.why !== undefined) return;
  const { topics } = await host.call('topics', {});
  group = { ...group, topics };
  addTopic.suggestAgain();
}

/** A file may name topics that the group has no commit on. */
function addGivenTopics(): void {
  const given = scenario.scenario;
  if (given?.kind !== 'offsets' || !group) return;
  rows = withOffsets(rows, given.offsets, partitionCounts(group));
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
  const now = scenario.scenario;
  saveState(offsetsState, {
    panel: 'offsets',
    cluster: group.cluster,
    group: group.group,
    scenario: isKept(now) ? now : undefined,
    ...(now === undefined && { typed: scenario.typed }),
    undo,
    ...keptOf(rows, group),
  });
}

/** Shows the group; answers with what failed. */
async function loaded(method: 'ready' | 'load'): Promise<UserError | undefined> {
  try {
    const { group: next, error } = await host.call(method, {});
    if (next) applyGroup(next, false);
    return error;
  } finally {
    showActions();
  }
}

/** Plans every row that can be read, so that selecting more of them shows at once what would happen. */
async function planAll(): Promise<void> {
  save();
  if (!(await planner.plan(rows, scenario.scenario, (error) => banner.show(error)))) return;
  if (isReadByPlan(rows)) header.setRead();
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
  actions.update(
    actionState({
      clusterWhy: cluster.why,
      ...{ phase, group },
      rows: rowsInScope(),
      scenario: scenario.scenario,
      fault: scenario.fault,
      hasUndo: undo !== undefined,
    }),
  );
  show(empty, group !== undefined && rows.length === 0);
  show(table.element, rows.length > 0);
}

async function apply({ isUndo } = { isUndo: false }): Promise<void> {
  phase = 'asking';
  showActions();
  await run(async () => {
    const request = { scenario: how(), rows: toApply(chosen()), isUndo };
    const answer = shown(await host.callWithoutDeadline('apply', request));
    if (answer.cancelled || answer.error) return;
    undo = answer.undo;
    save();
    showResults(rows, answer.results);
    table.update();
    const failed = answer.results.filter((result) => result.error).length;
    announce(
      t('{0} reset, {1} failed', count(answer.results.length - failed, 'partition'), failed),
    );
  });
  phase = 'none';
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
  await apply({ isUndo: true });
}

layOut({
  ...{ header, empty },
  refresh: loading.element,
  ...{ scope: scope.element, scenario: scenario.element },
  notices: [cluster.element, banner.element],
  table: table.element,
  details: details.element,
  actions: actions.element,
  card: card.element,
});
undo = saved?.undo;
if (saved?.scenario) scenario.set(saved.scenario);
else if (saved?.typed) scenario.retype(saved.typed);
fill(header.title, saved ? t('Reset {0}', saved.group) : '');
void loading.load('ready');
