/**
 * What stands below a payload of which the page has only the first part: how much that is, and what takes all of it.
 */
import { t } from '../../src/base/l10n.ts';
import type { CutPayload, PayloadForm } from '../../src/shared/contracts/recordDetails.ts';
import type { TakenPart } from '../../src/shared/contracts/tail.ts';
import { button } from '../kit/controls.ts';
import { h } from '../kit/dom.ts';
import { formatSize } from '../kit/format.ts';

export type Take = (to: TakenPart['to'], form: PayloadForm) => void;

/** What can be done with all of it. */
export interface CutOptions extends CutPayload {
  readonly onTake: Take;
}

export const firstWords = (shown: number): string =>
  t('Only the first {0} are shown. Copy takes all of it.', formatSize(shown));

interface Shown {
  readonly form: PayloadForm;
  /** How many bytes are here. */
  readonly bytes: number;
  /** Where less is shown than is here. */
  readonly showMore?: (() => void) | undefined;
  /** It has no button of its own to copy it. */
  readonly hasCopy?: boolean;
}

export function restOfCut(onTake: Take, { form, bytes, showMore, hasCopy }: Shown): HTMLElement {
  const more = { label: t('Show the first {0}', formatSize(bytes)), onClick: () => showMore?.() };
  const copy = { label: t('Copy'), onClick: () => onTake('clipboard', form) };
  return h(
    'div',
    { class: 'payload-rest' },
    showMore ? button(more).element : h('p', { class: 'dim' }, firstWords(bytes)),
    hasCopy && button(copy).element,
    button({ label: t('Open in an editor'), onClick: () => onTake('editor', form) }).element,
    button({ label: t('Save...'), onClick: () => onTake('file', form) }).element,
  );
}
