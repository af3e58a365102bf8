/** The form that a record is written in. */
import { t } from '../../src/base/l10n.ts';
import type {
  DraftProblem,
  PayloadInput,
  FormDraft,
  ProduceSetup,
} from '../../src/shared/contracts/produce.ts';
import { Combobox } from '../kit/combobox.ts';
import { textField } from '../kit/controls.ts';
import { h } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { DeliveryOptions } from './deliveryOptions.ts';
import { HeaderList } from './headerList.ts';
import { type HeldField, heldField } from './heldField.ts';
import { problemLine } from './payloadField.ts';
import { problemsByField, readPartition, suggestTopics } from './draftRules.ts';
import type { FieldWords } from './templateRules.ts';

const EMPTY: PayloadInput = { kind: 'text', text: '' };

interface DraftFormOptions {
  readonly onChange: () => void;
  /** A person is about to choose a topic: those that are known may be old. */
  readonly onAskTopics: () => void;
  /** Has the host keep what is too large for the form; undefined where it would not. */
  readonly hold: (draft: FormDraft) => Promise<FormDraft | undefined>;
}

export class DraftForm {
  readonly element: HTMLElement;
  readonly #topic: Combobox;
  readonly #partition;
  readonly #key: HeldField;
  readonly #value: HeldField;
  readonly #headers: HeaderList;
  readonly #delivery: DeliveryOptions;
  readonly #problems = {
    topic: problemLine(),
    partition: problemLine(),
    key: problemLine(),
    value: problemLine(),
  };
  #topics: ProduceSetup['topics'] = [];
  #origin: string | undefined;

  constructor({ onChange, onAskTopics, hold }: DraftFormOptions) {
    this.#topic = new Combobox({
      label: t('Topic'),
      placeholder: t('Topic'),
      suggest: (text) =>
        suggestTopics(this.#topics, text).map(({ name, partitionCount }) => ({
          text: name,
          meaning: count(partitionCount, 'partition'),
        })),
      onOpen: onAskTopics,
      onInput: onChange,
      onCommit: onChange,
    });
    this.#partition = textField({
      label: t('Partition: a number, or empty to choose by the key'),
      placeholder: t('by key'),
      onInput: onChange,
    });
    this.#key = heldField({
      label: t('Key'),
      value: EMPTY,
      rows: 2,
      meaningOfNull: t('null: no key, so any partition may be chosen'),
      onChange,
      onLarge: async (key) => (await hold(this.#givenInto({ key })))?.key,
    });
    this.#value = heldField({
      label: t('Value'),
      value: EMPTY,
      rows: 12,
      meaningOfNull: t('null: a tombstone, which deletes the key where the topic is compacted'),
      onChange,
      onLarge: async (value) => (await hold(this.#givenInto({ value })))?.value,
    });
    this.#headers = new HeaderList(onChange);
    this.#delivery = new DeliveryOptions(onChange);
    this.element = this.#layOut();
  }

  /** Undefined where a field is not what it should be; `faults` then says which. */
  get draft(): FormDraft | undefined {
    return this.faults.length === 0 ? this.readable : undefined;
  }

  /** What can be read of it, as if the fields that cannot be read were empty. */
  get readable(): FormDraft {
    return {
      topic: this.#topic.value.trim(),
      partition: readPartition(this.#partition.value) ?? null,
      key: this.#key.value,
      value: this.#value.value,
      headers: this.#headers.value,
      ...this.#delivery.value,
      ...(this.#origin !== undefined && { origin: this.#origin }),
    };
  }

  /** What keeps the fields from being a draft. */
  get faults(): DraftProblem[] {
    const partition = t('A partition is a number from 0 up; leave it empty to choose by the key.');
    const timestamp = t(
      'A timestamp is milliseconds since the epoch or a date and time; empty is now.',
    );
    const taking = t('What was pasted or dropped is being taken …');
    return [
      ...(this.#key.isTaking ? [{ field: 'key', message: taking }] : []),
      ...(this.#value.isTaking ? [{ field: 'value', message: taking }] : []),
      ...(readPartition(this.#partition.value) === undefined
        ? [{ field: 'partition', message: partition }]
        : []),
      ...(this.#delivery.isTimestampRead ? [] : [{ field: 'timestamp', message: timestamp }]),
    ];
  }

  set(topics: ProduceSetup['topics'], draft: FormDraft): void {
    this.#topics = topics;
    this.#topic.value = draft.topic;
    this.#partition.value = draft.partition === null ? '' : String(draft.partition);
    this.#origin = draft.origin;
    this.#key.set(draft.key, draft.origin);
    this.#value.set(draft.value, draft.origin);
    this.#headers.value = draft.headers;
    this.#delivery.set(draft);
  }

  offerTopics(topics: ProduceSetup['topics']): void {
    this.#topics = topics;
    this.#topic.suggestAgain();
  }

  showProblems({ problems, notes }: FieldWords): void {
    const { fields, headers } = problemsByField(problems);
    const noted = problemsByField(notes);
    for (const [field, line] of Object.entries(this.#problems)) {
      line.set(fields.get(field), noted.fields.get(field));
    }
    this.#topic.setProblem(undefined);
    this.#topic.element.classList.toggle('invalid', fields.has('topic'));
    this.#partition.setInvalid(fields.has('partition'));
    this.#key.setInvalid(fields.has('key'));
    this.#value.setInvalid(fields.has('value'));
    this.#headers.setProblems(headers, noted.headers);
    this.#delivery.showProblem(fields.get('timestamp') ?? fields.get('delivery'));
  }

  focus(): void {
    if (this.#topic.value === '') this.#topic.focus();
    else {
      // The page begins at its top, however little of the field that shows.
      const area = this.#value.textElement.querySelector<HTMLElement>('vscode-text-area');
      area?.focus({ preventScroll: true });
    }
  }

  /** What it was made of is not where this comes from. */
  #givenInto(given: Partial<Pick<FormDraft, 'key' | 'value'>>): FormDraft {
    this.#origin = undefined;
    return { ...this.readable, ...given };
  }

  #layOut(): HTMLElement {
    const label = (text: string): HTMLElement => h('h2', {}, text);
    const payload = (title: string, field: HeldField, problem: HTMLElement): HTMLElement =>
      h(
        'section',
        { class: 'field', 'aria-label': title },
        h(
          'div',
          { class: 'field-head' },
          label(title),
          h('span', { class: 'spring' }),
          field.kindElement,
        ),
        field.textElement,
        problem,
      );
    return h(
      'form',
      { class: 'draft', 'aria-label': t('Record'), onsubmit: (event) => event.preventDefault() },
      h(
        'div',
        { class: 'destination' },
        h(
          'div',
          { class: 'field' },
          label(t('Topic')),
          this.#topic.element,
          this.#problems.topic.element,
        ),
        h(
          'div',
          { class: 'field' },
          label(t('Partition')),
          this.#partition.element,
          this.#problems.partition.element,
        ),
      ),
      payload(t('Key'), this.#key, this.#problems.key.element),
      payload(t('Value'), this.#value, this.#problems.value.element),
      this.#headers.element,
      this.#delivery.element,
    );
  }
}
