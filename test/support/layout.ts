// What a page looks like where there is little room: whatever is cut off, pushed out or covered.
import type { Page } from 'playwright-core';

/** As at 200% zoom in a window of 1100 by 700. */
export async function zoomTwice(page: Page): Promise<void> {
  await page.setViewportSize({ width: 550, height: 350 });
}

/** What is out of reach, cut off or covered, in words; a sound page has none. */
export async function layoutFaults(page: Page): Promise<string[]> {
  // Two frames: one for observers to see the new size, one for what they change.
  return page.evaluate<string[]>(`new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve((${FAULTS})()))),
  )`);
}

/** Text, as it runs in the page: the tests know no DOM types. */
const FAULTS = `() => {
  const faults = [];
  const nameOf = (element) =>
    element.tagName.toLowerCase() + ' "' +
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60) + '"';
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true }) &&
    element.closest('.visually-hidden') === null;
  const scrollerOf = (element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if ((at.scrollWidth > at.clientWidth && /auto|scroll/.test(overflowX)) ||
          (at.scrollHeight > at.clientHeight && /auto|scroll/.test(overflowY))) return at;
    }
    return null;
  };
  if (document.documentElement.scrollWidth > innerWidth + 1)
    faults.push('the page is ' + document.documentElement.scrollWidth + ' wide in ' + innerWidth);
  const controls = [...document.querySelectorAll(
    'button, input:not([type=radio]), select, textarea, vscode-button, vscode-dropdown, .segment, .popup-anchor > *',
  )].filter((each) => isSeen(each) && !each.closest('[role=listbox]'));
  for (const control of controls) {
    const { left, right, width } = control.getBoundingClientRect();
    if (width > 0 && scrollerOf(control) === null && (left < -1 || right > innerWidth + 1))
      faults.push(nameOf(control) + ' is outside, ' + Math.round(left) + ' to ' + Math.round(right));
  }
  const texts = [...document.body.querySelectorAll('*')].filter((each) =>
    isSeen(each) && each.tagName !== 'SCRIPT' &&
    [...each.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== ''));
  for (const text of texts) {
    const { overflowX, textOverflow } = getComputedStyle(text);
    // Where an ellipsis is meant, the whole can be read elsewhere.
    if (overflowX !== 'visible' && textOverflow !== 'ellipsis' && text.scrollWidth > text.clientWidth + 1)
      faults.push(nameOf(text) + ' is cut off');
    const range = document.createRange();
    range.selectNodeContents(text);
    const box = range.getBoundingClientRect();
    const holder = text.closest('button, vscode-button, .segment, .tag');
    if (holder && textOverflow !== 'ellipsis' && box.right > holder.getBoundingClientRect().right + 1)
      faults.push(nameOf(text) + ' runs out of its ' + holder.tagName.toLowerCase());
  }
  // A list that folds out has no overflow of its own: its text is measured.
  const measure = document.createElement('canvas').getContext('2d');
  const arrowPx = 14;
  for (const select of controls.filter((each) => each.tagName === 'SELECT')) {
    const { font, paddingLeft, paddingRight } = getComputedStyle(select);
    measure.font = font;
    const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrowPx;
    const shown = select.selectedOptions[0]?.textContent ?? '';
    if (measure.measureText(shown).width > room + 1) faults.push(nameOf(select) + ' cuts "' + shown + '" off');
  }
  for (const [index, one] of controls.entries())
    for (const other of controls.slice(index + 1)) {
      if (one.contains(other) || other.contains(one) || scrollerOf(one) !== scrollerOf(other)) continue;
      const a = one.getBoundingClientRect();
      const b = other.getBoundingClientRect();
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (wide > 2 && high > 2) faults.push(nameOf(one) + ' covers ' + nameOf(other));
    }
  return faults;
}`;
