/** Whether the group is watched, and from what lag on it is told of. */
import { t } from '../../src/base/l10n.ts';
import type { LagWatch } from '../../src/shared/contracts/lag.ts';
import { button, checkbox, textField, type TextControl } from '../kit/controls.ts';
import { h, setAttribute, setText } from '../kit/dom.ts';
import { groupThousands } from '../kit/format.ts';
import { popupButton } from '../kit/parts.ts';

export interface WatchBox {
  readonly element: HTMLElement;
  set(watch: LagWatch, isAlarmed: boolean): void;
}

export function watchBox(onChange: (watch: LagWatch) => void): WatchBox {
  const opener = button({ label: t('Watch lag'), onClick: () => undefined });
  const isWatched = checkbox({
    label: t('Watch this group also while the panel is hidden'),
    checked: false,
    onChange: () => undefined,
  });
  const problem = h('p', { class: 'watch-problem', role: 'alert' });
  const records = numberField(t('Alert at a lag of so many offsets'), t('off'));
  const seconds = numberField(t('Alert at so many seconds behind'), t('off'));
  const save = button({
    label: t('Save'),
    primary: true,
    onClick: () => {
      const values = [records, seconds].map(({ value }) => toThreshold(value));
      setText(
        problem,
        values.includes(undefined) ? t('A threshold is a whole number above 0, or nothing.') : '',
      );
      const [most, longest] = values;
      if (most === undefined || longest === undefined) return;
      const watch = {
        isWatched: isWatched.checked,
        records: most,
        seconds: longest === null ? null : Math.min(Number(longest), 1e9),
      };
      onChange(watch);
      // It closes the box.
      opener.element.click();
      opener.element.focus();
    },
  });
  const content = h(
    'div',
    { class: 'watch' },
    isWatched.element,
    field(t('alert at'), records, t('offsets')),
    field(t('or at'), seconds, t('seconds behind')),
    h(
      'p',
      { class: 'dim' },
      t(
        'You are told once when the lag comes to a threshold, and again only after it was below four fifths of it.',
      ),
    ),
    problem,
    save.element,
  );
  let shown = '';
  return {
    element: popupButton(opener.element, content),
    set: (watch, isAlarmed) => {
      opener.setLabel(
        watch.isWatched ? t('Watched') : t('Watch lag'),
        isAlarmed ? 'warning' : watch.isWatched ? 'check' : undefined,
      );
      if (!watch.isWatched && !isAlarmed) opener.element.querySelector('.icon')?.remove();
      // What somebody is typing is not written over, neither by the next sample nor by what was saved before.
      const isOpen = opener.element.getAttribute('aria-expanded') === 'true';
      if (shown === JSON.stringify(watch) || (isOpen && shown !== '')) return;
      shown = JSON.stringify(watch);
      isWatched.checked = watch.isWatched;
      records.value = watch.records === null ? '' : groupThousands(watch.records);
      seconds.value = watch.seconds === null ? '' : groupThousands(watch.seconds);
    },
  };
}

function numberField(label: string, placeholder: string): TextControl {
  const control = textField({ label, placeholder, class: 'threshold', onInput: () => undefined });
  setAttribute(control.element, 'inputmode', 'numeric');
  return control;
}

function field(before: string, control: TextControl, after: string): HTMLElement {
  return h(
    'div',
    { class: 'labelled' },
    h('span', { class: 'dim' }, before),
    control.element,
    h('span', { class: 'dim' }, after),
  );
}

/** Null: none; undefined: not a threshold. */
function toThreshold(text: string): string | null | undefined {
  const digits = text.replaceAll(/[,\s]/g, '');
  if (digits === '') return null;
  return /^[1-9]\d{0,17}$/.test(digits) ? digits : undefined;
}
