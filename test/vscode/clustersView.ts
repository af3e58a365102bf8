import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';

/** As much of an element as is read inside the page; the tests know no DOM types. */
interface PageElement {
  getAttribute(name: string): string | null;
  getBoundingClientRect(): { readonly top: number };
}

/** The Clusters view in a window, driven by what a person sees and a screen reader says. */
export class ClustersView {
  readonly window: EditorWindow;

  constructor(window: EditorWindow) {
    this.window = window;
  }

  /** Shows the view. */
  async show(): Promise<void> {
    await this.window.openViewContainer('Kafka Workbench');
  }

  /** Closes every row, so that those of one cluster have the room of all. */
  async collapseAll(): Promise<void> {
    const { page } = this.window;
    const pane = page.locator('.part.sidebar .pane', {
      has: page.locator('.pane-header', { hasText: 'Clusters' }),
    });
    const header = pane.locator('.pane-header');
    await header.hover();
    await header.getByRole('button', { name: 'Collapse All' }).click();
    await pane.locator('[role=treeitem][aria-level="2"]').first().waitFor({ state: 'detached' });
  }

  /** Opens the rows, from the top, each below the one before, and answers with the last one. */
  async open(...names: readonly (string | RegExp)[]): Promise<Locator> {
    let after: Locator | undefined;
    for (const name of names) {
      const row = this.below(after, name);
      await row.waitFor();
      await this.#expand(row);
      after = row;
    }
    assert.ok(after, 'a name');
    return after;
  }

  /** A row may open by itself at the same moment, and the click then closes it: so it is looked at again. */
  async #expand(row: Locator): Promise<void> {
    for (let clicks = 0; (await row.getAttribute('aria-expanded')) === 'false'; clicks++) {
      assert.ok(clicks < 10, 'the row does not open');
      await row.locator('.monaco-tl-twistie').click();
      await this.window.page.waitForTimeout(500);
    }
  }

  /** The first row of a name; with `after`, the first such row that comes after it. */
  below(after: Locator | undefined, name: string | RegExp): Locator {
    const rows = after
      ? after.locator('xpath=following-sibling::*')
      : this.window.page.locator('.part.sidebar [role=treeitem]');
    return rows.and(this.window.page.getByRole('treeitem', { name })).first();
  }

  /** Chooses from the menu of a row; a tooltip of the row before may lie over it, and is left alone first. */
  async choose(row: Locator, entry: string): Promise<void> {
    const { page } = this.window;
    const tooltip = page.locator('.context-view .workbench-hover-container');
    await page.mouse.move(900, 500);
    // One that comes late, when the pointer stands already, stays until the pointer moves again, and far: within the
    // tooltip it stays too. A key that means nothing ends the rest.
    for (let moves = 0; moves < 100 && (await tooltip.isVisible()); moves++) {
      await page.mouse.move(moves % 2 ? 900 : 700, moves % 2 ? 500 : 300, { steps: 4 });
      if (moves % 10 === 9) await page.keyboard.press('F20');
      await page.waitForTimeout(200);
    }
    await tooltip.waitFor({ state: 'hidden' });
    await this.window.chooseFromMenuOf(row, entry);
  }

  /** Copies from the menu of a row, and resolves with what is in the clipboard then. */
  async copy(row: Locator, entry: string): Promise<string> {
    const { page } = this.window;
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await row.click({ button: 'right' });
    const menus = page.locator('.monaco-menu');
    const submenu = menus.locator('.action-item', { hasText: /^Copy$/ });
    await submenu.hover();
    await menus.locator('.action-item.focused', { hasText: /^Copy$/ }).waitFor();
    await page.keyboard.press('ArrowRight');
    const item = menus.locator('.action-item', { hasText: entry }).last();
    await item.hover();
    await menus.locator('.action-item.focused', { hasText: entry }).last().waitFor();
    await page.keyboard.press('Enter');
    for (let tries = 0; tries < 100; tries++) {
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      if (text !== '') return text;
      await page.waitForTimeout(50);
    }
    throw new Error(`${entry} copies nothing`);
  }

  /** Answers the input box of a title: one question looks like the next, so the title is waited for. */
  async answer(title: string | RegExp, text: string): Promise<void> {
    await this.#question(title).waitFor();
    await this.window.answer(text);
  }

  /** Adds a connection without security, as a person does who was asked for its address. */
  async answerConnection(bootstrap: string, name: string): Promise<void> {
    await this.answer('(1/5)', bootstrap);
    await this.answer('(2/5)', name);
    await this.pick('(3/5)', /^PLAINTEXT/);
    await this.pick('(4/5)', 'Read and write');
    await this.pick('(5/5)', 'No mark');
    await this.window.treeItem(new RegExp(`^${name} cluster, connected`)).waitFor();
  }

  /** Types into the input box of a title what it does not take, and waits for why. */
  async refused(title: string | RegExp, text: string, why: string): Promise<void> {
    await this.#question(title).waitFor();
    await this.window.quickInput().fill(text);
    await this.window.page.getByText(why).first().waitFor();
  }

  /** Chooses in the quick pick of a title. */
  async pick(title: string | RegExp, entry: string | RegExp): Promise<void> {
    await this.#question(title).waitFor();
    await this.window.pick(entry);
  }

  /** Presses the back button of the question of a title. */
  async goBack(title: string | RegExp): Promise<void> {
    await this.#question(title).waitFor();
    await this.window.page.locator('.quick-input-widget:visible .codicon-quick-input-back').click();
  }

  #question(title: string | RegExp): Locator {
    return this.window.page.locator('.quick-input-widget:visible .quick-input-title', {
      hasText: title,
    });
  }

  /** What a screen reader says of every row that is in view, from the top. */
  async rows(): Promise<string[]> {
    const rows = this.window.page.locator('.part.sidebar [role=treeitem]');
    return rows.evaluateAll((elements: PageElement[]) =>
      elements
        .map((element) => ({
          top: element.getBoundingClientRect().top,
          text: `${'  '.repeat(Number(element.getAttribute('aria-level')) - 1)}${element.getAttribute('aria-label') ?? ''}`,
        }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text),
    );
  }
}
