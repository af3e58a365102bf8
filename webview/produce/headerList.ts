/** The headers of a record: an ordered list in which keys may repeat and values may be null. */
import { t } from '../../src/base/l10n.ts';
import type { ProduceDraft } from '../../src/shared/contracts/produce.ts';
import { button, iconButton, inlineChoice, textField } from '../kit/controls.ts';
import { fill, h, setText } from '../kit/dom.ts';
import { announce } from '../kit/parts.ts';
import { payloadField, problemLine } from './payloadField.ts';

type Header = ProduceDraft['headers'][number];

interface Line {
  readonly element: HTMLElement;
  readonly value: Header;
  setProblem(problem: string | undefined, note: string | undefined): void;
  focus(): void;
}

export class HeaderList {
  readonly element: HTMLElement;
  readonly #list = h('ol', { class: 'headers', 'aria-label': t('Headers, in order') });
  readonly #count = h('span', { class: 'dim' });
  readonly #onChange: () => void;
  #lines: Line[] = [];

  constructor(onChange: () => void) {
    this.#onChange = onChange;
    const add = button({
      label: t('Add header'),
      icon: 'add',
      onClick: () => {
        this.#lines.push(this.#line({ key: '', value: { kind: 'text', text: '' } }));
        this.#changed();
        this.#lines.at(-1)?.focus();
      },
    });
    this.element = h(
      'section',
      { class: 'field', 'aria-label': t('Headers') },
      h(
        'div',
        { class: 'field-head' },
        h('h2', {}, t('Headers')),
        this.#count,
        h('span', { class: 'spring' }),
        add.element,
      ),
      this.#list,
    );
    this.value = [];
  }

  get value(): Header[] {
    return this.#lines.map((line) => line.value);
  }

  set value(headers: readonly Header[]) {
    this.#lines = headers.map((header) => this.#line(header));
    this.#draw();
  }

  /** By a header's place: what is wrong with it, and what else is to be said of it. */
  setProblems(problems: ReadonlyMap<number, string>, notes: ReadonlyMap<number, string>): void {
    for (const [index, line] of this.#lines.entries()) {
      line.setProblem(problems.get(index), notes.get(index));
    }
  }

  #draw(): void {
    fill(this.#list, ...this.#lines.map((line) => line.element));
    setText(this.#count, this.#lines.length === 0 ? t('none') : String(this.#lines.length));
  }

  #changed(): void {
    this.#draw();
    this.#onChange();
  }

  #move(line: Line, step: number): void {
    const from = this.#lines.indexOf(line);
    const to = from + step;
    if (to < 0 || to >= this.#lines.length) return;
    this.#lines.splice(from, 1);
    this.#lines.splice(to, 0, line);
    this.#changed();
    announce(t('Header {0} of {1}', to + 1, this.#lines.length));
  }

  #remove(line: Line): void {
    const index = this.#lines.indexOf(line);
    this.#lines.splice(index, 1);
    this.#changed();
    this.#lines[Math.min(index, this.#lines.length - 1)]?.focus();
    announce(t('Header removed'));
  }

  #line(header: Header): Line {
    const key = textField({
      label: t('Header key'),
      placeholder: t('key'),
      value: header.key,
      class: 'header-key',
      onInput: this.#onChange,
    });
    let { keyForm } = header;
    const form = keyFormChoice(keyForm, (chosen) => {
      keyForm = chosen;
      this.#onChange();
    });
    const value = payloadField({
      label: t('Header value'),
      value: header.value,
      rows: 1,
      meaningOfNull: 'null',
      onChange: this.#onChange,
    });
    const problem = problemLine();
    const up = iconButton({
      label: t('Move header up'),
      icon: 'up',
      onClick: () => {
        this.#move(line, -1);
        up.element.focus();
      },
    });
    const down = iconButton({
      label: t('Move header down'),
      icon: 'down',
      onClick: () => {
        this.#move(line, 1);
        down.element.focus();
      },
    });
    const remove = iconButton({
      label: t('Remove header'),
      icon: 'remove',
      onClick: () => this.#remove(line),
    });
    const line: Line = {
      element: h(
        'li',
        { class: 'header' },
        h('span', { class: 'row header-name' }, key.element, form),
        h('span', { class: 'row header-value' }, value.textElement, value.kindElement),
        h('span', { class: 'header-buttons' }, up.element, down.element, remove.element),
        problem.element,
      ),
      get value() {
        return { key: key.value, ...(keyForm && { keyForm }), value: value.value };
      },
      setProblem: (words, note) => {
        problem.set(words, note);
        value.setInvalid(words !== undefined);
      },
      focus: () => key.element.focus(),
    };
    return line;
  }
}

/** How a header's key is written. */
function keyFormChoice(
  keyForm: Header['keyForm'],
  onChange: (keyForm: Header['keyForm']) => void,
): HTMLElement {
  return inlineChoice<'text' | 'hex' | 'base64'>({
    label: t('Kind of header key'),
    title: t('How the header’s key is written'),
    choices: [
      { value: 'text', text: t('Text') },
      { value: 'hex', text: t('Hex') },
      { value: 'base64', text: t('Base64') },
    ],
    value: keyForm ?? 'text',
    onChange: (chosen) => onChange(chosen === 'text' ? undefined : chosen),
  });
}
