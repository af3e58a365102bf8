/** Which of the records in the log are read: those of open and aborted transactions too, and markers. */
import { t } from '../../src/base/l10n.ts';
import type { TailScope } from '../../src/shared/contracts/tailQuery.ts';
import { button, checkbox } from '../kit/controls.ts';
import { h, setText } from '../kit/dom.ts';
import { popupButton, segmented } from '../kit/parts.ts';

export interface ScopeChooser {
  readonly element: HTMLElement;
  value: TailScope;
}

const MEANINGS: Record<TailScope['isolation'], string> = {
  read_uncommitted: t(
    'Every record in the log, also of transactions that are open or were aborted, each marked as such.',
  ),
  read_committed: t(
    'What a consumer with isolation.level=read_committed gets: up to the last stable offset, without aborted records.',
  ),
};

export function scopeChooser(onChoose: (scope: TailScope) => void): ScopeChooser {
  let scope: TailScope = { isolation: 'read_uncommitted', markers: false };
  const opener = button({
    label: scope.isolation,
    title: t('Isolation level and transaction markers'),
    onClick: () => undefined,
  });
  opener.element.setAttribute('aria-haspopup', 'dialog');
  const meaning = h('p', { class: 'dim scope-meaning' });
  const choose = (change: Partial<TailScope>): void => {
    set({ ...scope, ...change });
    onChoose(scope);
  };
  const isolation = segmented({
    label: t('Isolation level'),
    choices: [
      { value: 'read_uncommitted', text: 'read_uncommitted' },
      { value: 'read_committed', text: 'read_committed' },
    ],
    value: scope.isolation,
    onChange: (chosen) => choose({ isolation: chosen }),
  });
  const markers = checkbox({
    label: t('Show transaction markers'),
    checked: scope.markers,
    onChange: (checked) => choose({ markers: checked }),
  });
  const set = (next: TailScope): void => {
    scope = next;
    isolation.value = next.isolation;
    markers.checked = next.markers;
    opener.setLabel(next.markers ? t('{0}, markers', next.isolation) : next.isolation);
    setText(meaning, MEANINGS[next.isolation]);
  };
  set(scope);
  const content = h('div', { class: 'scope-chooser' }, isolation.element, meaning, markers.element);
  return {
    element: popupButton(opener.element, content),
    get value() {
      return scope;
    },
    set value(next) {
      set(next);
    },
  };
}
