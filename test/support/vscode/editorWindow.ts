// One window of the editor, driven as a person would: by what is on the screen and the keyboard.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Locator, Page } from 'playwright-core';

const OUT = path.join(import.meta.dirname, '../../../out/vscode');
const START_LIMIT_MS = 120_000;
const LIMIT_MS = 60_000;
const PALETTE_LIMIT_MS = 8_000;
const MENU_LIMIT_MS = 8_000;

/** A window. Everything that it waits for has a limit, and fails by saying what was not there. */
export class EditorWindow {
  readonly page: Page;
  /** What the page and its frames complained about: content security, exceptions, failed loads. */
  readonly problems: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.setDefaultTimeout(LIMIT_MS);
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    page.on('pageerror', (error) => this.problems.push(String(error)));
  }

  /** What was refused under a content security policy, in the workbench and in webviews. */
  policyViolations(): string[] {
    return this.problems.filter((problem) => problem.includes('Content Security Policy'));
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.locator('.monaco-workbench').waitFor({ timeout: START_LIMIT_MS });
  }

  /** Reloads the window. By the command: it keeps what panels and views keep, which else is done at idle times. */
  async reload(): Promise<void> {
    const isLoading = this.page.waitForEvent('domcontentloaded', { timeout: START_LIMIT_MS });
    await this.runCommand('Developer: Reload Window');
    await isLoading;
    await this.page.locator('.monaco-workbench').waitFor({ timeout: START_LIMIT_MS });
  }

  /** Opens a view container by the label of its icon in the activity bar; again if it is open already. */
  async openViewContainer(label: string): Promise<void> {
    const item = this.page.locator('.activitybar .action-item', {
      has: this.page.locator(`[aria-label^="${label}"]`),
    });
    await item.first().waitFor({ timeout: START_LIMIT_MS });
    if ((await item.first().getAttribute('class'))?.includes('checked')) return;
    await item.first().click();
  }

  /** Runs a command by its title, category included, from the command palette. */
  async runCommand(title: string): Promise<void> {
    for (let tries = 1; ; tries++) {
      // The keyboard may be with a webview that is gone.
      if (tries === 1) await this.page.keyboard.press('F1');
      else await this.page.locator('.titlebar .command-center .command-center-center').click();
      try {
        await this.quickInput().fill(`>${title}`, { timeout: PALETTE_LIMIT_MS });
        await this.#row(title).click({ timeout: PALETTE_LIMIT_MS });
        return;
      } catch (error) {
        // Whatever takes the focus, such as a view that is shown late, closes the palette.
        if (tries === 3) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** The input of the quick pick, the input box or the palette that is open. */
  quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible input.input').first();
  }

  /** Chooses an entry of the open quick pick. */
  async pick(text: string | RegExp): Promise<void> {
    await this.#row(text).click();
  }

  #row(text: string | RegExp): Locator {
    return this.page.locator('.quick-input-list .monaco-list-row', { hasText: text }).first();
  }

  /** Answers the open input box. */
  async answer(text: string): Promise<void> {
    await this.quickInput().fill(text);
    await this.page.keyboard.press('Enter');
  }

  /** A row of a tree, by its accessible name: what a screen reader says of it. */
  treeItem(name: string | RegExp): Locator {
    return this.page.getByRole('treeitem', { name }).first();
  }

  /** Opens the menu of a row and chooses an entry. */
  async chooseFromMenuOf(row: Locator, entry: string): Promise<void> {
    const item = this.page.locator('.monaco-menu .action-item', { hasText: entry });
    for (let tries = 1; ; tries++) {
      await row.click({ button: 'right' });
      try {
        // By keyboard: a menu ignores the mouse button for a while after the pointer came to an item.
        await item.first().hover({ timeout: MENU_LIMIT_MS });
        const focused = this.page.locator('.monaco-menu .action-item.focused', { hasText: entry });
        await focused.waitFor({ timeout: MENU_LIMIT_MS });
        break;
      } catch (error) {
        // Whatever takes the focus, such as a panel that opens late, closes the menu.
        if (tries === 3) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
    await this.page.keyboard.press('Enter');
  }

  /** Waits for a notification and returns its text. */
  async toast(pattern: string | RegExp): Promise<string> {
    const toasts = this.page.locator('.notifications-toasts .notification-list-item-message');
    const toast = toasts.filter({ hasText: pattern }).first();
    await toast.waitFor();
    return (await toast.textContent()) ?? '';
  }

  /** Presses a button of the modal dialog that is open. */
  async chooseInDialog(button: string): Promise<void> {
    await this.page.locator('.monaco-dialog-box').getByRole('button', { name: button }).click();
  }

  /**
   * The document of a webview. Webviews lie over the workbench, all at the end of the document, so one is
   * known by what is in it: `marker` is a CSS selector of something visible that only it has.
   */
  async webview(marker: string): Promise<FrameLocator> {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const outer = this.page.locator('iframe.webview.ready');
      for (let i = 0, count = await outer.count(); i < count; i++) {
        const name = await outer
          .nth(i)
          .getAttribute('name')
          .catch(() => null);
        if (name === null) continue;
        const frame = this.page
          .frameLocator(`iframe.webview.ready[name="${name}"]`)
          .frameLocator('iframe#active-frame');
        if (await frame.locator(marker).first().isVisible()) return frame;
      }
      if (performance.now() > deadline) throw new Error(`No webview shows ${marker}`);
      await sleep(50);
    }
  }

  /** All that the editor keeps in this browser: its storage and its databases, as text. */
  async browserState(): Promise<string> {
    return this.page.evaluate<string>(readBrowserState);
  }

  /** Keeps a picture of the window as `out/vscode/NAME.png`. */
  async screenshot(name: string): Promise<string> {
    await mkdir(OUT, { recursive: true });
    const file = path.join(OUT, `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}

/** Text, as it runs in the page: the tests know no DOM types. */
const readBrowserState = `(async () => {
  const parts = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(new Error('a database cannot be read'));
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const values = await done(database.transaction(store).objectStore(store).getAll());
      parts.push(...values.map((value) => JSON.stringify(value)));
    }
    database.close();
  }
  return parts.join('\\n');
})()`;
