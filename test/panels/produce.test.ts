import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import type { Handlers } from '../../src/shared/channel.ts';
import {
  type ProduceDraft,
  produceHost,
  type ProduceSetup,
  produceView,
} from '../../src/shared/contracts/produce.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';

const draft: ProduceDraft = {
  topic: 'orders',
  partition: null,
  key: { kind: 'null' },
  value: { kind: 'text', text: '' },
  headers: [],
};

const setup: ProduceSetup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  topics: [
    { name: 'orders', partitionCount: 3 },
    { name: 'refunds', partitionCount: 1 },
  ],
  draft,
};

describe('The produce panel', () => {
  let panel: PanelPage<typeof produceHost, typeof produceView> | undefined;
  let sent: ProduceDraft[];
  let opened: unknown[];

  async function open(
    overrides: Partial<Handlers<typeof produceHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    sent = [];
    opened = [];
    panel = await openPanel({
      name: 'produce',
      serves: produceHost,
      calls: produceView,
      state,
      handlers: {
        ready: () => setup,
        preview: () => ({ partition: 2, keySize: 6, valueSize: 0, problems: [] }),
        send: (wanted) => {
          sent.push(wanted);
          const offset = String(6664 + sent.length);
          return {
            sent: { topic: wanted.topic, partition: 2, offset, timestamp: '1795930987482' },
          };
        },
        openRecord: (record) => {
          opened.push(record);
          return {};
        },
        ...overrides,
      },
    });
    await panel.page.getByText('@ Embedded').waitFor();
    return panel.page;
  }

  /** Waits until the draft was looked at and may be sent. */
  const ready = (page: Page): Promise<void> => page.getByText('Ctrl+Enter or Cmd+Enter').waitFor();
  const kind = (page: Page, of: string, name: string) =>
    page
      .getByRole('radiogroup', { name: `Kind of ${of}` })
      .last()
      .getByRole('radio', { name });

  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  it('sends text, JSON, null and an ordered list of headers with duplicates and null', async () => {
    const page = await open();
    await kind(page, 'key', 'Text').check();
    await page.getByRole('textbox', { name: 'Key', exact: true }).fill('O-1182');
    await kind(page, 'value', 'JSON').check();
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"id":9007199254740993}');
    for (const text of ['1', '2']) {
      await page.getByRole('button', { name: 'Add header' }).click();
      await page.getByRole('textbox', { name: 'Header key' }).last().fill('retry');
      await page.getByRole('textbox', { name: 'Header value' }).last().fill(text);
    }
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('textbox', { name: 'Header key' }).last().fill('none');
    await kind(page, 'header value', 'Null').check();
    await page.getByRole('button', { name: 'Move header up' }).last().click();
    await ready(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent, [
      {
        topic: 'orders',
        partition: null,
        key: { kind: 'text', text: 'O-1182' },
        value: { kind: 'json', text: '{"id":9007199254740993}' },
        headers: [
          { key: 'retry', value: { kind: 'text', text: '1' } },
          { key: 'none', value: { kind: 'null' } },
          { key: 'retry', value: { kind: 'text', text: '2' } },
        ],
      },
    ]);
  });

  it('sends with Ctrl+Enter from anywhere, and opens the record that was sent', async () => {
    const page = await open();
    await ready(page);
    await page.getByRole('textbox', { name: 'Value', exact: true }).press('Control+Enter');
    await page.getByRole('link', { name: 'orders / 2 at 6,665' }).click();
    await page.getByText('Sent to partition 2').waitFor({ state: 'attached' });
    assert.deepEqual(opened, [{ topic: 'orders', partition: 2, offset: '6665' }]);
  });

  it('shows the partition that the key goes to, and that a null value is a tombstone', async () => {
    const page = await open();
    await page.getByText('Partition 2, by the key (murmur2').waitFor();
    await kind(page, 'value', 'Null').check();
    await page.getByText('This is a tombstone').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Value', exact: true }).count(), 0);
  });

  it('says what is wrong at the field, and does not send', async () => {
    const page = await open({
      preview: () => ({
        problems: [
          { field: 'value', message: 'This is not JSON.' },
          { field: 'headers.0.value', message: 'Hex takes pairs.' },
        ],
      }),
    });
    await page.getByRole('button', { name: 'Add header' }).click();
    await page.getByRole('region', { name: 'Value' }).getByText('This is not JSON.').waitFor();
    await page.getByRole('listitem').getByText('Hex takes pairs.').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    assert.deepEqual(sent, []);
  });

  it('refuses a partition that is not a number', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: /^Partition/ }).fill('two');
    await page.getByText('A partition is a number from 0 up').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send' }).isDisabled(), true);
  });

  it('says why nothing can be sent to a read-only cluster', async () => {
    const cluster = { id: 'prod', name: 'Embedded', readOnly: true };
    const page = await open({ ready: () => ({ ...setup, cluster }) });
    await page.getByText('Embedded is read-only.').waitFor();
    await page.keyboard.press('Control+Enter');
    assert.deepEqual(sent, []);
  });

  it('shows what the broker answered in place of an acknowledgement', async () => {
    const page = await open({
      send: () => ({ error: { message: 'The record is too large.', hint: 'Send less.' } }),
    });
    await ready(page);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('alert').getByText('The record is too large.').waitFor();
  });

  it('suggests topics by what is typed', async () => {
    const page = await open();
    await page.getByRole('combobox', { name: 'Topic' }).fill('fund');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'refunds / 2' }).waitFor();
  });

  it('goes on with the draft that it kept, on the same cluster', async () => {
    const kept = { ...draft, value: { kind: 'text', text: 'half written' } };
    const page = await open({}, { panel: 'produce', cluster: setup.cluster, draft: kept });
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    assert.equal(await value.inputValue(), 'half written');
    await value.fill('more of it');
    await ready(page);
    const state = panel?.state() as { draft: ProduceDraft };
    assert.deepEqual(state.draft.value, { kind: 'text', text: 'more of it' });
  });
});
