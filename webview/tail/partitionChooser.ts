/** All partitions or some of them. */
import { t } from '../../src/base/l10n.ts';
import { button, checkbox, type CheckboxControl } from '../kit/controls.ts';
import { fill, h } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { popupButton } from '../kit/parts.ts';

export interface PartitionChooser {
  readonly element: HTMLElement;
  /** Shows which of `partitionCount` are looked at. */
  set(partitionCount: number, partitions: readonly number[]): void;
}

export function partitionChooser(onChoose: (partitions: number[]) => void): PartitionChooser {
  let boxes: CheckboxControl[] = [];
  const list = h('div', { class: 'partition-list', role: 'group', 'aria-label': t('Partitions') });
  const opener = button({ label: t('Partitions'), onClick: () => undefined });
  opener.element.setAttribute('aria-haspopup', 'dialog');
  const chosen = (): number[] => boxes.flatMap((box, partition) => (box.checked ? partition : []));
  const apply = button({ label: t('Apply'), primary: true, onClick: () => onChoose(chosen()) });
  const validate = (): void =>
    apply.setDisabled(chosen().length === 0 ? t('Choose at least one partition') : undefined);
  const setAll = (checked: boolean): void => {
    for (const box of boxes) box.checked = checked;
    validate();
  };
  const content = h(
    'div',
    { class: 'partition-chooser' },
    h(
      'div',
      { class: 'row' },
      button({ label: t('All'), onClick: () => setAll(true) }).element,
      button({ label: t('None'), onClick: () => setAll(false) }).element,
      h('span', { class: 'spring' }),
      apply.element,
    ),
    list,
  );
  return {
    element: popupButton(opener.element, content),
    set: (partitionCount, partitions) => {
      opener.setLabel(words(partitionCount, partitions));
      boxes = Array.from({ length: partitionCount }, (_, partition) =>
        checkbox({
          label: String(partition),
          checked: partitions.includes(partition),
          onChange: validate,
        }),
      );
      fill(list, ...boxes.map((box) => box.element));
      validate();
    },
  };
}

function words(partitionCount: number, partitions: readonly number[]): string {
  if (partitionCount === 0) return t('Partitions');
  const all = count(partitionCount, 'partition');
  if (partitionCount === 1) return all;
  if (partitions.length === partitionCount) return t('All {0}', all);
  const [only] = partitions;
  return partitions.length === 1
    ? t('Partition {0}', only ?? '')
    : t('{0} of {1}', partitions.length, all);
}
