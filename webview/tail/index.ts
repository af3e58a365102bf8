/** The tail panel: records as they arrive, and the one that is looked at. */
import '../kit/language.ts';
import { t } from '../../src/base/l10n.ts';
import { copiedLengthMax } from '../../src/shared/contracts/common.ts';
import type { DecoderKind, PayloadField } from '../../src/shared/contracts/decoders.ts';
import {
  type DecoderLabels,
  tailHost,
  type TailSetup,
  tailState,
  tailView,
} from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { FilterShow, TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { button, iconButton } from '../kit/controls.ts';
import { append, fill, h, setText, show } from '../kit/dom.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, errorWords, splitter, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import {
  boundedWidth,
  ColumnChooser,
  columnParts,
  DEFAULT_COLUMNS,
  listColumns,
  shownColumns,
  sortByOf,
} from './columns.ts';
import { DetailsPane } from './details.ts';
import { FilterInput } from './filterInput.ts';
import { HistogramView } from './histogram.ts';
import { partitionChooser } from './partitionChooser.ts';
import { Place } from './keptPlace.ts';
import { PauseButton } from './pauseButton.ts';
import { SoughtPosition } from './position.ts';
import { draggedFrom } from './recordDrag.ts';
import { recordList } from './recordList.ts';
import { Repeated } from './repeated.ts';
import { RowOrder } from './rowOrder.ts';
import { RowCache } from './rowCache.ts';
import { scopeChooser } from './scopeChooser.ts';
import { seekInput } from './seekInput.ts';
import { StableLine } from './stableLine.ts';
import { emptyWords, statusWords } from './statusWords.ts';
import './tail.css';

const host = connect(
  tailView,
  { progress: (progress) => showProgress(progress), setup: (next) => applySetup(next) },
  tailHost,
);

const AUTOMATIC: DecoderLabels = {
  key: { kind: 'auto', label: t('Automatic') },
  value: { kind: 'auto', label: t('Automatic') },
  headers: { kind: 'auto', label: t('Automatic') },
};

const COUNT_EVERY_MS = 500;

let setup: TailSetup | undefined;
let session = -1;
/** The next session shows the same records, read in another way: the one that is looked at stays. */
let keepsDetails = false;
let state: TailProgress['state'] | undefined;
let transactionsEnded = 0;
/** The session's own error is in the banner. */
let hadError = false;
let isSeeking = false;
let seekCount = 0;
/** A record to select as soon as its row is here. */
let toOpen: TailSetup['open'];
/** What an earlier page kept. */
const kept = savedState(tailState);

const banner = errorBanner();
const title = h('div', { class: 'title' });
const pause = new PauseButton((paused) => run(() => host.call('setPaused', { paused })));
const seek = seekInput((from) => chooseStart(from));
const partitions = partitionChooser((chosen) => chooseStart(setup?.from ?? 'latest', chosen));
const scope = scopeChooser(() => chooseStart(setup?.from ?? 'latest'));
const filter = new FilterInput({
  onFilter: (text, show) => void setFilter(text, show, setup?.within),
  check: async (text) => (await host.call('checkFilter', { filter: text })).problem,
});
const order = new RowOrder({
  sort: async (wanted) =>
    (await host.callWithoutDeadline('setOrder', { ...(wanted && { order: wanted }) })).error,
  onError: (error) => banner.show(error),
  onChange: () => showOrder(),
});
const histogram = new HistogramView({
  onBrush: (within) => void setFilter(filter.value, 'matched', within),
});
const columns = new ColumnChooser({
  onChange: () => useColumns(),
  widthOf: (column) => list.widthOf(column),
});
columns.columns = kept?.columns ?? DEFAULT_COLUMNS;
const link = iconButton({
  label: t('Copy a link that opens this view, with the record that is open'),
  icon: 'link',
  onClick: () => void copyLink(),
});
const exporter = button({
  label: t('Export …'),
  title: t('Write records to a file, as JSON lines or CSV'),
  onClick: () => void exportRecords(),
});
const replayer = button({
  label: t('Replay …'),
  title: t('Write the records that are shown to a topic of this or another cluster, byte for byte'),
  onClick: () => void replay(),
});
const stable = new StableLine();
const stateText = h('span', { class: 'state' });
const figures = h('span', { class: 'figures' });
const toNewest = button({
  label: t('Jump to newest'),
  icon: 'toEnd',
  onClick: () => list.followEnd(),
});
const empty = h('div', { class: 'empty', hidden: true });

