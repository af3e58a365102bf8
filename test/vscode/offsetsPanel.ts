import { setTimeout as sleep } from 'node:timers/promises';
import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import type { StagedCluster } from './bothClusters.ts';
import type { EditorWindow } from '../support/vscode/editorWindow.ts';

/** A row as it is shown; thousands are not grouped. */
export interface ShownRow {
  readonly committed: string;
  readonly target: string;
  readonly effect: string;
}

const DEADLINE_MS = 30_000;

/** The offsets panel that is open, driven by what a person sees. */
export class OffsetsPanel {
  readonly window: EditorWindow;
  readonly page: FrameLocator;

  constructor(window: EditorWindow, page: FrameLocator) {
    this.window = window;
    this.page = page;
  }

  /** Opens it from the palette, alone, for a group that is there. */
  static async open(
    window: EditorWindow,
    { label }: StagedCluster,
    group: string,
  ): Promise<OffsetsPanel> {
    await OffsetsPanel.choose(window, label);
    await window.quickInput().fill(group);
    await window.pick(group);
    return OffsetsPanel.shown(window, group);
  }

  /** As far as the question for the group. */
  static async choose(window: EditorWindow, cluster: string): Promise<void> {
    await window.runCommand('View: Close All Editors');
    await window.runCommand('Kafka Workbench: Reset offsets...');
    const placeholder = (text: string): Promise<void> =>
      window.page.locator(`.quick-input-widget:visible input[placeholder*="${text}"]`).waitFor();
    await placeholder('Which cluster?');
    await window.pick(cluster);
    await placeholder('Which consumer group?');
  }

  static async shown(window: EditorWindow, group: string): Promise<OffsetsPanel> {
    const page = await window.webview('[aria-label="Scenario"]');
    await page.locator('.title strong', { hasText: group }).waitFor();
    return new OffsetsPanel(window, page);
  }

  /** The row of a partition. */
  row(topic: string, partition: number): Locator {
    const name = `Reset ${topic} partition ${partition}`;
    return this.page
      .getByRole('row')
      .filter({ has: this.page.getByRole('checkbox', { name, exact: true }) });
  }

  target(topic: string, partition: number): Locator {
    const name = `New offset of ${topic} partition ${partition}`;
    return this.page.getByRole('textbox', { name, exact: true });
  }

  button(name: string | RegExp): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** Types into a box and chooses what it offers; types again where the cluster told of its names meanwhile. */
  async chooseTyped(box: string, text: string, name: string): Promise<void> {
    const input = this.page.getByRole('combobox', { name: box });
    const option = this.page.getByRole('option', { name });
    const isOffered = (): Promise<boolean> =>
      option.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
    do {
      await input.fill('');
      await input.fill(text);
    } while (!(await isOffered()));
    await option.click();
  }

  async choose(scenario: string): Promise<void> {
    await this.page.getByRole('combobox', { name: 'Scenario' }).click();
    await this.page.getByRole('option', { name: scenario, exact: true }).click();
  }

  /** Types what stands beside the scenario. */
  async fill(label: string, text: string): Promise<void> {
    await this.page.getByLabel(label, { exact: true }).fill(text);
  }

  /** What a person reads in the rows of a topic, by partition. */
  async rows(topic: string): Promise<Record<number, ShownRow>> {
    const rows = this.page.locator(`tbody tr[data-row$=":${topic}"]`);
    const shown = await rows.evaluateAll((elements: ReadableRow[]) =>
      elements.map((element): [number, ShownRow] => {
        const text = (cell: number): string => element.cells[cell]?.textContent ?? '';
        const target = element.querySelector('.target input')?.value ?? '';
        const plain = (figure: string): string => figure.replaceAll(',', '');
        return [
          Number(text(2)),
          { committed: plain(text(3)), target: plain(target), effect: text(8) },
        ];
      }),
    );
    return Object.fromEntries(shown);
  }

  /** Waits for the new offsets of a topic's partitions; what is left out of the plan has none. */
  async untilPlanIs(topic: string, expected: Readonly<Record<number, string>>): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const rows = Object.entries(await this.rows(topic));
      const targets = Object.fromEntries(
        rows.filter(([, { target }]) => target !== '').map(([of, { target }]) => [of, target]),
      );
      if (isSame(targets, expected)) return;
      if (performance.now() > deadline) assert.deepEqual(targets, expected);
      await sleep(100);
    }
  }

  /** Answers the editor's own dialog for a file that lies in the opened folder. */
  async chooseFile(name: string): Promise<void> {
    await this.#untilAskedForFile();
    await this.window.pick(name);
  }

  /** Agrees with the name that the editor's dialog for saving suggests, and resolves with it. */
  async saveAsSuggested(): Promise<string> {
    const suggested = await this.#untilAskedForFile(/\.csv$/);
    await this.window.page.keyboard.press('Enter');
    return suggested;
  }

  /** The dialog shows the folder a moment after it is there. */
  async #untilAskedForFile(path = /./): Promise<string> {
    const deadline = performance.now() + DEADLINE_MS;
    const input = this.window.quickInput();
    for (;;) {
      const text = (await input.isVisible()) ? await input.inputValue() : '';
      if (text.startsWith('/') && path.test(text)) return text;
      assert.ok(performance.now() < deadline, `asked for no file: ${text}`);
      await sleep(50);
    }
  }

  /** Chooses partitions and no others. */
  async select(of: string, ...partitions: readonly number[]): Promise<void> {
    const all = this.page.getByRole('checkbox', { name: 'All partitions' });
    await all.check();
    await all.uncheck();
    for (const partition of partitions) await this.row(of, partition).getByRole('checkbox').check();
  }

  async copyCommand(): Promise<string> {
    await this.window.page.evaluate(`navigator.clipboard.writeText('')`);
    await this.button('Copy command').click();
    const deadline = performance.now() + DEADLINE_MS;
    for (;;) {
      const text = await this.window.page.evaluate<string>('navigator.clipboard.readText()');
      if (text !== '') return text;
      assert.ok(performance.now() < deadline, 'nothing is copied');
      await sleep(50);
    }
  }

  /** Resets or deletes what is planned, and agrees. */
  async apply(button: string, answer = 'Reset'): Promise<void> {
    await this.page.locator('vscode-button:not([disabled])', { hasText: button }).click();
    await this.window.chooseInDialog(answer);
  }
}

function isSame(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** As much of a table row as is read inside the page; the tests know no DOM types. */
interface ReadableRow {
  readonly cells: ArrayLike<{ readonly textContent: string | null }>;
  querySelector(selector: string): { readonly value: string } | null;
}
