/** The controls of our forms. Every one has a label that is read aloud. */
import './toolkit.ts';
import { h, setAttribute } from './dom.ts';
import { icon, type IconName } from './icons.ts';

export interface ButtonControl {
  readonly element: HTMLElement;
  setLabel(label: string, iconName?: IconName): void;
  /** Disables the button with the reason, in words; without one it works. */
  setDisabled(reason: string | undefined): void;
}

/** A button with text; `icon` goes before it. */
export function button(options: {
  label: string;
  icon?: IconName;
  primary?: boolean;
  title?: string;
  /** What is read aloud, where the label says too little by itself. */
  name?: string;
  onClick: () => void;
}): ButtonControl {
  // Not an element: the toolkit gives those in a button the size of an icon.
  const label = document.createTextNode(options.label);
  const element = h(
    'vscode-button',
    {
      appearance: options.primary ? 'primary' : 'secondary',
      title: options.title,
      'aria-label': options.name,
      onclick: () => element.disabled || options.onClick(),
    },
    label,
  );
  if (options.icon) element.prepend(startIcon(options.icon));
  return {
    element,
    setLabel: (text, iconName) => {
      label.data = text;
      if (!iconName) return;
      element.querySelector('.icon')?.remove();
      element.prepend(startIcon(iconName));
    },
    setDisabled: (reason) => disable(element, reason, options.title),
  };
}

function startIcon(name: IconName): SVGSVGElement {
  const svg = icon(name);
  svg.setAttribute('slot', 'start');
  return svg;
}

/** A button that shows only an icon; `label` is its tooltip and its name. */
export function iconButton(options: {
  label: string;
  icon: IconName;
  onClick: () => void;
}): ButtonControl {
  const element = h(
    'vscode-button',
    {
      appearance: 'icon',
      class: 'icon-button',
      title: options.label,
      'aria-label': options.label,
      onclick: () => element.disabled || options.onClick(),
    },
    icon(options.icon),
  );
  return {
    element,
    setLabel: (label, iconName) => {
      element.title = label;
      element.setAttribute('aria-label', label);
      if (iconName) element.replaceChildren(icon(iconName));
    },
    setDisabled: (reason) => disable(element, reason, options.label),
  };
}

function disable(
  element: HTMLElementTagNameMap['vscode-button'],
  reason?: string,
  title?: string,
): void {
  element.disabled = reason !== undefined;
  setAttribute(element, 'title', reason ?? title);
}

export interface Choice<T extends string> {
  readonly value: T;
  readonly text: string;
}

export interface DropdownControl<T extends string> {
  readonly element: HTMLElement;
  value: T;
  setDisabled(disabled: boolean): void;
}

/** About: letters of Latin are half as wide as they are high, those of Korean as wide. */
function widthInEm(text: string): number {
  return Array.from(text, (letter) => (letter > '\u1100' ? 1 : 0.56)).reduce((a, b) => a + b, 0);
}

/** A choice of a few; for many, see `combobox`. */
export function dropdown<T extends string>(options: {
  label: string;
  choices: readonly Choice<T>[];
  value: T;
  /** As wide as its longest choice: the toolkit cuts choices off at the width of the one that is chosen. */
  fitsChoices?: boolean;
  onChange: (value: T) => void;
}): DropdownControl<T> {
  const optionElements = options.choices.map(({ value, text }) =>
    h('vscode-option', { value, selected: value === options.value }, text),
  );
  const element = h(
    'vscode-dropdown',
    { 'aria-label': options.label, class: 'dropdown' },
    ...optionElements,
  );
  if (options.fitsChoices === true) {
    const widths = options.choices.map(({ text }) => widthInEm(text));
    element.style.minWidth = `calc(${Math.max(...widths)}em + 44px)`;
  }
  let value = options.value;
  element.addEventListener('change', () => {
    const chosen = options.choices[element.selectedIndex];
    if (!chosen || chosen.value === value) return;
    value = chosen.value;
    options.onChange(value);
  });
  return {
    element,
    get value() {
      return value;
    },
    set value(next) {
      value = next;
      const index = options.choices.findIndex((choice) => choice.value === next);
      // The toolkit learns of its options when it is shown; before that only they can be told.
      for (const [i, option] of optionElements.entries())
        setAttribute(option, 'selected', i === index);
      element.selectedIndex = index;
    },
    setDisabled: (disabled) => (element.disabled = disabled),
  };
}

/**
 * A choice of a few inside of what scrolls: the browser draws its list over the page, where the toolkit's
 * would be cut off.
 */
export function inlineChoice<T extends string>(options: {
  label: string;
  title: string;
  choices: readonly Choice<T>[];
  value: T;
  onChange: (value: T) => void;
}): HTMLSelectElement {
  const element = h(
    'select',
    { class: 'inline-choice', 'aria-label': options.label, title: options.title },
    ...options.choices.map(({ value, text }) =>
      h('option', { value, selected: value === options.value }, text),
    ),
  );
  element.addEventListener('change', () => {
    const chosen = options.choices[element.selectedIndex];
    if (chosen) options.onChange(chosen.value);
  });
  return element;
}

export interface TextControl {
  readonly element: HTMLElement;
  value: string;
  setPlaceholder(placeholder: string): void;
  setDisabled(disabled: boolean): void;
  setInvalid(invalid: boolean): void;
}

interface TextOptions {
  readonly label: string;
  readonly value?: string;
  readonly placeholder?: string;
  readonly class?: string;
  readonly onInput: (value: string) => void;
}

export function textField(options: TextOptions): TextControl {
  return textControl(h('vscode-text-field', { class: options.class }), options);
}

/** Several lines, in the editor's font. */
export function textArea(options: TextOptions & { rows: number }): TextControl {
  const element = h('vscode-text-area', {
    class: `text-area ${options.class ?? ''}`,
    rows: options.rows,
    resize: 'vertical',
    spellcheck: 'false',
  });
  return textControl(element, options);
}

function textControl(
  element: HTMLElementTagNameMap['vscode-text-field' | 'vscode-text-area'],
  options: TextOptions,
): TextControl {
  // The toolkit takes a field's name from its content, over any aria-label. The style sheet hides it.
  element.append(options.label);
  element.value = options.value ?? '';
  if (options.placeholder !== undefined) element.placeholder = options.placeholder;
  element.addEventListener('input', () => options.onInput(element.value));
  return {
    element,
    get value() {
      return element.value;
    },
    set value(next) {
      element.value = next;
    },
    setPlaceholder: (placeholder) => (element.placeholder = placeholder),
    setDisabled: (disabled) => (element.disabled = disabled),
    setInvalid: (invalid) => {
      element.classList.toggle('invalid', invalid);
      element.setAttribute('aria-invalid', String(invalid));
    },
  };
}

export interface CheckboxControl {
  readonly element: HTMLElement;
  checked: boolean;
}

export function checkbox(options: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}): CheckboxControl {
  const element = h('vscode-checkbox', {}, options.label);
  element.checked = options.checked;
  let checked = options.checked;
  element.addEventListener('change', () => {
    if (element.checked === checked) return;
    checked = element.checked;
    options.onChange(checked);
  });
  return {
    element,
    get checked() {
      return checked;
    },
    set checked(next) {
      checked = next;
      element.checked = next;
    },
  };
}

/** Text that does something when it is clicked, such as opening a record. */
export function link(text: string, title: string, onClick: () => void): HTMLElement {
  const element = h('vscode-link', { href: '#', title }, text);
  element.addEventListener('click', (event) => {
    event.preventDefault();
    onClick();
  });
  return element;
}
