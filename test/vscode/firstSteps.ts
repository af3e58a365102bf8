import type { Locator } from 'playwright-core';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';

/** The walkthrough. */
export class FirstSteps {
  readonly #window: EditorWindow;

  constructor(window: EditorWindow) {
    this.#window = window;
  }

  async show(): Promise<void> {
    await this.#window.runCommand('View: Close All Editors');
    await this.#window.runCommand('Kafka Workbench: Show first steps');
    await this.#window.page.getByText('First steps with Kafka Workbench').first().waitFor();
  }

  get #steps(): Locator {
    return this.#window.page.locator('.getting-started-step');
  }

  titles(): Promise<string[]> {
    return this.#steps.locator('.step-title').allTextContents();
  }

  /** Opens a step and presses its button. */
  async press(title: string, button: string): Promise<void> {
    await this.show();
    const step = this.#steps.filter({ has: this.#window.page.getByText(title, { exact: true }) });
    await step.waitFor();
    if ((await step.getAttribute('aria-expanded')) !== 'true') await step.click();
    await step.locator('.monaco-button', { hasText: button }).click();
  }

  /** The steps whose tick is set. */
  done(): Locator {
    return this.#steps.filter({ has: this.#window.page.locator('.codicon.complete') });
  }
}
