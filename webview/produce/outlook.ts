/** What will happen when the record is sent. */
import { t } from '../../src/base/l10n.ts';
import type {
  DraftProblem,
  FormDraft,
  ProducePreview,
} from '../../src/shared/contracts/produce.ts';
import { fromBase64, hexDump } from '../kit/bytes.ts';
import { iconButton } from '../kit/controls.ts';
import { fill, h, setText, show } from '../kit/dom.ts';
import { formatSize } from '../kit/format.ts';
import { partitionWords, payloadWords, problemsByField } from './draftRules.ts';

export class Outlook {
  readonly element: HTMLElement;
  readonly #first = h('p', { class: 'dim', hidden: true }, t('The first record of the template:'));
  readonly #destination = h('p', { class: 'preview-partition' });
  readonly #choices = h('tbody');
  readonly #choiceTable = h(
    'table',
    { class: 'facts choices', hidden: true },
    h('caption', {}, t('Partition that each client chooses for this key')),
    this.#choices,
  );
  readonly #cells = { key: h('td'), value: h('td'), headers: h('td'), batch: h('td') };
  readonly #tombstone = h(
    'p',
    { class: 'tombstone', hidden: true },
    t('This is a tombstone: it deletes the key where the topic is compacted.'),
  );
  readonly #dump = h('pre', {
    ...{ class: 'dump', tabindex: 0, role: 'group', 'aria-label': t('The batch as bytes') },
  });
  readonly #bytes = h(
    'details',
    { class: 'fold' },
    h('summary', {}, t('The batch as bytes')),
    this.#dump,
  );
  readonly #commandList = h('div');
  readonly #commands = h(
    'details',
    { class: 'fold' },
    h('summary', {}, t('The same by command line')),
    this.#commandList,
  );
  readonly #onCopy: (text: string) => void;
  #shownCommands = '';

  constructor(onCopy: (text: string) => void) {
    this.#onCopy = onCopy;
    this.element = h(
      'section',
      { class: 'preview', 'aria-label': t('What will happen') },
      h('h2', {}, t('What will happen')),
      this.#first,
      this.#destination,
      this.#choiceTable,
      this.#facts(),
      this.#tombstone,
      this.#bytes,
      this.#commands,
    );
  }

  /** In place of a preview, where there is nothing to look at yet. */
  showWords(words: string): void {
    setText(this.#destination, words);
    const parts = [this.#first, this.#choiceTable, this.#tombstone, this.#bytes, this.#commands];
    for (const part of parts) show(part, false);
  }

  /** What is wrong has no outlook. Of a template, the first record has what its text has not. */
  show(draft: FormDraft, preview: ProducePreview, faults: readonly DraftProblem[]): void {
    const { isFirstOfMany = false, problems } = preview;
    const wrong = problemsByField(isFirstOfMany ? faults : [...faults, ...problems]);
    const isWrong = (...fields: string[]): boolean => fields.some((of) => wrong.fields.has(of));
    const size = (bytes: number | undefined): string | undefined =>
      bytes === undefined ? undefined : bytes === 0 ? t('empty (0 bytes)') : formatSize(bytes);
    show(this.#first, isFirstOfMany);
    const isNowhere = isWrong('topic', 'partition') || (draft.partition === null && isWrong('key'));
    setText(this.#destination, isNowhere ? '–' : partitionWords(draft, preview.partition));
    setText(this.#cells.key, isWrong('key') ? '–' : payloadWords(draft.key, size(preview.keySize)));
    setText(
      this.#cells.value,
      isWrong('value') ? '–' : payloadWords(draft.value, size(preview.valueSize)),
    );
    setText(
      this.#cells.headers,
      wrong.headers.size > 0
        ? '–'
        : draft.headers.length === 0
          ? t('none')
          : String(draft.headers.length),
    );
    setText(this.#cells.batch, faults.length > 0 ? '–' : (size(preview.batch?.size) ?? '–'));
    show(this.#tombstone, draft.value.kind === 'null');
    this.#showChoices(preview.choices);
    this.#showBytes(faults.length > 0 ? undefined : preview.batch);
    this.#showCommands(faults.length > 0 ? [] : preview.commands);
  }

  #facts(): HTMLElement {
    const row = (name: string, cell: HTMLElement): HTMLElement =>
      h('tr', {}, h('th', { scope: 'row' }, name), cell);
    const { key, value, headers, batch } = this.#cells;
    return h(
      'table',
      { class: 'facts' },
      h(
        'tbody',
        {},
        row(t('Key'), key),
        row(t('Value'), value),
        row(t('Headers'), headers),
        row(t('Batch'), batch),
      ),
    );
  }

  #showChoices(choices: ProducePreview['choices']): void {
    show(this.#choiceTable, choices.length > 0);
    fill(
      this.#choices,
      ...choices.map(({ clients, hash, partition }) =>
        h(
          'tr',
          {},
          h('th', { scope: 'row' }, ...clientNames(clients)),
          h('td', {}, partition === null ? t('any') : String(partition)),
          h('td', { class: 'dim' }, hash),
        ),
      ),
    );
  }

  #showBytes(batch: ProducePreview['batch']): void {
    show(this.#bytes, batch !== undefined);
    if (!batch) return;
    const bytes = fromBase64(batch.beginning);
    const more = batch.size - bytes.length;
    setText(
      this.#dump,
      hexDump(bytes, 8) + (more > 0 ? `\n${t('… and {0}', formatSize(more))}` : ''),
    );
  }

  #showCommands(commands: ProducePreview['commands']): void {
    show(this.#commands, commands.length > 0);
    // Drawn again, a button would lose the focus and a text its selection.
    const next = JSON.stringify(commands);
    if (next === this.#shownCommands) return;
    this.#shownCommands = next;
    fill(
      this.#commandList,
      ...commands.map(({ tool, text, problem }) => {
        if (text === undefined) return h('p', { class: 'dim' }, problem ?? '');
        const copy = iconButton({
          label: t('Copy the {0} command', tool),
          icon: 'copy',
          onClick: () => this.#onCopy(text),
        });
        return h('div', { class: 'command' }, h('code', {}, text), copy.element);
      }),
    );
  }
}

/** A line ends between two names, not at a hyphen within one. */
function clientNames(clients: string): readonly (string | HTMLElement)[] {
  return clients
    .split(', ')
    .flatMap((name, at) => [...(at > 0 ? [', '] : []), h('span', { class: 'client' }, name)]);
}
