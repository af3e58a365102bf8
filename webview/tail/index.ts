/** The tail panel: its parts, and what passes between them and the host. */
import '../kit/language.ts';
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import type { DecoderKind, PayloadField } from '../../src/shared/contracts/decoders.ts';
import { tailHost, type TailSetup, tailState, tailView } from '../../src/shared/contracts/tail.ts';
import type { TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import type { FilterShow, TimeSpan } from '../../src/shared/contracts/tailQuery.ts';
import type { RecordPlace } from '../../src/shared/contracts/tailRows.ts';
import { append, fill, h } from '../kit/dom.ts';
import { connect, type Host, savedState, saveState } from '../kit/host.ts';
import { errorWords, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { DEFAULT_COLUMNS } from './columns.ts';
import { Failures } from './failures.ts';
import { FilterInput } from './filterInput.ts';
import { type AskedFilter, FilterRequests } from './filterRequests.ts';
import { foundAgain } from './foundAgain.ts';
import { MissedLine } from './missedLine.ts';
import { OpenedRecord } from './openedRecord.ts';
import { PauseButton } from './pauseButton.ts';
import { RecordActions } from './recordActions.ts';
import { RecordCounts } from './recordCounts.ts';
import { draggedFrom } from './recordDrag.ts';
import { RecordsView } from './recordsView.ts';
import { StableLine } from './stableLine.ts';
import { StartControls, type TailStart } from './startControls.ts';
import { StatusLine } from './statusLine.ts';
import './tail.css';

const host: Host<typeof tailHost> = connect(
  tailView,
  {
    progress: (progress) => showProgress(progress),
    setup: (next) => applySetup(next),
    status: (next) => {
      failures.onStatus(next);
      if (told) showState(told);
    },
  },
  tailHost,
);

let setup: TailSetup | undefined;
let session = -1;
/** As it was told last. */
let told: TailProgress | undefined;
/** The next session shows the same records, read in another way: the one that is open stays. */
let keepsOpened = false;
let transactionsEnded = 0;
/** What an earlier page kept. */
const kept = savedState(tailState);

const failures = new Failures({
  host: () => host,
  isSeeking: () => start.isSeeking,
  startAgain: () => startAgain(),
});
const { banner } = failures;
const run = (action: () => Promise<unknown>): Promise<void> => failures.run(action);
const title = h('div', { class: 'title' });
const status = new StatusLine();
const stable = new StableLine();
const pause = new PauseButton((paused) => run(() => host.call('setPaused', { paused })));
const start = new StartControls({
  setup: () => setup,
  // As the person wants it: what was kept of an earlier page is not sought any more.
  onChoose: () => position.forget(),
  start: (wanted) => seek(wanted),
  groups: async (like) => (await host.call('groups', { like })).groups,
  onStarted: (wanted) => {
    banner.show(undefined);
    records.order.forget();
    if (setup) applySetup({ ...setup, ...wanted, paused: false, open: undefined });
    if (told) showPartitions(told);
  },
});
const missed = new MissedLine({
  from: () => setup?.from,
  onEnd: () => void start.startFrom('latest', setup?.partitions ?? []),
});
const filters = new FilterRequests(host, applyFilter);
const filter = new FilterInput({
  onFilter: (text, show) => void setFilter(text, show, setup?.within),
  check: async (text) => (await host.call('checkFilter', { filter: text })).problem,
});
const counts = new RecordCounts({
  host,
  within: () => setup?.within,
  onBrush: (within) => void setFilter(filter.value, 'matched', within),
});
const actions = new RecordActions({
  host,
  banner,
  shown: (): RecordPlace | undefined => opened.place,
});
const records = new RecordsView({
  host,
  columns: kept?.columns ?? DEFAULT_COLUMNS,
  partitionCount: () => setup?.partitions.length ?? 0,
  onColumns: () => keep(),
  onView: () => noteTop(),
  onFollow: () => {
    noteTop();
    keep();
  },
  follows: kept?.follows,
  onPause: () => void pause.set(true),
  asked: () => ({
    topic: setup?.topic,
    from: setup?.from,
    filter: filter.value,
    within: setup?.within,
  }),
  onClearFilter: () => void setFilter('', 'matched', setup?.within),
  onAllTimes: () => void setFilter(filter.value, 'matched'),
  canProduce: () => setup?.cluster.readOnly === false,
  onProduce: () => void run(() => host.call('produce', {})),
  onRows: () => opened.onRows(),
  onOpen: (row, focus) => {
    toOpen.forget();
    void opened.open(row, focus);
  },
  dragged: (record) => setup && draggedFrom(setup, record),
  onError: (error) => banner.show(error),
});
const opened = new OpenedRecord({
  host,
  actions,
  record: (row) => records.record(row),
  decoders: () => setup?.decoders,
  onDecoder: (field, kind) => void setDecoder(field, kind),
  onOpen: () => keep(),
  onClose: (hadFocus) => {
    if (hadFocus) records.focus();
    keep();
  },
  onLook: () => keep(),
  height: kept?.paneHeight,
});

const { toOpen, position, noteTop } = foundAgain(kept, {
  host,
  records,
  opened,
  from: () => setup?.from ?? 'latest',
  seek: (from) => {
    keepsOpened = opened.place !== undefined;
    void start.startFrom(from, setup?.partitions ?? []);
  },
  onChange: () => keep(),
});

async function seek(from: TailStart): Promise<UserError | undefined> {
  // What the panel starts with comes first, or it would seem to be in force.
  await loaded;
  try {
    return (await host.call('seek', from)).error;
  } catch (error) {
    return toUserError(error);
  }
}

async function setDecoder(field: PayloadField, kind: DecoderKind): Promise<void> {
  await run(async () => {
    keepsOpened = opened.place !== undefined;
    // Asks for a schema, which may take a person a while.
    const { decoders, error } = await host.callWithoutDeadline('setDecoder', { field, kind });
    if (error) banner.show(error);
    if (!decoders) keepsOpened = false;
    if (decoders && setup) {
      setup = { ...setup, decoders };
      records.forgetWhere(() => true);
    }
    await opened.reload();
  });
  await records.order.again();
}

async function setFilter(filter: string, show: FilterShow, within?: TimeSpan): Promise<void> {
  await run(() => filters.ask({ filter, show, within }));
  // At once: what a person asks for next is to come after it.
  await records.order.again();
}

function applyFilter({ filter: text, within }: AskedFilter, error: UserError | undefined): void {
  filter.setProblem(error && errorWords(error));
  if (error || !setup) return;
  filter.value = text;
  applySetup({ ...setup, filter: text, within, paused: pause.isPaused, open: undefined });
  void counts.now();
}

function applySetup(next: TailSetup): void {
  setup = next;
  document.title = `${next.topic} @ ${next.cluster.name}`;
  const { open } = next;
  if (open) void run(() => toOpen.ask(open));
  fill(title, h('strong', {}, next.topic), h('span', { class: 'dim' }, `@ ${next.cluster.name}`));
  start.show(next);
  records.columns.fit();
  filter.value = next.filter;
  pause.show(next.paused);
  keep();
}

/** What a page that comes after this one starts from. */
function keep(): void {
  if (!setup) return;
  const { cluster, topic, from, partitions, scope, filter: text, within } = setup;
  const isAll = partitions.length === setup.partitionCount;
  const of = { cluster, topic, from, partitions: isAll ? [] : partitions, scope };
  const view = {
    filter: text,
    within,
    columns: [...records.columns.chooser.columns],
    at: position.at,
  };
  const { follows } = records;
  const record = toOpen.sought ?? opened.last;
  const pane = { record, paneHeight: opened.height, asked: toOpen.asked };
  saveState(tailState, { panel: 'tail', ...of, ...view, follows, ...pane });
}

/** What a tail of all partitions has begun with, or has learned of since. */
function showPartitions({ partitionCount }: TailProgress): void {
  if (!setup || partitionCount === undefined) return;
  if (setup.partitionCount === partitionCount && setup.partitions.length === partitionCount) return;
  const partitions = Array.from({ length: partitionCount }, (_, partition) => partition);
  setup = { ...setup, partitionCount, partitions };
  start.showPartitions(setup);
  records.columns.fit();
  keep();
}

function showState(progress: TailProgress): void {
  const { isClusterStopped } = failures;
  status.set(progress, isClusterStopped);
  const isGone = progress.topicGone !== undefined && t('The topic was deleted');
  pause.setDisabled((isClusterStopped ? t('The cluster is not running') : isGone) || undefined);
}

function showProgress(progress: TailProgress): void {
  told = progress;
  if (progress.session !== session) {
    session = progress.session;
    opened.reset({ stays: keepsOpened });
    keepsOpened = false;
    records.reset(progress);
    toOpen.onSession(progress);
  }
  showState(progress);
  showPartitions(progress);
  filter.setProgress(progress.filter);
  records.order.onProgress(progress);
  stable.set(progress.heldBy);
  counts.onProgress(progress);
  failures.onProgress(progress);
  if (progress.transactionsEnded !== transactionsEnded) {
    transactionsEnded = progress.transactionsEnded;
    records.forgetWhere(({ transaction }) => transaction === 'open');
  }
  missed.set(progress);
  records.onProgress(progress);
  void run(() => toOpen.onProgress(progress));
  if (!records.order.isSorted) void run(() => position.onProgress(progress));
}

function startAgain(): void {
  if (setup && setup.partitions.length > 0) void start.startFrom(setup.from, setup.partitions);
  else void load();
}

async function load(): Promise<void> {
  await run(async () => {
    const { open, ...rest } = await host.call('ready', {});
    applySetup({ ...rest, ...(open && !toOpen.isOld(open) && { open }) });
  });
}

append(
  document.body,
  h(
    'header',
    { class: 'toolbar' },
    title,
    pause.element,
    ...start.elements,
    h('div', { class: 'toolbar-end' }, records.columns.chooser.element, ...actions.buttons),
  ),
  h('div', { class: 'toolbar second' }, filter.element, status.element),
  counts.element,
  failures.clusterElement,
  banner.element,
  position.element,
  missed.element,
  records.order.element,
  records.moved.element,
  records.element,
  stable.element,
  opened.element,
);
const loaded = load();
