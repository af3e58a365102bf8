/** Where the parts of the offsets panel stand. */
import { t } from '../../src/base/l10n.ts';
import { append, h } from '../kit/dom.ts';
import type { GroupHeader } from './groupHeader.ts';

type Element = HTMLElement;

export interface Parts {
  readonly header: Pick<GroupHeader, 'title' | 'details' | 'readAt'>;
  readonly refresh: Element;
  readonly scope: Element;
  readonly scenario: Element;
  /** Across the page: of the cluster, and of what failed. */
  readonly notices: readonly Element[];
  readonly table: Element;
  /** In place of the table where it has no rows. */
  readonly empty: Element;
  readonly details: Element;
  readonly actions: Element;
  readonly card: Element;
}

export function layOut(parts: Parts): void {
  const { header, refresh, scope, scenario, notices } = parts;
  append(
    document.body,
    h(
      'header',
      { class: 'toolbar' },
      header.title,
      refresh,
      header.readAt,
      h('span', { class: 'spring' }),
      scope,
      h('span', { class: 'labelled' }, h('span', { class: 'dim' }, t('reset')), scenario),
    ),
    ...notices,
    header.details,
    h('main', { class: 'offsets' }, parts.table, parts.empty),
    parts.details,
    parts.actions,
    parts.card,
  );
}

export function emptyTable(): Element {
  return h(
    'p',
    { class: 'dim no-rows', hidden: true },
    t('This group has no committed offsets. Add a topic to give it some.'),
  );
}
