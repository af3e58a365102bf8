/** A key or a value: written in the page, or, where it is too large for that, kept by the host and only named here. */
import { t } from '../../src/base/l10n.ts';
import type { FormPayload, HeldPayload } from '../../src/shared/contracts/produce.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { payloadField, type PayloadFieldOptions } from './payloadField.ts';

export interface HeldField {
  readonly kindElement: HTMLElement;
  readonly textElement: HTMLElement;
  readonly value: FormPayload;
  set(value: FormPayload, origin: string | undefined): void;
  setInvalid(invalid: boolean): void;
}

export function heldField(options: PayloadFieldOptions): HeldField {
  const written = payloadField(options);
  const words = h('span', {});
  let held: HeldPayload | undefined;
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
    held = value.kind === 'held' ? value : undefined;
    if (value.kind === 'held') setText(words, heldWords(value, origin));
    else written.value = value;
    show(chip, held !== undefined);
    show(written.textElement, held === undefined);
    show(written.kindElement, held === undefined);
  };
  set(options.value);
  return {
    kindElement: written.kindElement,
    textElement: h('div', {}, chip, written.textElement),
    get value() {
      return held ?? written.value;
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
