/** The produce panel: a record is written on the left, what will happen is on the right. */
import {
  type DraftProblem,
  type ProduceDraft,
  produceHost,
  type ProduceSetup,
  produceState,
  produceView,
} from '../../src/shared/contracts/produce.ts';
import { button } from '../kit/controls.ts';
import { append, fill, h, setText, show } from '../kit/dom.ts';
import { formatSize } from '../kit/format.ts';
import { connect, savedState, saveState } from '../kit/host.ts';
import { announce, errorBanner, toUserError } from '../kit/parts.ts';
import '../kit/kit.css';
import { DraftForm } from './draftForm.ts';
import { partitionWords, payloadWords } from './draftRules.ts';
import './produce.css';
import { SentList } from './sentList.ts';

const PREVIEW_DELAY_MS = 120;

const host = connect(produceView, { setup: (next) => applySetup(next, next.draft) }, produceHost);

let setup: ProduceSetup | undefined;
let problems: readonly DraftProblem[] = [];
let previewing: AbortController | undefined;
let previewTimer = 0;
let isSending = false;

const banner = errorBanner();
const title = h('div', { class: 'title' });
const form = new DraftForm(() => draftChanged());
const send = button({
  label: 'Send',
  icon: 'send',
  primary: true,
  title: 'Send the record (Ctrl+Enter or Cmd+Enter)',
  onClick: () => void sendDraft(),
});
const reason = h('span', { class: 'dim' });
const destination = h('p', { class: 'preview-partition' });
const keySize = h('td');
const valueSize = h('td');
const headerCount = h('td');
const tombstone = h(
  'p',
  { class: 'tombstone', hidden: true },
  'This is a tombstone: it deletes the key where the topic is compacted.',
);
const sent = new SentList((record) => void run(() => host.call('openRecord', record)));

async function run(action: () => Promise<unknown>): Promise<void> {
  try {
    await action();
  } catch (error) {
    banner.show(toUserError(error));
  }
}

function applySetup(next: ProduceSetup, draft: ProduceDraft): void {
  setup = next;
  document.title = `Produce @ ${next.cluster.name}`;
  fill(title, 'Produce', h('span', { class: 'dim' }, `@ ${next.cluster.name}`));
  form.set(next.topics, draft);
  draftChanged();
}

/** Keeps the draft at once; looks at it when the typing pauses. */
function draftChanged(): void {
  const { draft } = form;
  if (setup && draft) saveState(produceState, { panel: 'produce', cluster: setup.cluster, draft });
  window.clearTimeout(previewTimer);
  previewTimer = window.setTimeout(() => void preview(), PREVIEW_DELAY_MS);
}

async function preview(): Promise<void> {
  previewing?.abort();
  const { signal } = (previewing = new AbortController());
  const { draft } = form;
  if (!draft) {
    showProblems([
      {
        field: 'partition',
        message: 'A partition is a number from 0 up; leave it empty to choose by the key.',
      },
    ]);
    return;
  }
  if (draft.topic === '') {
    showProblems([]);
    setText(destination, 'Choose a topic.');
    return;
  }
  try {
    const result = await host.call('preview', draft, signal);
    if (!signal.aborted) showPreview(draft, result);
  } catch (error) {
    if (!signal.aborted) banner.show(toUserError(error));
  }
}

function showPreview(
  draft: ProduceDraft,
  result: {
    partition?: number | undefined;
    keySize?: number | undefined;
    valueSize?: number | undefined;
    problems: DraftProblem[];
  },
): void {
  const size = (bytes: number | undefined): string | undefined =>
    bytes === undefined ? undefined : bytes === 0 ? 'empty (0 bytes)' : formatSize(bytes);
  setText(destination, partitionWords(draft, result.partition));
  setText(keySize, payloadWords(draft.key, size(result.keySize)));
  setText(valueSize, payloadWords(draft.value, size(result.valueSize)));
  setText(headerCount, draft.headers.length === 0 ? 'none' : String(draft.headers.length));
  show(tombstone, draft.value.kind === 'null');
  showProblems(result.problems);
}

function showProblems(next: readonly DraftProblem[]): void {
  problems = next;
  form.showProblems(problems);
  showSend();
}

/** Why the record cannot be sent, in words; undefined where it can. */
function whyNot(): string | undefined {
  if (!setup) return 'Not connected yet.';
  if (setup.cluster.readOnly) return `${setup.cluster.name} is read-only.`;
  if (isSending) return 'Sending …';
  if (form.draft?.topic === '') return 'Choose a topic.';
  const [first] = problems;
  return (
    first &&
    (problems.length === 1 ? first.message : `${problems.length} problems, first: ${first.message}`)
  );
}

function showSend(): void {
  const why = whyNot();
  send.setDisabled(why);
  setText(reason, why ?? 'Ctrl+Enter or Cmd+Enter');
}

async function sendDraft(): Promise<void> {
  const { draft } = form;
  const why = whyNot();
  if (why !== undefined || !draft) {
    announce(why ?? '');
    return;
  }
  isSending = true;
  showSend();
  await run(async () => {
    const result = await host.callWithoutDeadline('send', draft);
    banner.show(result.error);
    if (!result.sent) return;
    sent.add(result.sent);
    announce(`Sent to partition ${result.sent.partition}, offset ${result.sent.offset}`);
  });
  isSending = false;
  showSend();
}

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  void sendDraft();
});

/** Hidden until the host has answered: what is typed before would be lost to what it brings. */
const page = h(
  'main',
  { class: 'produce', hidden: true },
  form.element,
  h(
    'div',
    { class: 'outcome' },
    h(
      'section',
      { class: 'preview', 'aria-label': 'What will happen' },
      h('h2', {}, 'What will happen'),
      destination,
      h(
        'table',
        { class: 'facts' },
        h(
          'tbody',
          {},
          h('tr', {}, h('th', { scope: 'row' }, 'Key'), keySize),
          h('tr', {}, h('th', { scope: 'row' }, 'Value'), valueSize),
          h('tr', {}, h('th', { scope: 'row' }, 'Headers'), headerCount),
        ),
      ),
      tombstone,
      h('div', { class: 'row send' }, send.element, reason),
    ),
    sent.element,
  ),
);

append(document.body, h('header', { class: 'toolbar' }, title), banner.element, page);
showSend();
void run(async () => {
  try {
    const next = await host.call('ready', {});
    const saved = savedState(produceState);
    applySetup(next, saved?.cluster.id === next.cluster.id ? saved.draft : next.draft);
  } finally {
    show(page, true);
  }
  form.focus();
});
