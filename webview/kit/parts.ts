/** Small parts that more than one panel has. */
import { t } from '../../src/base/l10n.ts';
import type { UserError } from '../../src/shared/contracts/common.ts';
import { button, iconButton } from './controls.ts';
import { append, fill, h, setAttribute, setText, show, uniqueId } from './dom.ts';
import { icon } from './icons.ts';

export { errorWords } from './format.ts';

export interface Banner {
  readonly element: HTMLElement;
  /** Shows an error, with what to do about it and the button that does it; undefined hides the banner. */
  show(error: UserError | undefined, action?: { label: string; onClick: () => void }): void;
}

/** A line across the panel for an error; read aloud when it appears. */
export function errorBanner(): Banner {
  const text = h('div', { class: 'banner-text' });
  const actions = h('div', { class: 'banner-actions' });
  const close = iconButton({
    label: t('Dismiss'),
    icon: 'close',
    onClick: () => show(element, false),
  });
  const element = h(
    'div',
    { class: 'banner banner-error', role: 'alert', hidden: true },
    icon('error'),
    text,
    actions,
    close.element,
  );
  return {
    element,
    show: (error, action) => {
      fill(text, error?.message ?? '');
      if (error?.hint) append(text, h('span', { class: 'banner-hint' }, error.hint));
      fill(actions, action && button(action).element);
      show(element, error !== undefined);
    },
  };
}

export interface NoticeLine {
  readonly element: HTMLElement;
  /** Says something, with the button for it; undefined hides the line. */
  show(words: string | undefined, action?: { label: string; onClick: () => void }): void;
}

/** A line across the panel for what is in force and is no error. */
export function noticeLine(): NoticeLine {
  const text = h('span', { class: 'notice-text' });
  const actions = h('span', { class: 'notice-actions' });
  const element = h('div', { class: 'notice', role: 'note', hidden: true }, text, actions);
  let label: string | undefined;
  return {
    element,
    show: (words, action) => {
      setText(text, words ?? '');
      // The same button stays, with the focus that it may have; what it does is said anew.
      if (action?.label !== label || !action) fill(actions, action && button(action).element);
      label = action?.label;
      show(element, words !== undefined);
    },
  };
}

const polite = h('div', { class: 'visually-hidden', 'aria-live': 'polite' });

/** Has a screen reader say something when it next pauses. */
export function announce(words: string): void {
  if (!polite.isConnected) document.body.append(polite);
  // The same words twice are two announcements.
  setText(polite, '');
  requestAnimationFrame(() => setText(polite, words));
}

/** What went wrong in a call to the extension, as an error for people. */
export function toUserError(error: unknown): UserError {
  return { message: error instanceof Error ? error.message : String(error) };
}

export interface Segmented<T extends string> {
  readonly element: HTMLElement;
  value: T;
}

/** One of a few, side by side; arrow keys move, as in any group of radio buttons. */
export function segmented<T extends string>(options: {
  label: string;
  choices: readonly { readonly value: T; readonly text: string }[];
  value: T;
  onChange: (value: T) => void;
}): Segmented<T> {
  const name = uniqueId('choice');
  const inputs = options.choices.map(({ value }) =>
    h('input', {
      type: 'radio',
      name,
      value,
      checked: value === options.value,
      onchange: () => options.onChange(value),
    }),
  );
  const labels = options.choices.map(({ text }, index) =>
    h('label', { class: 'segment' }, inputs[index], h('span', {}, text)),
  );
  return {
    element: h(
      'div',
      { class: 'segmented', role: 'radiogroup', 'aria-label': options.label },
      ...labels,
    ),
    get value() {
      const index = inputs.findIndex((input) => input.checked);
      return options.choices[index]?.value ?? options.value;
    },
    set value(next) {
      for (const input of inputs) input.checked = input.value === next;
    },
  };
}

/**
 * The bar between two parts, moved with the pointer or the arrow keys. `onMove` gets pixels, down is
 * positive, and answers with the part of the whole, 0 to 1, that lies above the bar.
 */
export function splitter(label: string, onMove: (pixels: number) => number): HTMLElement {
  const move = (pixels: number): void =>
    setAttribute(element, 'aria-valuenow', Math.round(onMove(pixels) * 100));
  const element = h('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'horizontal',
    'aria-label': label,
    'aria-valuenow': 50,
    onkeydown: (event) => {
      const step = { ArrowUp: -24, ArrowDown: 24 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      move(step);
    },
    onpointerdown: (event) => element.setPointerCapture(event.pointerId),
    onpointermove: (event) => {
      if (element.hasPointerCapture(event.pointerId)) move(event.movementY);
    },
  });
  return element;
}

const marginPx = 12;

/** Moves a box sideways as far as it would stand out of the page, wherever a narrow bar has put its button. */
function keepInPage(box: HTMLElement): void {
  box.style.translate = '';
  const { left, right } = box.getBoundingClientRect();
  const over = Math.max(0, right - (document.documentElement.clientWidth - marginPx));
  box.style.translate = `${Math.max(-over, marginPx - left)}px`;
}

/** A button that opens a box below it; Escape or leaving it closes the box. */
export function popupButton(opener: HTMLElement, content: HTMLElement): HTMLElement {
  const popup = h('div', { class: 'popup', hidden: true }, content);
  const setOpen = (open: boolean): void => {
    show(popup, open);
    if (open) keepInPage(popup);
    opener.setAttribute('aria-expanded', String(open));
  };
  const element = h('div', { class: 'popup-anchor' }, opener, popup);
  setOpen(false);
  opener.addEventListener('click', () => setOpen(popup.hasAttribute('hidden')));
  element.addEventListener('focusout', (event) => {
    if (!(event.relatedTarget instanceof Node) || !element.contains(event.relatedTarget))
      setOpen(false);
  });
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || popup.hidden) return;
    event.stopPropagation();
    setOpen(false);
    opener.focus();
  });
  return element;
}
