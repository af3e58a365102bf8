/** A line across the panel while its cluster cannot be reached, with the button that brings it up. */
import { t } from '../../src/base/l10n.ts';
import type { ClusterStatus } from '../../src/shared/contracts/clusterStatus.ts';
import { icon } from './icons.ts';
import { announce, noticeLine } from './parts.ts';

export interface ClusterLine {
  readonly element: HTMLElement;
  /** Why nothing can be asked of the cluster now, in words; undefined where it is up. */
  readonly why: string | undefined;
  show(status: ClusterStatus): void;
}

export function clusterLine(onBringUp: () => void): ClusterLine {
  const line = noticeLine();
  line.element.classList.add('notice-warning');
  line.element.prepend(icon('warning'));
  let why: string | undefined;
  return {
    element: line.element,
    get why() {
      return why;
    },
    show: (status) => {
      const before = why;
      why = whyOf(status);
      const { remedy, problem } = status;
      const label = remedy === 'start' ? t('Start the embedded cluster') : t('Try again');
      line.show(
        why === undefined ? undefined : [why, problem?.hint ?? ''].join(' ').trim(),
        remedy && { label, onClick: onBringUp },
      );
      if (why !== undefined && why !== before) announce(why);
    },
  };
}

function whyOf({ state, problem }: ClusterStatus): string | undefined {
  if (state === 'up') return undefined;
  if (state === 'starting') return t('The embedded cluster is starting …');
  return problem?.message ?? t('The cluster cannot be reached.');
}