const cache = new RowCache({
  // In another order each row may be of another batch, which has to be unpacked.
  ahead: () => (order.isSorted ? 20 : 100),
  fetch: (of, first, count) =>
    host.call('rows', { session: of, first, count, parts: columnParts(columns.columns) }),
  onRows: () => {
    list.refresh();
    openWanted();
    openAwaited();
  },
  onError: (error) => banner.show(toUserError(error)),
});

const list = recordList({
  record: (row) => cache.get(row),
  columns: () => columns.columns,
  onView: (first, end) => {
    cache.setView(first, end);
    notePlace();
  },
  onResize: (shown, width) => {
    const column = shownColumns(columns.columns)[shown];
    columns.columns = columns.columns.map((old) =>
      old === column ? { ...old, width: boundedWidth(width) } : old,
    );
    useColumns();
  },
  onSelect: (row) => void openDetails(row),
  onOpen: (row) => void openDetails(row, true),
  onFollow: () => showToNewest(),
  onSort: (shown) => {
    const column = shownColumns(columns.columns)[shown];
    const by = column && sortByOf(column);
    if (by) order.turn(by);
  },
  dragged: (row) => {
    const record = cache.get(row);
    return setup && record && draggedFrom(setup, record);
  },
  onEscape: () => {
    if (order.order) void order.set(undefined);
  },
});

const find = async (of: number, place: RecordPlace): Promise<number | undefined> =>
  (await host.call('findRow', { session: of, ...place })).row;
const wanted = new SoughtPosition({ find, onFound: (row) => list.select(row) });
const place = new Place(kept?.at, {
  find,
  onFound: (row) => list.showAtTop(row),
  onChange: () => keep(),
  from: () => setup?.from ?? 'latest',
  seek: (from) => void startFrom(from, setup?.partitions ?? []),
});

const details = new DetailsPane({
  load: (partition, offset, signal) => host.call('details', { partition, offset }, signal),
  onCompare: (left, right) =>
    void run(async () => {
      const { error } = await host.call('compare', { left, right });
      if (error) banner.show(error);
    }),
  divider: splitter(t('Height of the record pane'), (pixels) => resizeDetails(pixels)),
  onCopy: (text) => void copy(text),
  onProduceAgain: ({ partition, offset }, forms) =>
    void run(async () => {
      const { error } = await host.call('produceAgain', { partition, offset, ...forms });
      if (error) banner.show(error);
    }),
  onReplay: ({ partition, offset }) => void replay({ partition, offset }),
  decoders: () => ({
    labels: setup?.decoders ?? AUTOMATIC,
    onChoose: (field, kind) => void setDecoder(field, kind),
  }),
  onClose: (hadFocus) => {
    if (hadFocus) list.element.focus();
  },
});

function resizeDetails(pixels: number): number {
  const whole = document.body.clientHeight;
  const height = Math.max(80, Math.min(details.element.offsetHeight - pixels, whole - 160));
  details.element.style.height = `${height}px`;
  return 1 - height / whole;
}

async function run(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    banner.show(toUserError(error));
  }
}

/** A row that was chosen before it was here: it is opened as soon as it is. */
let awaited: { readonly row: number; readonly focus: boolean } | undefined;

async function openDetails(row: number, focus = false): Promise<void> {
  const record = cache.get(row);
  awaited = record ? undefined : { row, focus: focus || (awaited?.row === row && awaited.focus) };
  if (!record) return;
  if (record.note === undefined) await details.open(record.partition, record.offset);
  else details.openNote(record.note);
  if (!focus) return;
  const find = (selector: string): HTMLElement | null => details.element.querySelector(selector);
  (find('pre') ?? find('vscode-button'))?.focus();
}

