/** The produce panel: a record is written on the left, what will happen is on the right. */
import '../kit/language.ts';
import type * as v from 'valibot';
import { t } from '../../src/base/l10n.ts';
import {
  type DraftProblem,
  type FormDraft,
  isOfDestination,
  produceHost,
  type ProducePreview,
  type ProduceSetup,
  produceState,
  produceView,
  type SentRecord,
} from '../../src/shared/contracts/produce.ts';
import { attempts } from '../kit/attempts.ts';
import { clusterLine } from '../kit/clusterLine.ts';
import { button } from '../kit/controls.ts';
import { append, fill, h, show } from '../kit/dom.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { DraftForm } from './draftForm.ts';
import { ManySection } from './manySection.ts';
import { Outlook } from './outlook.ts';
import { Previewer } from './previewer.ts';
import './produce.css';
import { type Refusals, refusals } from './refusals.ts';
import { sendKeyOn } from './sendKey.ts';
import { SendOutcome } from './sendOutcome.ts';
import { SentList } from './sentList.ts';
import { fieldWords } from './templateRules.ts';

type SendResult = v.InferOutput<typeof produceHost.send.result>;

const host = connect(
  produceView,
  {
    setup: (next) => applySetup(next),
    progress: (progress) => many.showProgress(progress),
    status: (status) => {
      cluster.show(status);
      // What it is not set up for is said there, with the button that helps.
      if (!setup && cluster.why !== undefined) banner.show(undefined);
      showSend();
    },
  },
  produceHost,
);

const sendKey = sendKeyOn(navigator.userAgent);
let setup: ProduceSetup | undefined;
let looked: Pick<ProducePreview, 'problems' | 'template'> = { problems: [] };
let isSending = false;
/** What came of the last record stands beside the button: until another is written. */
let isOutcomeShown = false;

const banner = errorBanner();
const { run } = attempts(banner);
const previewer = new Previewer(preview);
const title = h('div', { class: 'title' }, t('Produce'));
const form: DraftForm = new DraftForm({
  onChange: () => draftChanged(),
  onAskTopics: () => void run(() => readTopics()),
  hold: (draft) => run(() => host.callWithoutDeadline('hold', draft)),
});
const cluster = clusterLine(() => void run(() => host.callWithoutDeadline('bringUp', {})));
const send = button({
  label: t('Send'),
  icon: 'send',
  primary: true,
  title: t('Send the record ({0})', sendKey),
  onClick: () => void sendDraft(),
});
const outlook = new Outlook((text) => void run(() => copy(text)));
const openRecord = ({ topic, partition, offset }: SentRecord): void =>
  void run(() => host.call('openRecord', { topic, partition, offset }));
const sent = new SentList(openRecord);
const outcome = new SendOutcome(openRecord);

const many: ManySection = new ManySection({
  sendMany: (options) => host.callWithoutDeadline('sendMany', { draft: currentDraft(), options }),
  sendFile: (perSecond) =>
    host.callWithoutDeadline('sendFile', { draft: currentDraft(), perSecond }),
  wait: () => host.callWithoutDeadline('awaitMany', {}),
  cancel: () => void run(() => host.call('cancelMany', {})),
  sample: () => host.call('sample', currentDraft()),
  onInput: () => keep(),
  onError: (error) => banner.show(error),
});
const save = button({
  label: t('Save...'),
  title: t('Keep this record under a name'),
  onClick: () => void run(() => saveDraft()),
});
const saved = button({
  label: t('Use a saved record...'),
  title: t('Write what was kept under a name into the form'),
  onClick: () => void run(() => chooseDraft()),
});

function currentDraft(): FormDraft {
  const { draft, faults } = form;
  if (draft) return draft;
  throw new Error(faults[0]?.message ?? t('The record is not complete.'));
}

async function copy(text: string): Promise<void> {
  await host.call('copy', { text });
  announce(t('Copied'));
}

async function saveDraft(): Promise<void> {
  const result = await host.callWithoutDeadline('saveDraft', currentDraft());
  if (result.saved) announce(t('Saved'));
}

async function chooseDraft(): Promise<void> {
  const { draft } = await host.callWithoutDeadline('chooseDraft', {});
  if (!draft || !setup) return;
  form.set(setup.topics, draft);
  draftChanged();
  form.focus();
}

