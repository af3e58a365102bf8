import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import {
  emptyDraft,
  type ManyResult,
  type ProduceDraft,
  produceHost,
  type ProducePreview,
  produceView,
} from '../../src/shared/contracts/produce.ts';
import { startByKeys } from '../support/panels/clusterDown.ts';
import { copyByKey } from '../support/panels/clipboard.ts';
import { faultsOfControls, pointerPresses } from '../support/panels/controls.ts';
import type { Keys } from '../support/panels/keys.ts';
import { openRecorded, type RecordedPanel } from '../support/panels/recordedPanel.ts';

const preview: ProducePreview = {
  partition: 2,
  choices: [{ clients: 'Java, kafkajs', hash: 'murmur2', partition: 2 }],
  keySize: 6,
  valueSize: 0,
  batch: { size: 75, beginning: Buffer.alloc(75, 'k').toString('base64') },
  commands: [{ tool: 'kcat', text: 'printf v | kcat -P' }],
  problems: [],
};

const topics = [
  { name: 'orders', partitionCount: 3 },
  { name: 'refunds', partitionCount: 1 },
];

describe('The produce panel by the keyboard alone', function () {
  this.timeout(120_000);
  let panel: RecordedPanel<typeof produceHost, typeof produceView>;
  let page: Page;
  let keys: Keys;
  let endMany: (result: ManyResult) => void = () => undefined;

  before(async () => {
    panel = await openRecorded({
      name: 'produce',
      serves: produceHost,
      calls: produceView,
      answers: {
        ready: () => ({
          cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
          topics,
          draft: emptyDraft('orders', null),
          draftNumber: 0,
        }),
        preview: () => preview,
        send: ({ topic }) => ({
          sent: { topic, partition: 2, offset: '6664', timestamp: '1795930987482' },
        }),
        sendMany: () => new Promise<ManyResult>((resolve) => (endMany = resolve)),
        sendFile: () => ({ sent: 7, skipped: 0, cancelled: false }),
        sample: () => ({ values: ['{"n":1}'] }),
        topics: () => ({ topics }),
        hold: (draft) => ({ ...draft, value: { kind: 'held', id: 'h', sizeBytes: 1_100_000 } }),
        saveDraft: () => ({ saved: true }),
        chooseDraft: () => ({ draft: emptyDraft('refunds', 0) }),
      },
    });
    ({ page, keys } = panel);
    await panel.next('preview');
  });

  after(async () => {
    const problems = [...panel.problems];
    await panel.close();
    assert.deepEqual(problems, []);
  });

  const field = (name: string | RegExp): Locator => page.getByRole('textbox', { name });
  const box = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  const group = (name: string): Locator => page.getByRole('radiogroup', { name, exact: true });
  const header = (place: number): Locator => page.locator('.headers .header').nth(place);
  /** The draft that the host was told of last, once it is so. */
  async function untilDraft(is: (draft: ProduceDraft) => boolean): Promise<void> {
    while (!is((await panel.next('preview')) as ProduceDraft));
  }

  const functions: readonly (readonly [title: string, act: () => Promise<unknown>])[] = [
    [
      'chooses the topic from what is offered, and the partition',
      async () => {
        await keys.fill(box('Topic'), 'ref');
        await keys.press('ArrowDown', 'Enter');
        await keys.fill(field(/^Partition:/), '0');
        await untilDraft(({ topic, partition }) => topic === 'refunds' && partition === 0);
        await keys.fill(field(/^Partition:/), '');
      },
    ],
    [
      'writes key and value, of every kind',
      async () => {
        for (const kind of ['JSON', 'Hex', 'Base64', 'Null', 'Text'])
          await keys.choose(group('Kind of value'), kind);
        await keys.choose(group('Kind of key'), 'Text');
        await keys.fill(field(/^Key$/), 'O-1');
        await keys.fill(field(/^Value$/), 'paid');
        await untilDraft(
          ({ key, value }) => 'text' in key && 'text' in value && value.text === 'paid',
        );
      },
    ],
    [
      'adds headers, writes and moves them, and removes one',
      async () => {
        for (const name of ['first', 'second']) {
          await keys.push('Add header');
          await keys.type(name);
        }
        const kind = header(1).getByRole('combobox', { name: 'Kind of header value' });
        await keys.select(kind, 'Null');
        await keys.select(header(1).getByRole('combobox', { name: 'Kind of header key' }), 'Hex');
        await keys.fill(header(1).getByRole('textbox', { name: 'Header key' }), '00ff');
        await keys.fill(header(0).getByRole('textbox', { name: 'Header value' }), '1');
        await keys.to(header(1).getByRole('button', { name: 'Move header up' }));
        await keys.press('Enter');
        const written = [
          { key: '00ff', keyForm: 'hex', value: { kind: 'null' } },
          { key: 'first', value: { kind: 'text', text: '1' } },
        ];
        await untilDraft(({ headers }) => JSON.stringify(headers) === JSON.stringify(written));
        // The button that moved with its header has the focus still.
        await keys.press('Tab', 'Enter');
        await untilDraft(({ headers }) => headers[0]?.key === 'first');
        await keys.to(header(1).getByRole('button', { name: 'Remove header' }));
        await keys.press('Enter');
        await untilDraft(({ headers }) => headers.length === 1);
        await page.locator('.headers vscode-text-field:focus').waitFor();
      },
    ],
    [
      'sets timestamp, acks, compression and delivery',
      async () => {
        await keys.fill(field(/^Timestamp:/), '1790000000123');
        await keys.select(box('Compression'), 'zstd');
        await keys.select(box('Acks'), '1: the leader');
        await keys.select(box('Delivery'), 'Idempotent: a repeat writes nothing');
        await untilDraft(
          ({ acks, compression, delivery, timestamp }) =>
            [acks, compression, delivery, timestamp].join() === '1,zstd,idempotent,1790000000123',
        );
        await keys.select(box('Delivery'), 'At least once');
        await untilDraft(({ delivery }) => delivery === 'plain');
      },
    ],
    [
      'sees the bytes, and copies the command',
      async () => {
        for (const fold of ['The batch as bytes', 'The same by command line']) {
          await keys.to(page.locator('summary', { hasText: fold }));
          await keys.press('Enter');
        }
        await page.locator('pre.dump').waitFor();
        await keys.push(/^Copy the kcat command/);
        assert.deepEqual(await panel.next('copy'), { text: 'printf v | kcat -P' });
      },
    ],
    [
      'sends by the button and from any field, and opens what was sent',
      async () => {
        await keys.push('Send');
        await panel.next('send');
        await keys.push('refunds / 2 at 6,664');
        assert.deepEqual(await panel.next('openRecord'), {
          ...{ topic: 'refunds', partition: 2, offset: '6664' },
        });
        await page.getByRole('button', { name: 'Send', exact: true, disabled: false }).waitFor();
        await keys.to(field(/^Value$/));
        await keys.press('Control+Enter');
        await panel.next('send');
      },
    ],
    [
      'sends many, sees how far it is, and cancels; sends a file; shows examples',
      async () => {
        await keys.to(page.locator('summary', { hasText: 'Send many' }));
        await keys.press('Enter');
        assert.deepEqual(await faultsOfControls(page), []);
        await keys.fill(field('How many records'), '50');
        await keys.fill(field(/^Records per second/), '5');
        await keys.push('Send many');
        const { options } = (await panel.next('sendMany')) as { options: unknown };
        assert.deepEqual(options, { count: 50, perSecond: 5 });
        await keys.push('Cancel');
        await panel.next('cancelMany');
        endMany({ sent: 3, skipped: 0, cancelled: true });
        await page.locator('.many-status').getByText('3 records sent, then cancelled').waitFor();
        await keys.push('From a file...');
        await panel.next('sendFile');
        await page.locator('.many-status').getByText('7 records sent').waitFor();
        await keys.push('Show examples');
        await page.getByRole('list', { name: 'Examples' }).waitFor();
      },
    ],
    [
      'saves the record, and takes one that was saved',
      async () => {
        await keys.push('Save...');
        await panel.next('saveDraft');
        await keys.push('Use a saved record...');
        await panel.next('chooseDraft');
        await untilDraft(({ partition }) => partition === 0);
      },
    ],
    [
      'has the host keep a large text that is pasted',
      async () => {
        await keys.to(field('Value'));
        await copyByKey(page, 'x'.repeat(1_100_000));
        await page.keyboard.press('Control+v');
        await panel.next('hold');
        await page.getByRole('group', { name: 'Value' }).getByText('too many to edit').waitFor();
        await keys.push('Remove the bytes of value');
      },
    ],
    ['starts a cluster that is down', () => startByKeys(panel)],
  ];

  for (const [title, act] of functions) it(`${title} [K1]`, act);

  it('comes to every request that the panel can make of its host, and never needs a pointer [K1]', async () => {
    const asked = new Set(panel.asked.map(({ method }) => method));
    const missing = Object.keys(produceHost).filter((method) => !asked.has(method));
    // Asked for by the panel itself, of what is being sent since before it was hidden.
    assert.deepEqual(missing, ['awaitMany']);
    assert.equal(await pointerPresses(page), 0);
  });
});
