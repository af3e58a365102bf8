/** The offsets panel: where a group is, where it would be, and the reset. */
import {
  type GroupSnapshot,
  offsetsHost,
  offsetsState,
  offsetsView,
} from '../../src/shared/contracts/offsets.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { Combobox } from '../kit/combobox.ts';
import { button, iconButton } from '../kit/controls.ts';
import { append, fill, h, setText, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { groupHeader } from './groupHeader.ts';
import {
  applyPlan,
  keyOf,
  type OffsetRow,
  planRequests,
  rowsOf,
  whyNot,
  withTopic,
} from './model.ts';
import './offsets.css';
import { scenarioChooser } from './scenario.ts';
import { offsetTable } from './table.ts';

const TOPICS_OFFERED = 50;

const host = connect(offsetsView, { group: (next) => applyGroup(next, true) }, offsetsHost);

let group: GroupSnapshot | undefined;
let rows: OffsetRow[] = [];
let planning: AbortController | undefined;
let isApplying = false;

const banner = errorBanner();
const header = groupHeader();
const refresh = iconButton({ label: 'Refresh', icon: 'refresh', onClick: () => void load('load') });
const scenario = scenarioChooser(() => {
  for (const row of rows) row.edited = undefined;
  forgetResults();
  void planAll();
});
const table = offsetTable({
  onSelect: () => showActions(),
  onTarget: (row, offset) => {
    row.edited = offset;
    forgetResults();
    void planAll();
  },
});
const addTopic = new Combobox({
  label: 'Add a topic',
  placeholder: 'Add a topic …',
  class: 'add-topic',
  suggest: (text) => topicsToAdd(text),
  explain: (text) =>
    text.trim() !== '' && topicsToAdd(text).length === 0
      ? { text: 'No other topic has this in its name.', isProblem: false }
      : undefined,
  onCommit: (name) => addRowsOf(name),
});
const reset = button({ label: 'Reset', primary: true, onClick: () => void apply() });
const reason = h('span', { class: 'dim', role: 'status' });
const totals = h('span', { class: 'dim' });

function topicsToAdd(text: string): { text: string; meaning: string }[] {
  const present = new Set(rows.map((row) => row.topic));
  const wanted = text.trim().toLowerCase();
  return (group?.topics ?? [])
    .filter(({ name }) => !present.has(name) && name.toLowerCase().includes(wanted))
    .slice(0, TOPICS_OFFERED)
    .map(({ name, partitionCount }) => ({
      text: name,
      meaning: count(partitionCount, 'partition'),
    }));
}

function addRowsOf(name: string): void {
  const topic = group?.topics.find((each) => each.name === name);
  addTopic.setProblem(topic ? undefined : 'There is no such topic; choose one of the list.');
  if (!topic) return;
  addTopic.value = '';
  rows = withTopic(rows, topic.name, topic.partitionCount);
  table.setRows(rows);
  void planAll();
}

function applyGroup(next: GroupSnapshot, keepResults: boolean): void {
  group = next;
  document.title = `Reset ${next.group} @ ${next.cluster.name}`;
  rows = rowsOf(next, rows, keepResults);
  header.set(next);
  table.setRows(rows);
  save();
  void planAll();
}

function save(): void {
  if (!group) return;
  saveState(offsetsState, {
    panel: 'offsets',
    cluster: group.cluster,
    group: group.group,
    scenario: scenario.scenario,
  });
}

async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    banner.show(toUserError(error));
  }
}

async function load(method: 'ready' | 'load'): Promise<void> {
  refresh.setDisabled('Refreshing …');
  await run(async () => {
    const { group: loaded, error } = await host.call(method, {});
    banner.show(error);
    if (loaded) applyGroup(loaded, false);
  });
  refresh.setDisabled(undefined);
  showActions();
}

/** Plans every row that can be read, so that selecting more of them shows at once what would happen. */
async function planAll(): Promise<void> {
  save();
  planning?.abort();
  const { signal } = (planning = new AbortController());
  const requests = planRequests(rows, scenario.scenario);
  try {
    const plans = await Promise.all(requests.map((each) => host.call('plan', each, signal)));
    for (const row of rows) row.plan = undefined;
    for (const { rows: planned, error } of plans) {
      if (error) banner.show(error);
      applyPlan(rows, planned);
    }
  } catch (error) {
    if (signal.aborted) return;
    banner.show(toUserError(error));
  }
  table.update();
  showActions();
}

/** What a person changes is another plan: the results of the last one no longer stand beside it. */
function forgetResults(): void {
  for (const row of rows) row.result = undefined;
}

function selectedWithPlan(): { row: OffsetRow; target: string }[] {
  return rows.flatMap((row) => (row.selected && row.plan ? { row, target: row.plan.target } : []));
}

function showActions(): void {
  const chosen = selectedWithPlan();
  const why = isApplying ? 'Resetting …' : whyNot(group, rows);
  reset.setLabel(`Reset ${count(chosen.length, 'partition')}`);
  reset.setDisabled(why);
  setText(reason, why ?? '');
  setText(
    totals,
    rows.length === 0 ? '' : `${chosen.length} of ${count(rows.length, 'partition')}`,
  );
  show(empty, rows.length === 0);
}

async function apply(): Promise<void> {
  isApplying = true;
  showActions();
  await run(async () => {
    const wanted = selectedWithPlan().map(({ row, target }) => ({
      topic: row.topic,
      partition: row.partition,
      committed: row.committed ?? null,
      target,
    }));
    const { cancelled, results, error } = await host.callWithoutDeadline('apply', { rows: wanted });
    banner.show(error);
    if (!cancelled) showResults(results, error);
  });
  isApplying = false;
  showActions();
}

function showResults(
  results: readonly NonNullable<OffsetRow['result']>[],
  error: UserError | undefined,
): void {
  const byKey = new Map(results.map((result) => [keyOf(result), result]));
  for (const row of rows) {
    const result = byKey.get(keyOf(row));
    if (!result) continue;
    row.result = result;
    if (result.error) continue;
    row.committed = result.committed;
    row.lag =
      result.committed === null || row.end === undefined
        ? null
        : (BigInt(row.end) - BigInt(result.committed)).toString();
  }
  table.update();
  const failed = results.filter((result) => result.error).length;
  if (error === undefined) {
    announce(`${count(results.length - failed, 'partition')} reset, ${failed} failed`);
  }
}

const empty = h(
  'p',
  { class: 'dim no-rows', hidden: true },
  'This group has no committed offsets. Add a topic to give it some.',
);

append(
  document.body,
  h(
    'header',
    { class: 'toolbar' },
    header.title,
    refresh.element,
    h('span', { class: 'spring' }),
    h('span', { class: 'labelled' }, h('span', { class: 'dim' }, 'reset'), scenario.element),
  ),
  banner.element,
  header.details,
  h('main', { class: 'offsets' }, table.element, empty),
  h(
    'footer',
    { class: 'actions' },
    addTopic.element,
    totals,
    h('span', { class: 'spring' }),
    reason,
    reset.element,
  ),
);
const saved = savedState(offsetsState);
if (saved?.scenario) scenario.set(saved.scenario);
fill(header.title, saved ? `Reset ${saved.group}` : '');
void load('ready');
