/** A key or a value: written in the page, or, where it is too large for that, kept by the host and only named here. */
import { t } from '../../src/base/l10n.ts';
import type { FormPayload, HeldPayload, PayloadInput } from '../../src/shared/contracts/produce.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { announce } from '../kit/parts.ts';
import { payloadField, type PayloadFieldOptions } from './payloadField.ts';

interface HeldFieldOptions extends Omit<PayloadFieldOptions, 'onLargeText'> {
  /** Gives what is too large for the field to the host; undefined where it would not take it. */
  readonly onLarge: (payload: PayloadInput) => Promise<FormPayload | undefined>;
}

export interface HeldField {
  readonly kindElement: HTMLElement;
  readonly textElement: HTMLElement;
  readonly value: FormPayload;
  set(value: FormPayload, origin: string | undefined): void;
  /** What was pasted or dropped is on its way to the host. */
  readonly isTaking: boolean;
  setInvalid(invalid: boolean): void;
}

export function heldField(options: HeldFieldOptions): HeldField {
  const written = payloadField({ ...options, onLargeText: (whole) => void take(whole) });
  const words = h('span', {});
  let held: HeldPayload | undefined;
  /** The text that is on its way to the host. */
  let taking: object | undefined;
  const remove = button({
    label: t('Remove'),
    name: t('Remove the bytes of {0}', options.label.toLowerCase()),
    onClick: () => {
      set({ kind: 'text', text: '' });
      written.textElement.querySelector<HTMLElement>('vscode-text-area')?.focus();
      options.onChange();
    },
  });
  const chip = h('div', { class: 'held-payload', role: 'group' }, words, remove.element);
  chip.setAttribute('aria-label', options.label);
  const set = (value: FormPayload, origin?: string): void => {
    taking = undefined;
    held = value.kind === 'held' ? value : undefined;
    if (value.kind === 'held') setText(words, heldWords(value, origin));
    else written.value = value;
    show(chip, held !== undefined);
    show(written.textElement, held === undefined);
    show(written.kindElement, held === undefined);
  };
  const take = async (payload: PayloadInput): Promise<void> => {
    if (taking) return;
    const mine = (taking = {});
    options.onChange();
    const taken = await options.onLarge(payload);
    // Meanwhile the field may have been given what is in another draft.
    if (taking !== mine) return;
    taking = undefined;
    if (taken) {
      set(taken);
      remove.element.focus();
      announce(words.textContent);
    }
    options.onChange();
  };
  set(options.value);
  return {
    kindElement: written.kindElement,
    textElement: h('div', {}, chip, written.textElement),
    get value() {
      return held ?? written.value;
    },
    get isTaking() {
      return taking !== undefined;
    },
    set,
    setInvalid: (invalid) => {
      chip.classList.toggle('invalid', invalid);
      written.setInvalid(invalid);
    },
  };
}

function heldWords({ sizeBytes }: HeldPayload, origin: string | undefined): string {
  const size = count(sizeBytes, 'byte');
  return origin === undefined
    ? t('{0}, too many to edit here: sent as they are', size)
    : t('{0}, from {1}: sent as they are', size, origin);
}
