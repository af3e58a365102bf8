/** Which group it is, its state in words, and who is in it. */
import type { GroupSnapshot } from '../../src/shared/contracts/offsets.ts';
import { append, fill, h, show } from '../kit/dom.ts';
import { count } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';

export interface GroupHeader {
  readonly title: HTMLElement;
  readonly details: HTMLElement;
  set(group: GroupSnapshot): void;
}

export function groupHeader(): GroupHeader {
  const title = h('div', { class: 'title' });
  const details = h('section', { class: 'members', 'aria-label': 'Members', hidden: true });
  return {
    title,
    details,
    set: (group) => {
      fill(
        title,
        'Reset',
        h('strong', {}, group.group),
        h('span', { class: 'dim' }, `@ ${group.cluster.name}`),
        group.cluster.readOnly && h('span', { class: 'tag' }, 'read-only'),
        h(
          'span',
          { class: `group-state ${group.resettable ? 'yes' : 'no'}` },
          icon(group.resettable ? 'check' : 'warning'),
          stateWords(group),
        ),
      );
      fill(details);
      if (group.members.length > 0) append(details, memberTable(group));
      show(details, group.members.length > 0);
    },
  };
}

function stateWords({ state, resettable, members }: GroupSnapshot): string {
  if (!resettable) {
    return `${state}, ${count(members.length, 'member')}: cannot be reset while it is active`;
  }
  return state === 'Dead' ? 'Does not exist yet: a reset creates it' : `${state}: can be reset`;
}

function memberTable({ members }: GroupSnapshot): HTMLElement {
  const rows = members.map((member) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row', title: member.memberId }, member.clientId || member.memberId),
      h('td', {}, member.host),
      h('td', {}, assignment(member)),
    ),
  );
  const titles = ['Client', 'Host', 'Partitions'].map((name) => h('th', { scope: 'col' }, name));
  return h(
    'details',
    { open: members.length <= 5 },
    h('summary', {}, count(members.length, 'member')),
    h('table', {}, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...rows)),
  );
}

/** `orders 0, 1; payments 2`. */
function assignment({ partitions }: GroupSnapshot['members'][number]): string {
  if (partitions.length === 0) return 'none';
  const byTopic = Map.groupBy(partitions, ({ topic }) => topic);
  return [...byTopic]
    .map(([topic, of]) => `${topic} ${of.map(({ partition }) => partition).join(', ')}`)
    .join('; ');
}
