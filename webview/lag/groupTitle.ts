/** Which group the panel is of, and what is said of it. */
import { t } from '../../src/base/l10n.ts';
import type { LagGroup } from '../../src/shared/contracts/lag.ts';
import { fill, h } from '../kit/dom.ts';
import { count } from '../kit/format.ts';

export interface GroupTitle {
  readonly element: HTMLElement;
  set(group: LagGroup): void;
}

/** `name` stands there until the group is loaded. */
export function groupTitle(name: string): GroupTitle {
  const element = h('div', { class: 'title' }, name);
  let shown = '';
  return {
    element,
    set: ({ group, cluster, state, memberCount }) => {
      const members = count(memberCount, 'member');
      const words = JSON.stringify([group, cluster, state, members]);
      if (words === shown) return;
      shown = words;
      fill(
        element,
        h('strong', {}, group),
        h('span', { class: 'dim' }, `@ ${cluster.name}`),
        cluster.readOnly && h('span', { class: 'tag' }, t('read-only')),
        h('span', { class: 'dim' }, `· ${state} · ${members}`),
      );
    },
  };
}

/** Why there is no row. */
export function nothingWords({ group, cluster, state }: LagGroup): string {
  return state === 'Dead'
    ? t(
        'There is no group {0} on {1}. It is there once a consumer joins it or commits, and this panel then shows it.',
        group,
        cluster.name,
      )
    : t('{0} has no commit, and no partition is assigned to a member.', group);
}
