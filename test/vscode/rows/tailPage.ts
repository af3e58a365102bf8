import type { FrameLocator, Locator } from 'playwright-core';
import { becomes, type Scene } from './bothClusters.ts';
import { chooseInList, runCommand } from './questions.ts';

/** A cell's text by the class of its column. */
export type Row = Readonly<Record<string, string>>;

/** As much of an element as is read inside the page; the tests know no DOM types. */
interface PageElement {
  readonly className: string;
  readonly textContent: string;
  readonly children: ArrayLike<PageElement>;
  getAttribute(name: string): string | null;
}

/** How long a list may take until a row is selected. */
const settleMs = 10_000;

/** The tail panel of a topic, driven as a person would. */
export class TailPage {
  readonly scene: Scene;
  readonly topic: string;
  readonly frame: FrameLocator;

  private constructor(scene: Scene, topic: string, frame: FrameLocator) {
    this.scene = scene;
    this.topic = topic;
    this.frame = frame;
  }

  /** Opens it from the palette; one that is open comes to the front. */
  static async open(scene: Scene, topic: string, from?: string): Promise<TailPage> {
    const { window, cluster } = scene;
    await runCommand(window, 'Kafka Workbench: Tail records');
    await chooseInList(window, 'Which cluster?', cluster.name);
    await chooseInList(window, 'Which topic?', topic);
    const page = await TailPage.shown(scene, topic);
    if (from !== undefined) await page.from(from);
    return page;
  }

  /** The one that is in front by now. */
  static async shown(scene: Scene, topic: string): Promise<TailPage> {
    const { window, cluster } = scene;
    const title = `.title:has(strong:text-is("${topic}")):has-text("@ ${cluster.name}")`;
    return new TailPage(scene, topic, await window.webview(title));
  }

  get grid(): Locator {
    return this.frame.getByRole('grid', { name: /^Records, / });
  }

  get record(): Locator {
    return this.frame.getByRole('complementary', { name: 'Record' });
  }

  get state(): Locator {
    return this.frame.locator('.status .state');
  }

  button(name: string | RegExp): Locator {
    return this.frame.getByRole('button', { name, exact: typeof name === 'string' });
  }

  async from(expression: string): Promise<void> {
    const input = this.frame.getByRole('combobox', { name: 'Show records from' });
    await input.fill(expression);
    await input.press('Enter');
  }

  async filter(text: string): Promise<void> {
    const input = this.frame.getByRole('combobox', { name: 'Filter records' });
    await input.fill(text);
    await input.press('Enter');
  }

  async filterSays(words: string | RegExp): Promise<void> {
    await this.frame.locator('.filter-counts').getByText(words, { exact: true }).waitFor();
  }

  /** The records that the panel says it holds. */
  async holds(words: string): Promise<void> {
    await this.frame
      .locator('.status .figures')
      .getByText(new RegExp(`^${words}\\b`))
      .waitFor();
  }

  /** The rows that are drawn, from the top. */
  async rows(): Promise<Row[]> {
    const rows = this.grid.locator('.list-body .list-row:not([hidden]):not(.list-probe)');
    return rows.evaluateAll((elements: PageElement[]) =>
      elements
        .map((element) => ({
          at: Number(element.getAttribute('aria-rowindex')),
          cells: Object.fromEntries(
            Array.from(element.children).map((cell) => [
              cell.className.split(' ')[1] ?? '',
              cell.textContent,
            ]),
          ),
        }))
        .sort((a, b) => a.at - b.at)
        .map(({ cells }) => cells),
    );
  }

  /** Waits until the rows are these, told by some of their columns, as in `0/17`. */
  async shows(expected: readonly string[], ...columns: readonly string[]): Promise<void> {
    const told = columns.length > 0 ? columns : ['partition', 'offset'];
    const look = async (): Promise<string[]> =>
      (await this.rows()).map((row) => told.map((column) => row[column] ?? '').join('/'));
    await becomes(look, [...expected]);
  }

  /** Opens the record of a row by the keyboard: 0 is the oldest. */
  async openRecord(row: number): Promise<void> {
    const here = '.list-row:not([hidden]):not([aria-busy]):not(.list-probe)';
    await this.grid.locator(`.list-body ${here}`).first().waitFor();
    for (let tries = 1; ; tries++) {
      await this.grid.press('Home');
      for (let step = 0; step < row; step++) await this.grid.press('ArrowDown');
      try {
        await this.grid.locator(`${here}[aria-selected=true]`).waitFor({ timeout: settleMs });
        break;
      } catch (error) {
        // A start that was typed just now lists its rows anew, and nothing of them is selected.
        if (tries === 3) throw error;
      }
    }
    await this.grid.press('Enter');
    // It takes the focus once the record is read.
    await this.record.locator(':focus').first().waitFor();
  }

  section(name: string): Locator {
    return this.record.getByRole('region', { name, exact: true });
  }

  /** What a table of the record's pane says, line by line. */
  async facts(name: string): Promise<Record<string, string>> {
    return Object.fromEntries(await this.pairs(name)) as Record<string, string>;
  }

  /** The lines of a table, in order, of which two may begin alike. */
  async pairs(name: string): Promise<string[][]> {
    return this.section(name)
      .locator('tr, [role=row]')
      .evaluateAll((lines: PageElement[]) =>
        lines.map((line) => Array.from(line.children).map((cell) => cell.textContent)),
      );
  }

  /** Shows a field in another form, such as `Hex`, and returns what it shows. */
  async form(field: 'Key' | 'Value', name: string): Promise<string> {
    const forms = this.record.getByRole('radiogroup', { name: `${field} as` });
    await forms.getByRole('radio', { name, exact: true }).check();
    return this.section(field).locator('pre').innerText();
  }
}