function openAwaited(): void {
  if (awaited && cache.get(awaited.row)) void openDetails(awaited.row, awaited.focus);
}

function useColumns(): void {
  list.setColumns(listColumns(columns.columns, order.order));
  cache.forgetWhere(() => true);
  keep();
}

async function copyLink(): Promise<void> {
  await run(async () => {
    const { error } = await host.call('copyLink', { record: details.shown });
    if (error) banner.show(error);
    else announce(t('Copied'));
  });
}

/** Where the list stands, unless it follows its end or is in another order than the log. */
function notePlace(): void {
  if (order.isSorted) return;
  const top = list.following ? undefined : cache.get(list.topRow);
  if (top !== undefined || list.following) place.note(top);
}

function showOrder(): void {
  list.setColumns(listColumns(columns.columns, order.order));
  list.label = order.isSorted ? t('Records, sorted') : t('Records, oldest first');
  showToNewest();
}

function showToNewest(): void {
  show(toNewest.element, !list.following && !order.isSorted);
}

function openWanted(): void {
  const row = toOpen && cache.find(toOpen.partition, toOpen.offset);
  if (row === undefined) return;
  toOpen = undefined;
  list.select(row);
}

async function copy(text: string): Promise<void> {
  if (text.length > copiedLengthMax) {
    banner.show({
      message: t('This is too long for the clipboard.'),
      hint: t('Export the record to a file instead.'),
    });
    return;
  }
  await run(async () => {
    await host.call('copy', { text });
    announce(t('Copied'));
  });
}

/** As the person wants it: what was kept of an earlier page is not sought any more. */
function chooseStart(from: string, chosen = setup?.partitions ?? []): void {
  place.forget();
  void startFrom(from, chosen);
}

async function startFrom(from: string, chosen: number[]): Promise<void> {
  isSeeking = true;
  const mine = ++seekCount;
  await run(async () => {
    const wanted = { from, partitions: chosen, scope: scope.value };
    const { error } = await host.call('seek', wanted);
    // A newer one is under way, and what it asks for is what is shown.
    if (mine !== seekCount) return;
    seek.setProblem(error && errorWords(error));
    if (error) banner.show(undefined);
    else if (setup) applySetup({ ...setup, ...wanted, paused: false, open: undefined });
    if (error && setup) scope.value = setup.scope;
  });
  isSeeking = false;
}

async function setDecoder(field: PayloadField, kind: DecoderKind): Promise<void> {
  await run(async () => {
    keepsDetails = details.shown !== undefined;
    // Asks for a schema, which may take a person a while.
    const { decoders, error } = await host.callWithoutDeadline('setDecoder', { field, kind });
    if (error) banner.show(error);
    if (!decoders) keepsDetails = false;
    if (decoders && setup) {
      setup = { ...setup, decoders };
      cache.forgetWhere(() => true);
    }
    await details.reload();
  });
  await order.again();
}

async function exportRecords(): Promise<void> {
  await run(async () => {
    const { error } = await host.callWithoutDeadline('exportRecords', {});
    if (error) banner.show(error);
  });
}

/** One record, or all that are shown. */
async function replay(record?: { partition: number; offset: string }): Promise<void> {
  await run(async () => {
    const { error } = await host.callWithoutDeadline('replay', { record });
    banner.show(error);
  });
}

async function setFilter(text: string, show: FilterShow, within?: TimeSpan): Promise<void> {
  await run(async () => {
    const { error } = await host.call('setFilter', {
      filter: text,
      show,
      ...(within && { within }),
    });
    filter.setProblem(error && errorWords(error));
    if (error || !setup) return;
    filter.value = text;
    applySetup({ ...setup, filter: text, within, paused: pause.isPaused, open: undefined });
    await counting.now();
  });
  await order.again();
}

/** Counts are looked at again when they may have changed, but not more often than a person can follow. */
const counting = new Repeated(COUNT_EVERY_MS, async () => {
  const { histogram: counts } = await host.call('histogram', {});
  histogram.set(counts, setup?.within);
});

