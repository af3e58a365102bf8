// A panel with the Tab key alone.
import type { Page } from 'playwright-core';

/** More than any panel of a test has. */
const STOPS_MAX = 120;

/** Presses Tab until the focus is on the control with this name. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const passed: string[] = [];
  while (passed.length < STOPS_MAX) {
    await page.keyboard.press('Tab');
    const now = await page.evaluate<string>(FOCUSED_NAME);
    if (now === name) return;
    passed.push(now);
  }
  throw new Error(`Tab does not come to ${name}, only to: ${[...new Set(passed)].join(', ')}`);
}

/** The controls that are seen and work, and that Tab, once around, does not come to. */
export async function unreachedControls(page: Page): Promise<string[]> {
  await page.evaluate(MARK_REACHED);
  for (let stops = 0; stops < STOPS_MAX; stops++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate<boolean>('globalThis.isAround')) return page.evaluate(UNREACHED);
  }
  throw new Error(`Tab is not around after ${STOPS_MAX} controls`);
}

// Text, as it runs in the page: the tests know no DOM types.
const NAME_OF = `(element) => (element?.getAttribute('aria-label') ?? element?.closest('label')?.textContent ??
  element?.textContent ?? '').trim().slice(0, 60)`;
const FOCUSED_NAME = `(${NAME_OF})(document.activeElement)`;

const MARK_REACHED = `
  globalThis.isAround = false;
  globalThis.reached = new Set();
  document.addEventListener('focusin', ({ target }) => {
    globalThis.isAround ||= reached.has(target);
    reached.add(target);
  });
  document.activeElement?.blur();`;

/** Of a group of radio buttons, Tab comes to one: the arrow keys move on from there. */
const UNREACHED = `(() => {
  const groups = new Set([...reached].map(({ type, name }) => type === 'radio' && name));
  const controls = document.querySelectorAll(
    'vscode-button, vscode-checkbox, vscode-dropdown, vscode-link, vscode-text-area, vscode-text-field,' +
    'input, select, summary, [tabindex="0"]');
  return [...controls]
    .filter((control) => control.checkVisibility({ visibilityProperty: true }) && !control.disabled)
    .filter((control) => !reached.has(control) && !(control.type === 'radio' && groups.has(control.name)))
    .filter((control) => control.getAttribute('aria-hidden') !== 'true')
    .map(${NAME_OF});
})()`;
