import assert from 'node:assert/strict';
import type { FrameLocator, Locator } from 'playwright-core';
import { becomes, type Scene } from './bothClusters.ts';
import { chooseInList, runCommand } from './questions.ts';

export type PayloadKind = 'Text' | 'JSON' | 'Hex' | 'Base64' | 'Null';

/** What a record is to be, as it is typed; what is left out stays as it is. */
export interface Typed {
  readonly partition?: string;
  readonly timestamp?: string;
  readonly key?: readonly [PayloadKind, string];
  readonly value?: readonly [PayloadKind, string];
  /** Added behind those that are there. */
  readonly headers?: readonly (readonly [key: string, kind: PayloadKind, text: string])[];
  /** Names of the choices. */
  readonly acks?: string;
  readonly compression?: string;
  readonly delivery?: string;
}

/** The produce panel, driven as a person would. */
export class ProducePage {
  readonly scene: Scene;
  readonly frame: FrameLocator;

  private constructor(scene: Scene, frame: FrameLocator) {
    this.scene = scene;
    this.frame = frame;
  }

  /** Opens it from the palette. */
  static async open(scene: Scene, topic: string): Promise<ProducePage> {
    const { window, cluster } = scene;
    await runCommand(window, 'Kafka Workbench: Produce a record...');
    await chooseInList(window, 'Which cluster?', cluster.name);
    await chooseInList(window, 'Which topic?', topic);
    return ProducePage.shown(scene, topic);
  }

  /** The one that is in front by now, once it is for the topic. */
  static async shown(scene: Scene, topic: string): Promise<ProducePage> {
    const { window, cluster } = scene;
    let frame = await window.webview('main.produce');
    const look = async (): Promise<string> => {
      frame = await window.webview('main.produce');
      const [title, of] = await Promise.all([
        frame.locator('.title').innerText(),
        frame.getByRole('combobox', { name: 'Topic' }).inputValue(),
      ]);
      return `${title}: ${of}`;
    };
    await becomes(async () => (await look()).endsWith(`@ ${cluster.name}: ${topic}`), true);
    return new ProducePage(scene, frame);
  }

  button(name: string): Locator {
    return this.frame.getByRole('button', { name, exact: true });
  }

  field(name: string): Locator {
    return this.frame.getByRole('textbox', { name, exact: true });
  }

  get #partition(): Locator {
    return this.frame.getByRole('textbox', { name: /^Partition:/ });
  }

  async type(typed: Typed): Promise<void> {
    const { key, value, headers = [], partition, timestamp } = typed;
    if (partition !== undefined) await this.#partition.fill(partition);
    if (key) await this.#payload('Key', key);
    if (value) await this.#payload('Value', value);
    for (const [name, kind, text] of headers) {
      await this.button('Add header').click();
      const line = this.frame.getByRole('list', { name: 'Headers, in order' }).locator('li').last();
      await line.getByRole('textbox', { name: 'Header key' }).fill(name);
      const kinds = line.getByRole('combobox', { name: 'Kind of header value' });
      await kinds.selectOption(kind);
      if (kind !== 'Null') await line.getByRole('textbox', { name: 'Header value' }).fill(text);
    }
    if (timestamp !== undefined) {
      await this.frame.getByRole('textbox', { name: /^Timestamp:/ }).fill(timestamp);
    }
    for (const [name, choice] of [
      ['Acks', typed.acks],
      ['Compression', typed.compression],
      ['Delivery', typed.delivery],
    ] as const) {
      if (choice !== undefined) await this.#choose(name, choice);
    }
  }

  async #payload(name: 'Key' | 'Value', [kind, text]: readonly [PayloadKind, string]) {
    const kinds = this.frame.getByRole('radiogroup', { name: `Kind of ${name.toLowerCase()}` });
    await kinds.getByRole('radio', { name: kind, exact: true }).check();
    if (kind !== 'Null') await this.field(name).fill(text);
  }

  async #choose(name: string, choice: string): Promise<void> {
    await this.frame.getByRole('combobox', { name }).click();
    await this.frame.getByRole('option', { name: choice }).click();
  }

  /** The controls of each header stand side by side: none lies over another. */
  async headersAreApart(): Promise<void> {
    for (const line of await this.frame.locator('.headers .header').all()) {
      const names = ['.header-key', '.header-name .inline-choice', '.header-value'];
      const boxes = await Promise.all(
        [...names, '.header-buttons'].map(async (name) => {
          const box = await line.locator(name).boundingBox();
          assert.ok(box, name);
          return { name, ...box };
        }),
      );
      for (const [i, one] of boxes.entries())
        for (const other of boxes.slice(i + 1))
          assert.ok(areApart(one, other), `${one.name} lies over ${other.name}`);
    }
  }

  /** Sends by the keyboard, and waits for where the record went, such as `orders / 1 at 7`. */
  async send(where: string): Promise<void> {
    await this.frame.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
    await this.#partition.press('Control+Enter');
    await this.frame
      .getByRole('region', { name: 'Sent' })
      .getByText(where, { exact: true })
      .waitFor();
  }

  async openMany(): Promise<void> {
    await this.frame.locator('summary', { hasText: 'Send many' }).click();
  }

  /** Waits for what the sending of many says, and returns it. */
  async manySays(words: RegExp): Promise<string> {
    const said = this.frame.locator('.many-status').getByText(words);
    await said.waitFor();
    return said.innerText();
  }

  /** The partition that a client is said to choose for the key. */
  async choiceOf(client: string): Promise<string | null> {
    const line = this.frame.locator('table.choices tbody tr', { hasText: client });
    return line.locator('td').first().textContent();
  }
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

function areApart(a: Box, b: Box): boolean {
  const isLeft = (one: Box, other: Box): boolean => one.x + one.width <= other.x;
  const isAbove = (one: Box, other: Box): boolean => one.y + one.height <= other.y;
  return isLeft(a, b) || isLeft(b, a) || isAbove(a, b) || isAbove(b, a);
}
