/** A key, a value or a header's value: what kind it is, and its text. */
import { t } from '../../src/base/l10n.ts';
import { isTooLargeForForm, type PayloadInput } from '../../src/shared/contracts/produce.ts';
import { isJsonContainer, prettyJson } from '../../src/shared/jsonLayout.ts';
import { button, inlineChoice, type TextControl, textArea, textField } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { segmented } from '../kit/parts.ts';

type Kind = PayloadInput['kind'];

const KINDS = [
  { value: 'text', text: t('Text') },
  { value: 'json', text: 'JSON' },
  { value: 'hex', text: 'Hex' },
  { value: 'base64', text: 'Base64' },
  { value: 'null', text: 'Null' },
] as const;

const PLACEHOLDERS: Record<Kind, string> = {
  text: t('Empty: 0 bytes, which is not null'),
  json: '{ "id": 1182 }',
  hex: '00 ff 10',
  base64: 'AP8Q',
  null: '',
};

export interface PayloadField {
  /** Chooses the kind. */
  readonly kindElement: HTMLElement;
  /** The text, or the words that say it is null. */
  readonly textElement: HTMLElement;
  value: PayloadInput;
  setInvalid(invalid: boolean): void;
}

export interface PayloadFieldOptions {
  readonly label: string;
  readonly value: PayloadInput;
  /** 1 is a single line, in which the kind is chosen from a list. */
  readonly rows: number;
  readonly meaningOfNull: string;
  readonly onChange: () => void;
  /** Text was pasted or dropped that makes the whole too large for a form; it is not in the field. */
  readonly onLargeText?: (whole: PayloadInput) => void;
}

export function payloadField(options: PayloadFieldOptions): PayloadField {
  const { label, rows } = options;
  const onInput = (): void => {
    showWhetherFormatted();
    options.onChange();
  };
  const text: TextControl =
    rows === 1
      ? textField({ label, class: 'payload-line', onInput })
      : textArea({ label, rows, onInput });
  if (options.onLargeText)
    takeLargeTexts(text.element, (whole) =>
      options.onLargeText?.({ kind: kind.value, text: whole }),
    );
  /** The kind that a click on the words for null goes back to: they stand where text is typed. */
  let written: Kind = 'text';
  const nullWords = h(
    'div',
    { class: 'null-words', title: t('Click to type'), onclick: () => write() },
    `⌀ ${options.meaningOfNull}`,
  );
  const kind = kindChoice(options, () => {
    showKind();
    options.onChange();
  });
  const format = formatButton(label, () => {
    text.value = prettyJson(text.value);
    onInput();
  });
  const showWhetherFormatted = (): void => {
    if (kind.value !== 'json') return;
    const isOne = isJsonContainer(text.value);
    format.setDisabled(isOne ? undefined : t('There is no JSON object or array to lay out.'));
  };
  const write = (): void => {
    kind.value = written;
    showKind();
    text.element.focus();
    options.onChange();
  };
  const showKind = (): void => {
    if (kind.value !== 'null') written = kind.value;
    show(format.element, kind.value === 'json');
    show(nullWords, kind.value === 'null');
    show(text.element, kind.value !== 'null');
    text.setPlaceholder(PLACEHOLDERS[kind.value]);
    showWhetherFormatted();
  };
  const set = (value: PayloadInput): void => {
    kind.value = value.kind;
    // The text stays behind a null, for a change of mind.
    if (value.kind !== 'null') text.value = value.text;
    showKind();
  };
  set(options.value);
  return {
    kindElement:
      rows > 1 ? h('span', { class: 'payload-kind' }, format.element, kind.element) : kind.element,
    textElement: h('div', { class: 'payload-field' }, text.element, nullWords),
    get value(): PayloadInput {
      const chosen = kind.value;
      return chosen === 'null' ? { kind: chosen } : { kind: chosen, text: text.value };
    },
    set value(next) {
      set(next);
    },
    setInvalid: (invalid) => text.setInvalid(invalid),
  };
}

function formatButton(label: string, onClick: () => void): ReturnType<typeof button> {
  return button({
    label: t('Format'),
    name: t('Format the JSON of {0}', label.toLowerCase()),
    title: t('Lay the JSON out over lines; numbers and names stay as they are'),
    onClick,
  });
}

/** Before the field lays it out, which stops the window: the whole text as the paste or the drop would leave it. */
function takeLargeTexts(element: HTMLElement, take: (whole: string) => void): void {
  const takeIfLarge = (event: Event, added: string): void => {
    const [area] = event.composedPath();
    if (!(area instanceof HTMLTextAreaElement)) return;
    const { value, selectionStart, selectionEnd } = area;
    const whole = value.slice(0, selectionStart) + added + value.slice(selectionEnd);
    if (!isTooLargeForForm(whole)) return;
    event.preventDefault();
    take(whole);
  };
  element.addEventListener('paste', (event) =>
    takeIfLarge(event, event.clipboardData?.getData('text/plain') ?? ''),
  );
  // Of a drop only this comes when it is known where the text goes.
  element.addEventListener('beforeinput', (event) => {
    if (event.inputType === 'insertFromDrop') takeIfLarge(event, event.data ?? '');
  });
}

function kindChoice(
  { label, rows, value: { kind } }: PayloadFieldOptions,
  onChange: () => void,
): { readonly element: HTMLElement; value: Kind } {
  const options = { label: t('Kind of {0}', label.toLowerCase()), choices: KINDS, value: kind };
  if (rows > 1) return segmented<Kind>({ ...options, onChange });
  let chosen = kind;
  const element = inlineChoice<Kind>({
    ...options,
    title: options.label,
    onChange: (next) => {
      chosen = next;
      onChange();
    },
  });
  return {
    element,
    get value() {
      return chosen;
    },
    set value(next) {
      element.value = chosen = next;
    },
  };
}

/** A place for what is wrong with a field, or else to be said of it; read aloud when it comes. */
export function problemLine(): {
  element: HTMLElement;
  set(problem: string | undefined, note?: string): void;
} {
  const element = h('div', { class: 'problem-line', 'aria-live': 'polite', hidden: true });
  return {
    element,
    set: (problem, note) => {
      element.classList.toggle('note', problem === undefined);
      setText(element, problem ?? note ?? '');
      show(element, (problem ?? note) !== undefined);
    },
  };
}
