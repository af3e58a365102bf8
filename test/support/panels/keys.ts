// A panel by the keyboard alone.
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';

const STOPS_MAX = 150;
const STEPS_MAX = 40;

export class Keys {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text);
  }

  /** Presses Tab, or Shift and Tab, until a control has the focus. */
  async to(control: Locator): Promise<void> {
    await control.waitFor();
    for (let stops = 0; ; stops++) {
      assert.ok(stops < STOPS_MAX, `Tab does not come to ${String(control)}`);
      const way = await control.evaluate(wayTo);
      if (way === 'here') return;
      await this.page.keyboard.press(way === 'back' ? 'Shift+Tab' : 'Tab');
    }
  }

  /** Comes to a button or a link, and presses it. */
  async push(name: string | RegExp): Promise<void> {
    await this.to(this.button(name));
    await this.press('Enter');
  }

  button(name: string | RegExp): Locator {
    const exact = typeof name === 'string';
    return this.page
      .getByRole('button', { name, exact })
      .or(this.page.getByRole('link', { name, exact }))
      .first();
  }

  /** Comes to a field, and types in place of what is in it. */
  async fill(field: Locator, text: string): Promise<void> {
    await this.to(field);
    await this.press('Control+a');
    if (text === '') await this.press('Delete');
    else await this.type(text);
  }

  /** Comes to a checkbox, and turns it. */
  async turn(name: string): Promise<void> {
    await this.to(this.page.getByRole('checkbox', { name, exact: true }).first());
    await this.press('Space');
  }

  /** Comes to a group of radio buttons, and moves to one of them. */
  async choose(group: Locator, choice: string): Promise<void> {
    await this.to(group.getByRole('radio', { checked: true }));
    const wanted = group.getByRole('radio', { name: choice, exact: true });
    await this.#until('ArrowRight', () => wanted.isChecked());
  }

  /** Comes to a list that folds out, and moves to an option of it. */
  async select(list: Locator, option: string): Promise<void> {
    await this.to(list);
    const { isNative, from, to } = await list.evaluate(placeOfOption, option);
    assert.ok(to >= 0, `there is no option ${option}`);
    // The browser's own takes the arrow keys as it is.
    if (!isNative) {
      await this.press('Enter');
      // The toolkit's list takes the focus a frame after it opens, from whoever has it by then.
      await this.page.evaluate(
        'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
      );
    }
    const step = to < from ? 'ArrowUp' : 'ArrowDown';
    await this.press(...Array<string>(Math.abs(to - from)).fill(step));
    if (!isNative) await this.press('Enter');
  }

  async #until(key: string, isDone: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; !(await isDone()); steps++) {
      assert.ok(steps < STEPS_MAX, `${key} does not come there`);
      await this.page.keyboard.press(key);
    }
  }
}

/** As much of the page as is read inside it; the tests know no DOM types. */
interface PageElement {
  readonly tagName: string;
  readonly selectedIndex: number;
  readonly children: ArrayLike<{ readonly textContent: string }>;
  readonly shadowRoot: { readonly activeElement: PageElement | null } | null;
  readonly ownerDocument: { readonly activeElement: PageElement | null };
  getRootNode(): { readonly host?: PageElement };
  compareDocumentPosition(other: PageElement): number;
}

/** Runs in the page. */
function wayTo(element: PageElement): 'here' | 'on' | 'back' {
  const { activeElement } = element.ownerDocument;
  for (let at = activeElement; at; at = at.shadowRoot?.activeElement ?? null) {
    if (at === element) return 'here';
  }
  const outer = element.getRootNode().host ?? element;
  const isBehind = activeElement && outer.compareDocumentPosition(activeElement) & 4;
  return isBehind ? 'back' : 'on';
}

function placeOfOption(list: PageElement, option: string) {
  const options = Array.from(list.children, ({ textContent }) => textContent);
  return {
    isNative: list.tagName === 'SELECT',
    from: list.selectedIndex,
    to: options.indexOf(option),
  };
}
