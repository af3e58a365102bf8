/** Which group it is, its state in words, and who is in it. */
import { t } from '../../src/base/l10n.ts';
import type { GroupSnapshot } from '../../src/shared/contracts/offsets.ts';
import { button } from '../kit/controls.ts';
import { append, fill, h, setText, show } from '../kit/dom.ts';
import { count, timeOf } from '../kit/format.ts';
import { icon } from '../kit/icons.ts';

export interface GroupHeader {
  readonly title: HTMLElement;
  readonly details: HTMLElement;
  /** When the offsets that are shown were read: a group that is active reads on. */
  readonly readAt: HTMLElement;
  /** Shows a group that was read just now. */
  set(group: GroupSnapshot): void;
  /** Its offsets were read anew just now. */
  setRead(): void;
}

export interface GroupHeaderOptions {
  readonly onRemoveMembers: () => void;
}

export function groupHeader({ onRemoveMembers }: GroupHeaderOptions): GroupHeader {
  const title = h('div', { class: 'title' });
  const details = h('section', { class: 'members', 'aria-label': t('Members'), hidden: true });
  const readAt = h('span', { class: 'dim' });
  const setRead = (): void => setText(readAt, t('read at {0}', timeOf(new Date())));
  return {
    ...{ title, details, readAt, setRead },
    set: (group) => {
      setRead();
      fill(
        title,
        t('Reset'),
        h('strong', {}, group.group),
        h('span', { class: 'dim' }, `@ ${group.cluster.name}`),
        group.cluster.readOnly && h('span', { class: 'tag' }, t('read-only')),
        h(
          'span',
          { class: `group-state ${group.resettable ? 'yes' : 'no'}` },
          icon(group.resettable ? 'check' : 'warning'),
          stateWords(group),
        ),
      );
      fill(details);
      if (group.members.length > 0) append(details, memberTable(group));
      if (!group.resettable) append(details, refusal(group, onRemoveMembers));
      show(details, group.members.length > 0 || !group.resettable);
    },
  };
}

function stateWords({ state, resettable, members }: GroupSnapshot): string {
  if (!resettable) {
    return t(
      '{0}, {1}: cannot be reset while it is active',
      state,
      count(members.length, 'member'),
    );
  }
  return state === 'Dead'
    ? t('Does not exist yet: a reset creates it')
    : t('{0}: can be reset', state);
}

/** Why Kafka refuses, and what can be done about it from here. */
function refusal(group: GroupSnapshot, onRemoveMembers: () => void): HTMLElement {
  const remove = button({ label: t('Remove its members'), onClick: onRemoveMembers });
  return h(
    'p',
    { class: 'refusal' },
    h(
      'span',
      {},
      t(
        'Kafka lets only the members of an active group commit, so that no offset is changed under a consumer that is at work.',
      ),
      ' ',
      group.canRemoveMembers
        ? t('Stop the consumers, or have the cluster remove them.')
        : t('Stop the consumers; the group can be reset once their sessions have ended.'),
    ),
    group.canRemoveMembers && !group.cluster.readOnly && remove.element,
  );
}

function memberTable({ members }: GroupSnapshot): HTMLElement {
  const rows = members.map((member) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row', title: member.memberId }, member.clientId || member.memberId),
      h('td', {}, member.host.replace(/^\//, '')),
      h('td', {}, assignment(member)),
    ),
  );
  const titles = [t('Client'), t('Host'), t('Partitions')].map((name) =>
    h('th', { scope: 'col' }, name),
  );
  return h(
    'details',
    { open: members.length <= 5 },
    h('summary', {}, count(members.length, 'member')),
    h('table', {}, h('thead', {}, h('tr', {}, ...titles)), h('tbody', {}, ...rows)),
  );
}

/** `orders 0, 1; payments 2`. */
function assignment({ partitions }: GroupSnapshot['members'][number]): string {
  if (partitions.length === 0) return t('none');
  const byTopic = Map.groupBy(partitions, ({ topic }) => topic);
  return [...byTopic]
    .map(([topic, of]) => `${topic} ${of.map(({ partition }) => partition).join(', ')}`)
    .join('; ');
}
