/** What can be done with the plan: reset, undo, and the same for the command line. */
import { t } from '../../src/base/l10n.ts';
import type { ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';

export interface FooterState {
  readonly scenario: ResetScenario | undefined;
  /** Partitions that are selected and planned. */
  readonly chosen: number;
  /** Of those, the ones where the group is elsewhere afterwards. */
  readonly changing: number;
  readonly shown: number;
  /** Why nothing can be reset now. */
  readonly why: string | undefined;
  /** Why the group cannot be deleted now. */
  readonly whyNotDelete: string | undefined;
  readonly canUndo: boolean;
}

export interface Footer {
  readonly element: HTMLElement;
  update(state: FooterState): void;
}

export function footer(options: {
  readonly leading: readonly HTMLElement[];
  readonly onReset: () => void;
  readonly onUndo: () => void;
  readonly onCopyCommand: () => void;
  readonly onExport: () => void;
  readonly onDeleteGroup: () => void;
}): Footer {
  const reset = button({ label: t('Reset'), primary: true, onClick: options.onReset });
  const undo = button({ label: t('Undo'), onClick: options.onUndo });
  const copy = button({
    label: t('Copy command'),
    title: t('Copy the kafka-consumer-groups command that does the same'),
    onClick: options.onCopyCommand,
  });
  const exported = button({
    label: t('Export CSV …'),
    title: t('Write the new offsets for kafka-consumer-groups --from-file'),
    onClick: options.onExport,
  });
  const deleteGroup = button({ label: t('Delete group …'), onClick: options.onDeleteGroup });
  const reason = h('span', { class: 'dim reason', role: 'status' });
  const totals = h('span', { class: 'dim' });
  return {
    element: h(
      'footer',
      { class: 'actions' },
      reason,
      ...options.leading,
      totals,
      h('span', { class: 'spring' }),
      deleteGroup.element,
      copy.element,
      exported.element,
      h('span', { class: 'row' }, undo.element, reset.element),
    ),
    update: ({ scenario, chosen, changing, shown, why, whyNotDelete, canUndo }) => {
      const none = chosen === 0 ? t('No partition is selected and planned.') : undefined;
      const isNothing = chosen > 0 && changing === 0;
      reset.setLabel(
        isNothing
          ? t('Nothing to reset')
          : chosen === 0
            ? t('Reset')
            : resetLabel(scenario?.kind, count(chosen, 'partition')),
      );
      reset.setDisabled(why);
      deleteGroup.setDisabled(whyNotDelete);
      copy.setDisabled(none);
      exported.setDisabled(scenario?.kind === 'delete' ? t('Nothing is left to export.') : none);
      show(undo.element, canUndo);
      setText(reason, why ?? '');
      setText(totals, shown === 0 ? '' : t('{0} of {1}', chosen, count(shown, 'partition')));
    },
  };
}

function resetLabel(kind: ResetScenario['kind'] | undefined, partitions: string): string {
  if (kind === 'delete') return t('Delete commits of {0}', partitions);
  return kind === 'restore' ? t('Restore {0}', partitions) : t('Reset {0}', partitions);
}