/** Goes on with what was kept, unless the panel was opened with another draft since. */
function applySetup(next: ProduceSetup): void {
  const kept = savedState(produceState);
  const isOfThis = kept?.cluster.id === next.cluster.id && kept.draftNumber === next.draftNumber;
  const isFirst = setup === undefined;
  setup = next;
  document.title = t('Produce @ {0}', next.cluster.name);
  fill(title, t('Produce'), h('span', { class: 'dim' }, `@ ${next.cluster.name}`));
  form.set(next.topics, isOfThis ? kept.draft : next.draft);
  if (isFirst && kept?.cluster.id === next.cluster.id) {
    if (kept.many) many.set(kept.many);
    for (const record of kept.sent.toReversed()) sent.add(record);
  }
  draftChanged();
  if (next.sending) void many.resume(next.sending);
  banner.show(undefined);
  show(page, true);
  show(tools, true);
}

/** Keeps the draft at once; looks at it when the typing pauses. */
function draftChanged(): void {
  keep();
  isOutcomeShown = false;
  previewer.draftChanged();
}

/** For the page that is there when the tab is entered again. */
function keep(): void {
  const { draft } = form;
  if (!setup || !draft) return;
  saveState(produceState, {
    panel: 'produce',
    cluster: setup.cluster,
    draft,
    draftNumber: setup.draftNumber,
    many: many.typed,
    sent: sent.kept,
  });
}

/** Others create topics meanwhile. */
async function readTopics(): Promise<void> {
  if (cluster.why === undefined) form.offerTopics((await host.call('topics', {})).topics);
}

/** Whether what the draft is for is missing. */
async function preview(signal: AbortSignal): Promise<boolean> {
  const { readable: draft, faults } = form;
  if (draft.topic === '') {
    showLooked({ problems: faults });
    outlook.showWords(t('Choose a topic.'));
    return false;
  }
  try {
    const result = await host.call('preview', draft, signal);
    if (!signal.aborted) showPreview(draft, result, faults);
    return result.problems.some(isOfDestination);
  } catch (error) {
    if (!signal.aborted) banner.show(toUserError(error));
    return false;
  }
}

function showPreview(
  draft: FormDraft,
  result: ProducePreview,
  faults: readonly DraftProblem[],
): void {
  outlook.show(draft, result, faults);
  many.offer(result.isFirstOfMany === true);
  showLooked({ ...result, problems: [...faults, ...result.problems] });
}

function showLooked(next: typeof looked): void {
  looked = next;
  form.showProblems(fieldWords(looked));
  showSend();
}

function whyNot(): Refusals {
  const { draft, faults } = form;
  return refusals({ clusterWhy: cluster.why, setup, isSending, draft, fault: faults[0], looked });
}

function showSend(): void {
  const { one: why, many: whyNotMany } = whyNot();
  send.setDisabled(why);
  many.setRefusal(whyNotMany, form.readable.delivery === 'plain' ? why : undefined);
  if (isOutcomeShown && why === undefined) return;
  isOutcomeShown = false;
  // Of a cluster that is down its own line tells, just below.
  outcome.say(cluster.why === undefined ? (why ?? sendKey) : '');
}

async function sendDraft(): Promise<void> {
  const { draft } = form;
  const { one: why } = whyNot();
  if (why !== undefined || !draft) {
    announce(why ?? '');
    return;
  }
  isSending = true;
  banner.show(undefined);
  showSend();
  const result = await sending(draft);
  isSending = false;
  showSend();
  if (result.error) outcome.showError(result.error);
  if (result.sent) {
    sent.add(result.sent);
    outcome.showSent(result.sent);
    keep();
  }
  isOutcomeShown = true;
}

async function sending(draft: FormDraft): Promise<SendResult> {
  try {
    return await host.callWithoutDeadline('send', draft);
  } catch (error) {
    return { error: toUserError(error) };
  }
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void sendDraft();
});

const tools = h('span', { class: 'row', hidden: true }, saved.element, save.element, send.element);

/** Hidden, as are its tools, until it is set up: what is typed before would be lost to what that brings. */
const page = h(
  'main',
  { class: 'produce', hidden: true },
  form.element,
  h('div', { class: 'outcome' }, outlook.element, many.element, sent.element),
);

append(
  document.body,
  h('header', { class: 'toolbar' }, title, outcome.element, tools),
  cluster.element,
  banner.element,
  page,
);
showSend();

async function begin(): Promise<void> {
  try {
    applySetup(await host.call('ready', {}));
    form.focus();
  } catch (error) {
    // Why, and the button that helps, stand in the line of the cluster where that is down.
    if (cluster.why !== undefined) return;
    banner.show(toUserError(error), { label: t('Try again'), onClick: () => void begin() });
  }
}

void begin();
