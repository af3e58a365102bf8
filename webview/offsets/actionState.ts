/** What can be done now, and of what cannot, why. Nothing here touches the page. */
import { t } from '../../src/base/l10n.ts';
import type { GroupSnapshot, ResetScenario } from '../../src/shared/contracts/offsets.ts';
import { changingOf, chosenOf } from './chosen.ts';
import { type OffsetRow, whyNoCommit, whyNot, whyNotDelete } from './model.ts';

/** What has been asked for: the person is asked about it first. */
export type Phase = 'none' | 'asking' | 'resetting';

const phaseWords: Readonly<Record<Phase, () => string | undefined>> = {
  none: () => undefined,
  asking: () => t('Waiting for your answer.'),
  resetting: () => t('Resetting …'),
};

export interface ActionState {
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
  /** Whether there is a reset to undo, and why that cannot be done now. */
  readonly hasUndo: boolean;
  readonly whyNotUndo: string | undefined;
  /** Said elsewhere on the page already: the buttons alone have the reason. */
  readonly isReasonSaid: boolean;
}

export interface Scene {
  /** Why nothing can be asked of the cluster now; its own line says so too. */
  readonly clusterWhy: string | undefined;
  readonly phase: Phase;
  readonly group: GroupSnapshot | undefined;
  readonly rows: readonly OffsetRow[];
  readonly scenario: ResetScenario | undefined;
  /** Why what is typed beside the scenario is no value. */
  readonly fault?: string | undefined;
  readonly hasUndo: boolean;
}

export function actionState(scene: Scene): ActionState {
  const { clusterWhy, phase, group, rows, scenario, fault, hasUndo } = scene;
  const planned = chosenOf(rows);
  const busy = clusterWhy ?? phaseWords[phase]();
  return {
    scenario,
    chosen: planned.length,
    changing: changingOf(planned),
    shown: rows.length,
    why: busy ?? whyNot(group, rows, { scenario, fault }),
    isReasonSaid: clusterWhy !== undefined,
    whyNotDelete: clusterWhy ?? whyNotDelete(group),
    hasUndo,
    whyNotUndo: busy ?? whyNoCommit(group),
  };
}
