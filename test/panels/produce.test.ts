import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { deferred } from '../../src/base/deferred.ts';
import type { Handlers } from '../../src/shared/channel.ts';
import {
  type FormDraft,
  type ProduceDraft,
  produceHost,
  type ProducePreview,
  type ProduceSetup,
  produceView,
} from '../../src/shared/contracts/produce.ts';
import { eventually } from '../scenarios/clusters.ts';
import { unseenFocus } from '../support/focusSeen.ts';
import { seriousFaults } from '../support/axe.ts';
import { layoutFaults } from '../support/layout.ts';
import { tabTo, unreachedControls } from '../support/keyboard.ts';
import { copyByKey } from '../support/panels/clipboard.ts';
import { comeUp, goDown, startByPointer } from '../support/panels/clusterDown.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';
import { wearTheme } from '../support/themes.ts';

const draft: ProduceDraft = {
  topic: 'orders',
  partition: null,
  key: { kind: 'null' },
  value: { kind: 'text', text: '' },
  headers: [],
  timestamp: null,
  acks: 'all',
  compression: 'none',
  delivery: 'plain',
};

const setup: ProduceSetup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  topics: [
    { name: 'orders', partitionCount: 3 },
    { name: 'refunds', partitionCount: 1 },
  ],
  draft,
  draftNumber: 0,
};

const preview: ProducePreview = {
  partition: 2,
  choices: [
    { clients: 'Java, kafkajs', hash: 'murmur2', partition: 2 },
    { clients: 'librdkafka', hash: 'CRC-32', partition: null },
  ],
  keySize: 6,
  valueSize: 0,
  batch: { size: 75, beginning: Buffer.alloc(75, 'k').toString('base64') },
  commands: [
    { tool: 'kcat', text: 'printf v | kcat -P' },
    { tool: 'kafka-console-producer', problem: 'It cannot choose a partition.' },
  ],
  problems: [],
};

