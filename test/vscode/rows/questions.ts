// Answers to what the editor asks in its own quick input, by the keyboard.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../../support/vscode/editorWindow.ts';

const TRIES = 3;
/** More than a list shows once it is filtered. */
const ROWS_MAX = 20;
const PALETTE_LIMIT_MS = 8_000;
const DIALOG_LIMIT_MS = 5_000;

/** Runs a command of ours from the palette. A click would also press what comes to light under the palette. */
export async function runCommand(window: EditorWindow, title: string): Promise<void> {
  const { page } = window;
  for (let tries = 1; ; tries++) {
    await page.keyboard.press('F1');
    try {
      await window.quickInput().fill(`>${title}`, { timeout: PALETTE_LIMIT_MS });
      await chooseRow(window, title, PALETTE_LIMIT_MS);
      return;
    } catch (error) {
      // Whatever takes the focus, such as a view that is shown late, closes the palette.
      if (tries === TRIES) throw error;
      await page.keyboard.press('Escape');
    }
  }
}

/** Chooses in the list with this placeholder, or any; `text` is the whole label. */
export async function chooseInList(
  window: EditorWindow,
  placeholder: string | undefined,
  text: string,
): Promise<void> {
  const named = placeholder === undefined ? '' : `[placeholder="${placeholder}"]`;
  const input = window.page.locator(`.quick-input-widget:visible input.input${named}`);
  await input.fill(text);
  await chooseRow(window, text);
  // The next question may be there already, where this had no placeholder of its own.
  if (placeholder !== undefined) await input.waitFor({ state: 'detached' });
}

/** Goes down the list to the row with this label, and chooses it. */
async function chooseRow(window: EditorWindow, label: string, timeout?: number): Promise<void> {
  const rows = window.page.locator('.quick-input-widget:visible .monaco-list-row');
  const row = rows.filter({
    has: window.page.locator('.label-name').getByText(label, { exact: true }),
  });
  await row.first().waitFor(timeout === undefined ? {} : { timeout });
  const input = window.quickInput();
  for (let steps = 0; steps < ROWS_MAX; steps++) {
    if ((await row.first().getAttribute('class'))?.includes('focused')) break;
    await input.press('ArrowDown');
  }
  await input.press('Enter');
}

/** Answers the dialog for a file of the server's machine, to open or to save: a quick input that takes a path. */
export async function answerFileDialog(
  window: EditorWindow,
  file: string,
  isThere: boolean,
): Promise<void> {
  const { page } = window;
  const ok = page.locator('.quick-input-widget:visible .quick-input-action').first();
  await ok.waitFor();
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: path.basename(file) });
  const input = window.quickInput();
  // Until it has listed its folders it replaces what is typed, and does not take it: so it is told again.
  for (let tries = 0; ; tries++) {
    assert.ok(tries < 20, 'the dialog does not take the path');
    await input.fill(file);
    await page.waitForTimeout(400);
    const isTaken = (await input.inputValue()) === file;
    if (!isTaken || (isThere && !(await row.first().isVisible()))) continue;
    await input.press('Enter');
    if (await isGone(ok)) return;
  }
}

const isGone = (shown: Locator): Promise<boolean> =>
  shown.waitFor({ state: 'hidden', timeout: DIALOG_LIMIT_MS }).then(
    () => true,
    () => false,
  );