function applySetup(next: TailSetup): void {
  setup = next;
  document.title = `${next.topic} @ ${next.cluster.name}`;
  toOpen = next.open ?? toOpen;
  wanted.seek(toOpen);
  fill(title, h('strong', {}, next.topic), h('span', { class: 'dim' }, `@ ${next.cluster.name}`));
  seek.value = next.from;
  partitions.set(next.partitionCount, next.partitions);
  scope.value = next.scope;
  filter.value = next.filter;
  pause.show(next.paused);
  keep();
}

/** What a page that comes after this one starts from. */
function keep(): void {
  if (!setup) return;
  const { cluster, topic, from, partitions: chosen, scope: reads, filter: text } = setup;
  saveState(tailState, {
    panel: 'tail',
    cluster,
    topic,
    from,
    partitions: chosen,
    scope: reads,
    filter: text,
    within: setup.within,
    columns: [...columns.columns],
    at: place.at,
  });
}

function showProgress(progress: TailProgress): void {
  if (progress.session !== session) {
    session = progress.session;
    if (!keepsDetails) details.close();
    keepsDetails = false;
    awaited = undefined;
    list.reset({ atEnd: progress.sorted === undefined });
    cache.reset(session);
  }
  const words = statusWords(progress);
  setText(stateText, words.state);
  stateText.dataset['state'] = progress.state;
  setText(figures, words.figures.join(' · '));
  figures.title = words.memory;
  filter.setProgress(progress.filter);
  order.onProgress(progress);
  stable.set(progress.heldBy);
  noteCounts(progress);
  if (state !== undefined && state !== progress.state) announce(words.state);
  state = progress.state;
  showError(progress);
  const end = progress.dropped + progress.held;
  if (progress.transactionsEnded !== transactionsEnded) {
    transactionsEnded = progress.transactionsEnded;
    cache.forgetWhere(({ transaction }) => transaction === 'open');
  }
  list.setRows(progress.dropped, end);
  cache.setHeld(progress.dropped, end);
  void run(() => wanted.onProgress(progress));
  if (!order.isSorted) void run(() => place.onProgress(progress));
  showEmpty(progress);
}

let counted = '';

function noteCounts({ session: of, held, dropped, filter: filtering }: TailProgress): void {
  const now = [of, held, dropped, filtering?.matched, filtering?.elsewhen].join();
  if (now === counted) return;
  counted = now;
  counting.soon();
}

function showError({ error: failure, state: now, filter: filtering }: TailProgress): void {
  const error = failure ?? filtering?.problem;
  const again = (): void =>
    void (setup && setup.partitions.length > 0 ? startFrom(setup.from, setup.partitions) : load());
  // What is wrong with a seek is said at its input, and nowhere else.
  if (error && isSeeking) return;
  if (error)
    banner.show(error, now === 'failed' ? { label: t('Start again'), onClick: again } : undefined);
  else if (hadError) banner.show(undefined);
  hadError = error !== undefined;
}

async function load(): Promise<void> {
  await run(async () => applySetup(await host.call('ready', {})));
}

function showEmpty(progress: TailProgress): void {
  const { held, state: now } = progress;
  show(empty, held === 0 && now !== 'failed');
  if (held > 0) return;
  const isFiltered = Boolean(setup?.filter) || setup?.within !== undefined;
  setText(empty, emptyWords(progress, { topic: setup?.topic, isFiltered }));
}

show(toNewest.element, false);
append(
  document.body,
  h(
    'header',
    { class: 'toolbar' },
    title,
    pause.element,
    h('label', { class: 'labelled' }, h('span', { class: 'dim' }, t('from')), seek.element),
    partitions.element,
    scope.element,
    h(
      'div',
      { class: 'toolbar-end' },
      columns.element,
      link.element,
      replayer.element,
      exporter.element,
    ),
  ),
  h(
    'div',
    { class: 'toolbar second' },
    filter.element,
    h('div', { class: 'status' }, stateText, figures),
  ),
  histogram.element,
  banner.element,
  place.element,
  order.element,
  h('main', { class: 'records' }, list.element, empty, toNewest.element),
  stable.element,
  details.element,
);
void load();