describe('The produce panel', function () {
  this.timeout(120_000);
  let panel: PanelPage<typeof produceHost, typeof produceView> | undefined;
  const opened = (): NonNullable<typeof panel> => panel ?? assert.fail('no panel is open');
  let sent: FormDraft[];
  let records: unknown[];
  let copied: string[];

  async function open(
    overrides: Partial<Handlers<typeof produceHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    sent = [];
    records = [];
    copied = [];
    panel = await openPanel({
      name: 'produce',
      serves: produceHost,
      calls: produceView,
      state,
      handlers: {
        ready: () => setup,
        preview: () => preview,
        send: (wanted) => {
          sent.push(wanted);
          const offset = String(6664 + sent.length);
          return {
            sent: { topic: wanted.topic, partition: 2, offset, timestamp: '1795930987482' },
          };
        },
        sendMany: ({ options }) => {
          panel?.host.notify('progress', { sent: 40, total: options.count, perSecond: 400 });
          return { sent: options.count, skipped: 0, cancelled: false };
        },
        sendFile: () => ({
          sent: 7,
          skipped: 1,
          firstSkipped: 'line 3: no JSON',
          cancelled: false,
        }),
        awaitMany: () => undefined,
        cancelMany: () => ({}),
        hold: (given) => given,
        sample: () => ({ values: ['{"n":1}', '{"n":2}'] }),
        saveDraft: () => ({ saved: true }),
        chooseDraft: () => ({ draft: { ...draft, topic: 'refunds' } }),
        topics: () => ({ topics: setup.topics }),
        bringUp: () => ({}),
        copy: ({ text }) => {
          copied.push(text);
          return {};
        },
        openRecord: (record) => {
          records.push(record);
          return {};
        },
        ...overrides,
      },
    });
    await panel.page.getByText('Produce').first().waitFor({ state: 'attached' });
    return panel.page;
  }

  /** Waits until the draft was looked at and may be sent. */
  const ready = (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
  const kind = (page: Page, of: string, name: string) =>
    page
      .getByRole('radiogroup', { name: `Kind of ${of}` })
      .last()
      .getByRole('radio', { name });
  const headerKind = (page: Page) =>
    page.getByRole('combobox', { name: 'Kind of header value' }).last();

  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  it('sends text, JSON, null and an ordered list of headers with duplicates, null and a key of bytes [E1]', async () => {
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
    await headerKind(page).selectOption('Null');
    await page.getByRole('button', { name: 'Move header up' }).last().click();
    await page.getByRole('combobox', { name: 'Kind of header key' }).first().selectOption('hex');
    await page.getByRole('textbox', { name: 'Header key' }).first().fill('ff00');
    await ready(page);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent, [
      {
        topic: 'orders',
        partition: null,
        key: { kind: 'text', text: 'O-1182' },
        value: { kind: 'json', text: '{"id":9007199254740993}' },
        headers: [
          { key: 'ff00', keyForm: 'hex', value: { kind: 'text', text: '1' } },
          { key: 'none', value: { kind: 'null' } },
          { key: 'retry', value: { kind: 'text', text: '2' } },
        ],
        timestamp: null,
        acks: 'all',
        compression: 'none',
        delivery: 'plain',
      },
    ]);
  });

  it('takes a key where it says that there is none, of the kind that it was [E1]', async () => {
    const page = await open();
    const key = page.getByRole('textbox', { name: 'Key', exact: true });
    for (const form of ['Text', 'Hex']) {
      if (form !== 'Text') await kind(page, 'key', form).check();
      await kind(page, 'key', 'Null').check();
      await page.getByText('no key, so any partition may be chosen').click();
      await page.keyboard.type('00');
      assert.equal(await key.inputValue(), form === 'Text' ? '00' : '0000');
      assert.equal(await kind(page, 'key', form).isChecked(), true);
    }
  });

  it('says what came of a record on the line of the button', async () => {
    const page = await open();
    await ready(page);
    const button = page.getByRole('button', { name: 'Send', exact: true });
    await button.click();
    const said = page.getByRole('link', { name: 'Sent to partition 2, offset 6,665' });
    await said.waitFor();
    const middles = await Promise.all(
      [button, said].map(async (each) => {
        const { y, height } = (await each.boundingBox()) ?? assert.fail('it is not shown');
        return y + height / 2;
      }),
    );
    assert.ok(Math.abs((middles[0] ?? 0) - (middles[1] ?? 0)) < 3, middles.join(', '));
  });

  it('sends with Ctrl+Enter from anywhere, and opens the record that was sent', async () => {
    const page = await open();
    await ready(page);
    await page.getByRole('textbox', { name: 'Value', exact: true }).press('Control+Enter');
    await page.getByRole('link', { name: 'orders / 2 at 6,665' }).click();
    await page.getByRole('status').getByText('Sent to partition 2, offset 6,665').waitFor();
    assert.deepEqual(records, [{ topic: 'orders', partition: 2, offset: '6665' }]);
  });

  it('says where the record went beside the button, in sight without scrolling, in a narrow panel too [E1]', async () => {
    const page = await open();
    await page.setViewportSize({ width: 350, height: 400 });
    await ready(page);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const said = page.getByRole('link', { name: 'Sent to partition 2, offset 6,665' });
    await said.waitFor();
    const box = await said.boundingBox();
    assert.ok(box && box.x >= 0 && box.x + box.width <= 350 && box.y + box.height < 150);
    assert.deepEqual(await layoutFaults(page), []);
    await said.click();
    assert.deepEqual(records, [{ topic: 'orders', partition: 2, offset: '6665' }]);
  });

  it('begins at its top, however little of the first field is in sight', async () => {
    const page = await open();
    for (const height of [250, 300, 350, 400, 450]) {
      await page.setViewportSize({ width: 1100, height });
      await page.reload();
      await ready(page);
      const tops = await page.evaluate<number[]>(
        `[document.documentElement, document.body, ...document.body.querySelectorAll('main, form')].map((each) => each.scrollTop)`,
      );
      assert.deepEqual(tops, [0, 0, 0, 0], `${height} high`);
    }
  });

  it('says at once that the cluster is down, and starts it', async () => {
    let starts = 0;
    const page = await open({
      bringUp: () => {
        starts++;
        return comeUp(opened());
      },
    });
    await ready(page);
    await goDown(opened());
    const send = page.getByRole('button', { name: 'Send', exact: true });
    await eventually(() => send.isDisabled());
    await startByPointer(opened());
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.equal(starts, 1);
  });

  it('offers to start the cluster in place of a page that cannot be set up without it', async () => {
    const page = await open({
      ready: () => {
        throw new Error('Embedded is not running');
      },
      bringUp: () => {
        opened().host.notify('setup', setup);
        return comeUp(opened());
      },
    });
    await page.getByRole('alert').getByText('Embedded is not running').waitFor();
    await goDown(opened());
    assert.equal(await page.getByRole('alert').isVisible(), false);
    await startByPointer(opened());
    await ready(page);
  });

  it('shows the partition that the key goes to, and that a null value is a tombstone', async () => {
    const page = await open();
    await page.getByText('Partition 2, by the key, as Java').waitFor();
    await kind(page, 'value', 'Null').check();
    await page.getByText('This is a tombstone').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Value', exact: true }).count(), 0);
  });

  it('lays JSON out over lines, with every number and name as it was [E1]', async () => {
    const page = await open();
    const format = page.getByRole('button', { name: 'Format the JSON of value' });
    assert.equal(await format.isVisible(), false);
    await kind(page, 'value', 'JSON').check();
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    await value.fill('{"id":9007199254740993,"id":1.50,"of":[]}');
    const laidOut = '{\n  "id": 9007199254740993,\n  "id": 1.50,\n  "of": []\n}';
    // The toolkit's button takes clicks a moment after it was enabled.
    await eventually(async () => {
      await format.click();
      return (await value.inputValue()) === laidOut;
    });
    await value.fill('{"n":{{n}}}');
    await eventually(() => format.isDisabled());
  });

  it('says what is wrong at the field, and does not send', async () => {
    const page = await open({
      preview: () => ({
        choices: [],
        commands: [],
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
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
    assert.deepEqual(sent, []);
  });

  it('only names a value that is too large for a form, sends it by that name, and lets go of it [E5]', async () => {
    const value = { kind: 'held', id: 'h-1', sizeBytes: 21_000_000 } as const;
    const origin = 'the record at flights/0/7,883';
    const large = { ...draft, value, origin };
    const page = await open({ ready: () => ({ ...setup, draft: large }) });
    const chip = page.getByRole('group', { name: 'Value' });
    await chip
      .getByText('21,000,000 bytes, from the record at flights/0/7,883: sent as they are')
      .waitFor();
    const field = page.getByRole('textbox', { name: 'Value', exact: true });
    assert.equal(await field.isVisible(), false);
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent, [large]);
    assert.deepEqual(await seriousFaults(page), []);
    await chip.getByRole('button', { name: 'Remove the bytes of value' }).click();
    await field.fill('{}');
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,666').waitFor();
    assert.deepEqual(sent[1]?.value, { kind: 'text', text: '{}' });
  });

  it('has the host keep a text that is pasted and too large for a form, and stays ready at once [E1]', async () => {
    const held: FormDraft[] = [];
    const page = await open({
      hold: (given) => {
        held.push(given);
        return { ...given, value: { kind: 'held', id: 'h-2', sizeBytes: 1_500_012 } };
      },
    });
    const field = page.getByRole('textbox', { name: 'Value', exact: true });
    await field.fill('before, after');
    await copyByKey(page, 'x'.repeat(1_500_000));
    for (const key of ['Home', ...Array<string>(7).fill('ArrowRight'), 'Shift+ArrowRight']) {
      await page.keyboard.press(key);
    }
    await page.keyboard.press('Control+v');
    const chip = page.getByRole('group', { name: 'Value' });
    await chip.getByText('1,500,012 bytes, too many to edit here: sent as they are').waitFor();
    assert.equal(held.length, 1);
    assert.deepEqual(held[0]?.value, {
      kind: 'text',
      text: `before,${'x'.repeat(1_500_000)}after`,
    });
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent[0]?.value, { kind: 'held', id: 'h-2', sizeBytes: 1_500_012 });
    await chip.getByRole('button', { name: 'Remove the bytes of value' }).click();
    await field.fill('a small one: ');
    await copyByKey(page, 'xxx');
    await page.keyboard.press('Control+v');
    assert.equal(await field.inputValue(), 'a small one: xxx');
    assert.equal(held.length, 1);
  });

  it('has the host keep a text that is dropped and too large for a form, and leaves a small one in the field [E1]', async () => {
    const held: FormDraft[] = [];
    const page = await open({
      hold: (given) => {
        held.push(given);
        return { ...given, value: { kind: 'held', id: 'h-4', sizeBytes: 1_500_005 } };
      },
    });
    await page.evaluate(`(() => {
      const source = document.createElement('div');
      source.id = 'dragged';
      source.draggable = true;
      source.textContent = 'drag me';
      source.style = 'position: fixed; right: 0; bottom: 0; z-index: 9';
      source.addEventListener('dragstart', (event) =>
        event.dataTransfer.setData('text/plain', 'x'.repeat(Number(source.dataset.length))));
      document.body.append(source);
    })()`);
    const field = page.getByRole('textbox', { name: 'Value', exact: true });
    const drop = async (length: number): Promise<void> => {
      await page.evaluate(`document.getElementById('dragged').dataset.length = ${length}`);
      await page.locator('#dragged').dragTo(field);
    };
    await field.fill('first');
    await drop(3);
    await eventually(async () => (await field.inputValue()) === 'firstxxx');
    await field.fill('first');
    await drop(1_500_000);
    const chip = page.getByRole('group', { name: 'Value' });
    await chip.getByText('1,500,005 bytes, too many to edit here: sent as they are').waitFor();
    assert.deepEqual(
      held.map(({ value }) => value),
      [{ kind: 'text', text: `first${'x'.repeat(1_500_000)}` }],
    );
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent[0]?.value, { kind: 'held', id: 'h-4', sizeBytes: 1_500_005 });
  });

  it('leaves a paste out that the host has taken after another draft was written into the form [E1]', async () => {
    const asked = deferred<undefined>();
    const answer = deferred<undefined>();
    const page = await open({
      hold: async (given) => {
        asked.resolve(undefined);
        await answer.promise;
        return { ...given, value: { kind: 'held', id: 'h-3', sizeBytes: 1_500_000 } };
      },
    });
    const field = page.getByRole('textbox', { name: 'Value', exact: true });
    await field.fill('');
    await copyByKey(page, 'x'.repeat(1_500_000));
    await page.keyboard.press('Control+v');
    await asked.promise;
    await page.getByRole('button', { name: 'Use a saved record...' }).click();
    const topic = page.getByRole('combobox', { name: 'Topic' });
    await eventually(async () => (await topic.inputValue()) === 'refunds');
    answer.resolve(undefined);
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await eventually(() => Promise.resolve(sent.length === 1));
    assert.deepEqual(sent[0]?.value, draft.value);
  });

  it('says all that is wrong at once, each at its field, and tells of that nothing that would happen [E1]', async () => {
    const page = await open({
      preview: () => ({
        ...{ choices: [], commands: [], valueSize: 0 },
        problems: [{ field: 'value', message: 'This is not JSON.' }],
      }),
    });
    await page.getByRole('textbox', { name: /^Partition/ }).fill('two');
    await page.getByRole('textbox', { name: /^Timestamp/ }).fill('yesterday');
    await page.getByText('A partition is a number from 0 up').first().waitFor();
    await page.getByText('A timestamp is milliseconds').first().waitFor();
    await page.getByRole('region', { name: 'Value' }).getByText('This is not JSON.').waitFor();
    await page.getByText('3 fields are not right yet.').waitFor();
    const outlook = page.getByRole('region', { name: 'What will happen' });
    assert.equal(await outlook.locator('.preview-partition').innerText(), '–');
    const cell = (name: string) => outlook.getByRole('row', { name }).getByRole('cell');
    assert.equal(await cell('Value').innerText(), '–');
    assert.equal(await cell('Headers').innerText(), 'none');
    assert.equal(await cell('Batch').innerText(), '–');
  });

  it('says beside the buttons why not many can be sent [E2]', async () => {
    const page = await open({
      ready: () => ({ ...setup, draft: { ...draft, delivery: 'commit' } }),
    });
    await page.getByText('Send many').first().click();
    await page.locator('.many-why').getByText('To send many, choose the delivery').waitFor();
  });

  it('refuses a partition that is not a number', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: /^Partition/ }).fill('two');
    await page.getByText('A partition is a number from 0 up').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
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
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('status').getByText('The record is too large.').waitFor();
    await page.getByRole('status').getByText('Send less.').waitFor();
  });

  it('says what came of the last record in one place, in room that is there before [E1]', async () => {
    let sends = 0;
    const error = { message: 'orders-2 has too few in-sync replicas.' };
    const record = { topic: 'orders', partition: 2, offset: '6665', timestamp: '0' };
    const page = await open({ send: () => (sends++ % 2 ? { error } : { sent: record }) });
    await ready(page);
    const toolbar = page.locator('.toolbar');
    const before = await toolbar.boundingBox();
    const said = (): Promise<string> => page.locator('.send-outcome').innerText();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'Sent to partition 2, offset 6,665' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('status').getByText(error.message).waitFor();
    assert.equal(await said(), error.message);
    assert.equal(await page.getByRole('alert').isVisible(), false);
    assert.deepEqual(await toolbar.boundingBox(), before);
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{}');
    await page.getByText('Ctrl+Enter', { exact: true }).waitFor();
    assert.equal(await said(), 'Ctrl+Enter');
  });

  it('says once what is wrong with a value, at the value, and lays out no JSON that is none [E1]', async () => {
    const wrong = { field: 'value', message: 'line 1, column 9: a value is missing' };
    const page = await open({
      preview: ({ value }) => ({
        ...preview,
        problems: value.kind === 'json' && value.text === '{ "id": }' ? [wrong] : [],
      }),
    });
    await ready(page);
    await kind(page, 'value', 'JSON').check();
    const value = page.getByRole('region', { name: 'Value' });
    const format = value.getByRole('button', { name: 'Format the JSON of value' });
    await value.getByRole('textbox').fill('{ "id": }');
    await value.getByText(wrong.message).waitFor();
    assert.equal(await page.getByText(wrong.message).count(), 1);
    await page.getByText('Value is not right yet.').waitFor();
    await page.getByText('Send many').first().click();
    await page.locator('.many-why').getByText('Value is not right yet.').waitFor();
    assert.equal(await page.getByText(wrong.message).count(), 1);
    assert.equal(await format.isDisabled(), true);
    await value.getByRole('textbox').fill('{ "id": 1 }');
    await ready(page);
    assert.equal(await format.isEnabled(), true);
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

  it('suggests a topic that was made after the page was opened', async () => {
    const topics = [...setup.topics, { name: 'just-made', partitionCount: 2 }];
    const page = await open({ topics: () => ({ topics }) });
    await ready(page);
    await page.getByRole('combobox', { name: 'Topic' }).fill('just');
    await page.getByRole('option', { name: 'just-made' }).click();
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByRole('link', { name: 'just-made / 2' }).waitFor();
  });

  it('keeps what was typed for sending many, and what was sent, until the tab is entered again [E2] [K2]', async () => {
    const first = await open();
    await ready(first);
    await first.getByText('Send many').first().click();
    await first.getByRole('textbox', { name: 'How many records' }).fill('250');
    await first.getByRole('textbox', { name: /^Records per second/ }).fill('40');
    await first.keyboard.press('Control+Enter');
    await first.getByText('orders / 2 at 6,665').waitFor();
    const kept = panel?.state();
    await panel?.close();

    const again = await open({}, kept);
    await ready(again);
    const count = again.getByRole('textbox', { name: 'How many records' });
    assert.equal(await count.inputValue(), '250');
    const rate = again.getByRole('textbox', { name: /^Records per second/ });
    assert.equal(await rate.inputValue(), '40');
    await again.getByRole('link', { name: 'orders / 2 at 6,665' }).click();
    assert.deepEqual(records, [{ topic: 'orders', partition: 2, offset: '6665' }]);
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

  it('takes the draft that it is opened with over what was being written to another [E5]', async () => {
    const kept = { ...draft, value: { kind: 'text', text: 'half written' } };
    const page = await open(
      { ready: () => ({ ...setup, draftNumber: 1 }) },
      { panel: 'produce', cluster: setup.cluster, draft: kept, draftNumber: 0 },
    );
    await ready(page);
    const state = panel?.state() as { draft: ProduceDraft; draftNumber: number };
    assert.deepEqual([state.draft, state.draftNumber], [draft, 1]);
  });

  it('shows what each client would choose, the batch as bytes, and the same by command line [E1]', async () => {
    const page = await open();
    const choices = page.getByRole('table', { name: 'Partition that each client chooses' });
    await choices.getByRole('row', { name: 'Java, kafkajs 2 murmur2' }).waitFor();
    await choices.getByRole('row', { name: 'librdkafka any CRC-32' }).waitFor();
    await page.getByText('The batch as bytes').click();
    await page.getByText('6b 6b 6b').waitFor();
    await page.getByText('The same by command line').click();
    await page.getByText('It cannot choose a partition.').waitFor();
    await page.getByRole('button', { name: 'Copy the kcat command' }).click();
    await page.getByText('Copied').waitFor({ state: 'attached' });
    assert.deepEqual(copied, ['printf v | kcat -P']);
  });

  it('sends with a timestamp, acks, compression and delivery that were chosen [E1]', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: /^Timestamp/ }).fill('2026-11-29T14:03:07.482Z');
    await choose(page, 'Acks', '1: the leader');
    await choose(page, 'Compression', 'zstd');
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    const [record] = sent;
    assert.deepEqual(
      [record?.timestamp, record?.acks, record?.compression, record?.delivery],
      ['1795960987482', '1', 'zstd', 'plain'],
    );
    await choose(page, 'Acks', 'all: every in-sync replica');
    await choose(page, 'Delivery', 'In a transaction that commits');
    await ready(page);
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,666').waitFor();
    assert.equal(sent[1]?.delivery, 'commit');
  });

  it('refuses a timestamp that is no time [E1]', async () => {
    const page = await open();
    await page.getByRole('textbox', { name: /^Timestamp/ }).fill('yesterday');
    await page.getByText('A timestamp is milliseconds since the epoch').first().waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
  });

  it('sends many at a rate, with examples and progress, and says what became of it [E2]', async () => {
    let finish: ((isCancelled: boolean) => void) | undefined;
    const page = await open({
      cancelMany: () => {
        finish?.(true);
        return {};
      },
      sendMany: async ({ options }) => {
        panel?.host.notify('progress', { sent: 40, total: options.count, perSecond: 400 });
        const cancelled = await new Promise<boolean>((resolve) => (finish = resolve));
        return { sent: cancelled ? 40 : options.count, skipped: 0, cancelled };
      },
    });
    await ready(page);
    await page.getByText('Send many').first().click();
    await page.getByRole('button', { name: 'Show examples' }).click();
    await page.getByRole('list', { name: 'Examples' }).getByText('{"n":2}').waitFor();
    await page.getByRole('textbox', { name: 'How many records' }).fill('2,000');
    await page.getByRole('textbox', { name: /^Records per second/ }).fill('400');
    const send = page.getByRole('button', { name: 'Send many' });
    await send.click();
    await page.getByText('40 of 2,000 sent · 400 a second').waitFor();
    finish?.(false);
    await page.getByRole('status').getByText('2,000 records sent').waitFor();
    await send.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('40 records sent, then cancelled').first().waitFor();
    await page.getByRole('button', { name: 'From a file...' }).click();
    await page
      .getByText('7 records sent · 1 line left out, first line 3: no JSON')
      .first()
      .waitFor();
  });

  it('sends a template many times that is no JSON before it is filled in, and says so where it is [E2]', async () => {
    const literal = { field: 'value', message: 'this is not JSON as it is' };
    const page = await open({
      preview: ({ value }) => {
        const isWrong = value.kind === 'text' && value.text.includes('{{wrong}}');
        const wrong = { field: 'value', message: '{{wrong}} is not known.' };
        return {
          ...preview,
          problems: [literal],
          template: { fields: ['value'], problems: isWrong ? [wrong] : [] },
          isFirstOfMany: !isWrong,
        };
      },
    });
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('A template: “Send many” fills it in.').waitFor();
    assert.equal(await value.getByText('this is not JSON').count(), 0);
    await page.getByText('The first record of the template:').waitFor();
    await page.getByText('This is a template: use “Send many”.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled(), true);
    await page.getByRole('button', { name: 'Send many' }).click();
    await page.getByRole('status').getByText('100 records sent').waitFor();
    await page.getByRole('textbox', { name: 'Value', exact: true }).fill('{"n":{{wrong}}}');
    await value.getByText('{{wrong}} is not known.').waitFor();
    await eventually(() => page.getByRole('button', { name: 'Send many' }).isDisabled());
    assert.deepEqual(sent, []);
  });

  it('goes on showing what is sent when it was hidden meanwhile [E2]', async () => {
    let finish: (() => void) | undefined;
    const page = await open({
      ready: () => ({ ...setup, sending: { sent: 1200, total: 50_000, perSecond: 400 } }),
      awaitMany: async () => {
        await new Promise<void>((resolve) => (finish = resolve));
        return { sent: 50_000, skipped: 0, cancelled: false };
      },
    });
    await page.getByText('1,200 of 50,000 sent · 400 a second').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send many' }).isVisible(), false);
    assert.equal(await page.getByRole('button', { name: 'Cancel' }).isVisible(), true);
    finish?.();
    await page.getByRole('status').getByText('50,000 records sent').waitFor();
  });

  it('has room for the value of a header beside its kind, at any width [E1]', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Add header' }).click();
    const line = page.getByRole('list', { name: 'Headers, in order' }).locator('li');
    for (const width of [1400, 1000, 800, 700, 340]) {
      await page.setViewportSize({ width, height: 700 });
      const value = await line.getByRole('textbox', { name: 'Header value' }).boundingBox();
      const kindBox = await headerKind(page).boundingBox();
      assert.ok(value && kindBox);
      assert.ok(value.width > 60, `${width}: ${value.width}`);
      assert.ok(value.x + value.width <= kindBox.x, `${width}: covered`);
    }
  });

  it('leaves “Send many” closed once a person has closed it, whatever is typed, and when the tab is entered again [E2]', async () => {
    const template = { fields: ['value'], problems: [] };
    const problems = [{ field: 'value', message: 'this is not JSON as it is' }];
    let previews = 0;
    const ofTemplate = {
      preview: () => {
        previews++;
        return { ...preview, problems, template, isFirstOfMany: true };
      },
    };
    const first = await open(ofTemplate);
    const many = first.locator('details.many');
    const isOpen = async (): Promise<boolean> => (await many.getAttribute('open')) !== null;
    await eventually(isOpen);
    await many.locator('summary').click();
    await first.getByRole('textbox', { name: 'Value', exact: true }).fill('{"n":{{int 1 9}}}');
    await eventually(() => Promise.resolve(previews > 1));
    await first.getByText('This is a template: use “Send many”.').waitFor();
    assert.equal(await isOpen(), false);
    const kept = panel?.state();
    await panel?.close();

    const again = await open(ofTemplate, kept);
    await again.getByText('This is a template: use “Send many”.').waitFor();
    assert.equal(await again.getByRole('button', { name: 'Send many' }).isVisible(), false);
  });

  it('refuses a count and a rate that are none [E2]', async () => {
    const page = await open();
    await ready(page);
    await page.getByText('Send many').first().click();
    const send = page.getByRole('button', { name: 'Send many' });
    await page.getByRole('textbox', { name: 'How many records' }).fill('0');
    await eventually(() => send.isDisabled());
    await page.getByRole('textbox', { name: 'How many records' }).fill('5');
    await eventually(() => send.isEnabled());
    await page.getByRole('textbox', { name: /^Records per second/ }).fill('fast');
    await eventually(() => send.isDisabled());
  });

  it('keeps a record under a name and takes it up again [E5]', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Save...' }).click();
    await page.getByText('Saved', { exact: true }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Use a saved record...' }).click();
    const topic = page.getByRole('combobox', { name: 'Topic' });
    await eventually(async () => (await topic.inputValue()) === 'refunds');
  });

  it('offers to try again where the cluster could not be asked', async () => {
    let tries = 0;
    const page = await open({
      ready: () => {
        if (++tries === 1) throw new Error('cannot reach 127.0.0.1:9092');
        return setup;
      },
    });
    await page.getByRole('alert').getByText('cannot reach').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await ready(page);
    assert.equal(await page.getByRole('alert').isVisible(), false);
  });

  it('shows no form before it is set up, and goes on with the draft that it kept once the cluster is there again [E5]', async () => {
    const kept = { ...draft, value: { kind: 'text', text: 'half written' } };
    const page = await open(
      {
        ready: () => {
          throw new Error('The embedded cluster is not running.');
        },
      },
      { panel: 'produce', cluster: setup.cluster, draft: kept },
    );
    await page.getByRole('alert').getByText('is not running').waitFor();
    assert.deepEqual(await page.getByRole('textbox').all(), []);
    assert.equal(await page.getByRole('button', { name: 'Save...' }).isVisible(), false);
    panel?.host.notify('setup', setup);
    await ready(page);
    const value = page.getByRole('textbox', { name: 'Value', exact: true });
    assert.equal(await value.inputValue(), 'half written');
    assert.equal(await page.getByRole('alert').isVisible(), false);
  });

  it('may send once the topic that was missing is created by somebody else', async () => {
    const problem = { field: 'topic', message: 'There is no topic many here.' };
    let isThere = false;
    const page = await open({
      preview: () => (isThere ? preview : { choices: [], commands: [], problems: [problem] }),
    });
    await page.getByText(problem.message).first().waitFor();
    isThere = true;
    await ready(page);
    assert.equal(await page.getByText(problem.message).first().isVisible(), false);
  });

  it('has no serious fault for assistive technology, in any theme [K1]', async () => {
    let problems: ProducePreview['problems'] = [];
    const page = await open({
      preview: () => ({ ...preview, problems }),
      sendMany: ({ options }) => {
        panel?.host.notify('progress', { sent: 40, total: options.count, perSecond: 400 });
        return new Promise(() => undefined);
      },
    });
    await ready(page);
    assert.deepEqual(await seriousFaults(page), [], 'as it opens');
    await page.keyboard.press('Control+Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    for (const fold of ['The batch as bytes', 'The same by command line', 'Send many']) {
      await page.getByText(fold).first().click();
    }
    await page.getByRole('button', { name: 'Show examples' }).click();
    await page.getByRole('button', { name: 'Send many' }).click();
    await page.getByText('40 of 100 sent').waitFor();
    assert.deepEqual(await seriousFaults(page), [], 'all folds open, sending many');
    problems = [
      { field: 'key', message: 'Hex takes pairs.' },
      { field: 'headers.0.value', message: 'This is not base64.' },
    ];
    await kind(page, 'value', 'Null').check();
    for (let count = 0; count < 2; count++)
      await page.getByRole('button', { name: 'Add header' }).click();
    await headerKind(page).selectOption('Null');
    await page.getByRole('listitem').getByText('This is not base64.').waitFor();
    await page.getByRole('combobox', { name: 'Topic' }).click();
    assert.deepEqual(await seriousFaults(page), [], 'headers and problems');
    await page.getByRole('combobox', { name: 'Acks', exact: true }).click();
    assert.deepEqual(await seriousFaults(page), [], 'a dropdown open');
  });

  it('shows where the keyboard is, at every control [K1]', async () => {
    const page = await open();
    await ready(page);
    for (const theme of ['dark', 'high contrast'] as const) {
      await wearTheme(page, theme);
      assert.deepEqual(await unseenFocus(page), [], theme);
    }
  });

  it('can be used by keyboard alone: every control, and a record sent [K1]', async () => {
    const page = await open();
    await ready(page);
    for (const fold of ['The batch as bytes', 'The same by command line', 'Send many']) {
      await tabTo(page, fold);
      await page.keyboard.press('Enter');
    }
    await tabTo(page, 'Add header');
    await page.keyboard.press('Enter');
    await page.keyboard.type('retry');
    assert.deepEqual(await unreachedControls(page), []);
    // The key is null at first.
    await tabTo(page, 'Null');
    await page.keyboard.press('ArrowRight');
    await tabTo(page, 'Key');
    await page.keyboard.type('O-1182');
    await tabTo(page, 'Value');
    await page.keyboard.type('{}');
    await ready(page);
    await tabTo(page, 'Send');
    await page.keyboard.press('Enter');
    await page.getByText('orders / 2 at 6,665').waitFor();
    assert.deepEqual(sent[0]?.key, { kind: 'text', text: 'O-1182' });
    assert.equal(sent[0].headers[0]?.key, 'retry');
  });
});

async function choose(page: Page, name: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}
