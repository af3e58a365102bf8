/** What can be done with the plan: reset, undo, and the same for the command line. */
import { t } from '../../src/base/l10n.ts';
import type { ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { button } from '../kit/controls.ts';
import { h, setText, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import type { ActionState } from './actionState.ts';

export interface Footer {
  readonly element: HTMLElement;
  update(state: ActionState): void;
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
    label: t('Export CSV...'),
    title: t('Write the new offsets for kafka-consumer-groups --from-file'),
    onClick: options.onExport,
  });
  const deleteGroup = button({ label: t('Delete group...'), onClick: options.onDeleteGroup });
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
    update: (state) => {
      const { scenario, chosen, changing, shown, why } = state;
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
      deleteGroup.setDisabled(state.whyNotDelete);
      copy.setDisabled(none);
      exported.setDisabled(scenario?.kind === 'delete' ? t('Nothing is left to export.') : none);
      show(undo.element, state.hasUndo);
      undo.setDisabled(state.whyNotUndo);
      setText(reason, state.isReasonSaid ? '' : (why ?? ''));
      setText(totals, shown === 0 ? '' : t('{0} of {1}', chosen, count(shown, 'partition')));
    },
  };
}

function resetLabel(kind: ResetScenario['kind'] | undefined, partitions: string): string {
  if (kind === 'delete') return t('Delete offsets of {0}', partitions);
  return kind === 'restore' ? t('Restore {0}', partitions) : t('Reset {0}', partitions);
}
