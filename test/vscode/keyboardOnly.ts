import assert from 'node:assert/strict';
import type { FrameLocator, Locator, Page } from 'playwright-core';

const STEPS_MAX = 120;

/** Moves the focus of a list or a tree down from its top until it is on a row. */
export async function moveTo(page: Page, row: Locator): Promise<void> {
  await page.keyboard.press('Home');
  await pressUntil(page, 'ArrowDown', async () => (await classOf(row)).includes('focused'));
}

/** Opens the row that has the focus, if it is closed. */
export async function expand(page: Page, row: Locator): Promise<void> {
  if ((await row.getAttribute('aria-expanded')) === 'false')
    await page.keyboard.press('ArrowRight');
  await page.locator('[role=treeitem].focused[aria-expanded="true"]').waitFor();
}

/** Opens the menu of the row that has the focus, and chooses from it. */
export async function chooseFromMenu(page: Page, entry: string): Promise<void> {
  await page.keyboard.press('Shift+F10');
  const items = page.locator('.monaco-menu .action-item', { hasText: entry });
  await items.first().waitFor();
  await pressUntil(page, 'ArrowDown', async () =>
    (await classOf(items.first())).includes('focused'),
  );
  await page.keyboard.press('Enter');
}

/** Presses Tab until the focus of a panel is on the control with this name. */
export async function tabTo(page: Page, frame: FrameLocator, name: string | RegExp): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    const focused = await frame.locator('html').evaluate<string, unknown>(FOCUSED_NAME);
    return typeof name === 'string' ? focused === name : name.test(focused);
  };
  await pressUntil(page, 'Tab', isThere);
}

async function pressUntil(page: Page, key: string, isDone: () => Promise<boolean>): Promise<void> {
  for (let steps = 0; !(await isDone()); steps++) {
    assert.ok(steps < STEPS_MAX, `${key} does not come there`);
    await page.keyboard.press(key);
  }
}

async function classOf(element: Locator): Promise<string> {
  if ((await element.count()) === 0) return '';
  return (await element.getAttribute('class')) ?? '';
}

/** Text, as it runs in the page: the tests know no DOM types. */
const FOCUSED_NAME = `(
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''
).trim()`;
