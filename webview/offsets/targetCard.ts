/** The record at a row's new offset, beside the field that the pointer rests on. */
import { t } from '../../src/base/l10n.ts';
import { fill, h, show } from '../kit/dom.ts';
import { formatInt64 } from '../kit/format.ts';
import { errorWords, toUserError } from '../kit/parts.ts';
import { type ReadFacts, recordWords } from './lookedAt.ts';
import type { OffsetRow } from './model.ts';

export interface TargetCard {
  readonly element: HTMLElement;
  /** The pointer came to a row's new offset. */
  rest(row: OffsetRow, at: HTMLElement): void;
  /** It left. */
  leave(): void;
}

/** A pointer that passes over rows reads nothing. */
const RESTING_MS = 300;
/** So long the pointer may be on its way from the field to the card. */
const LEAVING_MS = 150;
const GAP = 2;

export function targetCard(read: ReadFacts): TargetCard {
  let reading: AbortController | undefined;
  let timer = 0;
  const hide = (): void => {
    clearTimeout(timer);
    reading?.abort();
    show(element, false);
  };
  const leave = (): void => {
    clearTimeout(timer);
    timer = setTimeout(hide, LEAVING_MS);
  };
  const element = h('div', {
    class: 'target-card',
    role: 'tooltip',
    hidden: true,
    onpointerenter: () => clearTimeout(timer),
    onpointerleave: leave,
  });
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') hide();
  });
  const open = async (row: OffsetRow, target: string, at: HTMLElement): Promise<void> => {
    const { signal } = (reading = new AbortController());
    const present = (...words: (HTMLElement | string)[]): void => {
      if (signal.aborted) return;
      fill(element, ...words);
      show(element, true);
      place(element, at);
    };
    present(h('span', { class: 'dim' }, t('Reading the record at {0} …', formatInt64(target))));
    try {
      present(...recordWords(await read(row, target, signal)));
    } catch (error) {
      present(errorWords(toUserError(error)));
    }
  };
  return {
    element,
    rest: (row, at) => {
      hide();
      timer = setTimeout(() => {
        const target = row.plan?.target;
        if (target !== undefined && target !== null) void open(row, target, at);
      }, RESTING_MS);
    },
    leave,
  };
}

/** Below the field, or above it where there is no room below. */
function place(element: HTMLElement, at: HTMLElement): void {
  const field = at.getBoundingClientRect();
  const { width, height } = element.getBoundingClientRect();
  const below = field.bottom + GAP;
  const hasRoom = below + height <= innerHeight;
  element.style.top = `${hasRoom ? below : Math.max(0, field.top - GAP - height)}px`;
  element.style.left = `${Math.max(0, Math.min(field.left, innerWidth - width - GAP))}px`;
}
