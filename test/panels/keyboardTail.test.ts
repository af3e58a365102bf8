import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { tailHost, type TailSetup, tailView } from '../../src/shared/contracts/tail.ts';
import { noProgress, type TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import { defaultTailScope } from '../../src/shared/contracts/tailQuery.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { startByKeys } from '../support/panels/clusterDown.ts';
import { faultsOfControls, pointerPresses } from '../support/panels/controls.ts';
import type { Keys } from '../support/panels/keys.ts';
import { openRecorded, type RecordedPanel } from '../support/panels/recordedPanel.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const automatic = { kind: 'auto', label: 'Automatic' } as const;

const setup: TailSetup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  topic: 'orders',
  partitionCount: 3,
  partitions: [0, 1, 2],
  from: 'last 100',
  scope: defaultTailScope,
  filter: '',
  decoders: { key: automatic, value: automatic, headers: automatic },
  paused: false,
};

const row = (offset: number): TailRow => ({
  partition: 0,
  offset: String(offset),
  timestamp: '1795930987482',
  key: { kind: 'text', text: `key-${offset}`, size: 8, truncated: false },
  value: { kind: 'text', text: '{"id":1}', size: 8, truncated: false },
  headerCount: 1,
  size: 40,
});

const details = (partition: number, offset: string): RecordDetails => ({
  topic: 'orders',
  partition,
  offset,
  timestamp: '1795930987482',
  timestampType: 'CreateTime',
  key: base64('key'),
  // More than is shown at once.
  value: base64(JSON.stringify({ id: 1, text: 'x'.repeat(30_000) })),
  headers: [{ key: base64('retry'), value: base64('1') }],
  batch: {
    ...{ baseOffset: '0', lastOffset: '9', recordCount: 10, sizeInBytes: 1804 },
    ...{ compression: 'lz4', leaderEpoch: 4, isTransactional: false },
    ...{ producerId: '-1', producerEpoch: -1, baseSequence: -1 },
  },
});

const histogram = {
  ...{ fromMs: 1_795_930_000_000, binMs: 60_000, all: [1, 0, 4, 2, 0, 3], untimed: 0 },
  ...{ firstMs: 1_795_930_010_000, lastMs: 1_795_930_350_000 },
};
const cutValue = { bytes: 20_000_000, isText: true, isJson: false };
const counts = { show: 'matched', matched: 6, rejected: 2, failed: 1, pending: 0, elsewhen: 0 };
const progress: TailProgress = { ...noProgress, session: 1, state: 'live', held: 100 };

/** What only a pointer uses, and what does the same by the keyboard. */
const pointerOnly = {
  '.list-edge': 'narrower and wider, in the box of columns',
  '.plot': 'the two sliders in it',
};

describe('The tail panel by the keyboard alone', function () {
  this.timeout(120_000);
  let panel: RecordedPanel<typeof tailHost, typeof tailView>;
  let page: Page;
  let keys: Keys;

  before(async () => {
    panel = await openRecorded({
      name: 'tail',
      serves: tailHost,
      calls: tailView,
      answers: {
        ready: () => setup,
        rows: ({ session, first, count }) => ({
          ...{ session, first },
          rows: Array.from({ length: count }, (_, i) => row(first + i)),
        }),
        details: ({ partition, offset }) => ({
          record: { ...details(partition, offset), ...(offset === '2' && { cutValue }) },
        }),
        histogram: () => ({ histogram }),
        groups: () => ({ groups: [] }),
        findRow: ({ offset }) => ({ row: Number(offset) }),
        setDecoder: ({ field, kind }) => ({
          decoders: { ...setup.decoders, [field]: { kind, label: kind } },
        }),
      },
    });
    ({ page, keys } = panel);
    tell({});
    await page.getByRole('slider', { name: 'First time' }).waitFor();
  });

  after(async () => {
    const problems = [...panel.problems];
    await panel.close();
    assert.deepEqual(problems, []);
  });

  const tell = (change: Partial<TailProgress>): void =>
    panel.host.notify('progress', { ...progress, ...change });
  const box = (name: string): Locator => page.getByRole('combobox', { name });
  const grid = (): Locator => page.getByRole('grid');
  const pane = (): Locator => page.getByRole('complementary', { name: 'Record' });
  const columns = (): Promise<string[]> => page.getByRole('columnheader').allTextContents();
  const openRecord = async (offset: number): Promise<void> => {
    await keys.to(grid());
    await keys.press('Home', ...Array<string>(offset).fill('ArrowDown'), 'Enter');
    await pane().getByText(`orders / 0 at ${offset}`).waitFor();
    await pane().locator('pre:focus').first().waitFor();
  };

  const functions: readonly (readonly [title: string, act: () => Promise<unknown>])[] = [
    [
      'seeks by what is typed, and by what is offered',
      async () => {
        await keys.fill(box('Show records from'), 'earliest');
        await keys.press('Enter');
        assert.deepEqual(await panel.next('seek'), {
          ...{ from: 'earliest', partitions: [0, 1, 2], scope: defaultTailScope },
        });
        await keys.to(box('Show records from'));
        await keys.press('ArrowDown', 'ArrowDown', 'Enter');
        await panel.next('seek');
      },
    ],
    [
      'pauses, and goes on',
      async () => {
        await keys.push('Pause');
        assert.deepEqual(await panel.next('setPaused'), { paused: true });
        await keys.push('Resume');
        assert.deepEqual(await panel.next('setPaused'), { paused: false });
      },
    ],
    [
      'chooses partitions',
      async () => {
        await keys.push('All 3 partitions');
        assert.deepEqual(await faultsOfControls(page, { within: '.partition-chooser' }), []);
        await keys.push(/partitions$/);
        await keys.turn('1');
        await keys.push('Apply');
        const asked = (await panel.next('seek')) as { partitions: number[] };
        assert.deepEqual(asked.partitions, [0, 2]);
        await keys.press('Escape');
      },
    ],
    [
      'chooses the isolation level and markers',
      async () => {
        await keys.push('read_uncommitted');
        assert.deepEqual(await faultsOfControls(page, { within: '.scope-chooser' }), []);
        await keys.push('read_uncommitted');
        await keys.choose(
          page.getByRole('radiogroup', { name: 'Isolation level' }),
          'read_committed',
        );
        await panel.next('seek');
        await keys.turn('Show transaction markers');
        const asked = (await panel.next('seek')) as { scope: unknown };
        assert.deepEqual(asked.scope, { isolation: 'read_committed', markers: true });
        await keys.press('Escape');
      },
    ],
    [
      'shows, orders, widens, adds and removes columns',
      async () => {
        await keys.push('Columns');
        assert.deepEqual(await faultsOfControls(page, { within: '.column-chooser' }), []);
        await keys.push('Columns');
        await keys.turn('Size');
        await keys.push('Value further left');
        await keys.push('Value wider');
        await keys.to(page.getByRole('textbox', { name: 'Header or JSON path' }));
        await keys.type('trace');
        await keys.press('Enter');
        assert.deepEqual(await columns(), [
          ...['Time', 'P', 'Offset', 'Value', 'Key', 'Headers', 'Size', 'trace'],
        ]);
        await keys.push('Remove Header trace');
        await keys.push('Reset columns');
        assert.deepEqual(await columns(), ['Time', 'P', 'Offset', 'Key', 'Value', 'Headers']);
        await keys.press('Escape');
      },
    ],
    [
      'copies a link, replays and exports',
      async () => {
        await keys.push(/^Copy a link/);
        await panel.next('copyLink');
        await keys.push('Replay...');
        assert.deepEqual(await panel.next('replay'), { record: undefined });
        await keys.push('Export...');
        await panel.next('exportRecords');
      },
    ],
    [
      'filters, looks at what failed, and clears the filter',
      async () => {
        await keys.fill(box('Filter records'), 'js: value.id');
        await panel.next('checkFilter');
        await keys.press('Enter');
        assert.deepEqual(await panel.next('setFilter'), {
          filter: 'js: value.id',
          show: 'matched',
        });
        tell({ filter: counts as TailProgress['filter'] });
        await keys.push('Show the failed');
        assert.deepEqual(await panel.next('setFilter'), { filter: 'js: value.id', show: 'failed' });
        await keys.push('Clear filter');
        assert.deepEqual(await panel.next('setFilter'), { filter: '', show: 'matched' });
        tell({});
      },
    ],
    [
      'brushes the histogram, and goes back to all times',
      async () => {
        await keys.to(page.getByRole('slider', { name: 'First time' }));
        await keys.press('ArrowRight', 'ArrowRight', 'Enter');
        const asked = (await panel.next('setFilter')) as { within: { fromMs: number } };
        assert.equal(asked.within.fromMs, histogram.fromMs + 2 * histogram.binMs);
        await keys.push('All times');
        assert.deepEqual(await panel.next('setFilter'), { filter: '', show: 'matched' });
      },
    ],
    [
      'sorts by a column, and goes back to the order of arrival',
      async () => {
        await keys.to(page.getByRole('columnheader', { name: 'Key' }).getByRole('button'));
        await keys.press('Enter');
        assert.deepEqual(await panel.next('setOrder'), { order: { by: 'key', descending: false } });
        tell({
          sorted: { order: { by: 'key', descending: false }, newer: 0, waits: false },
        });
        await page.getByText(/^Sorted by Key, ascending/).waitFor();
        await keys.to(grid());
        await keys.press('Escape');
        assert.deepEqual(await panel.next('setOrder'), {});
        tell({});
      },
    ],
    [
      'moves through the records, and back to the newest',
      async () => {
        await keys.to(grid());
        await keys.press('Home', 'PageDown', 'ArrowUp');
        await keys.push(/^Jump to newest/);
        await page.getByRole('gridcell', { name: 'key-99', exact: true }).waitFor();
      },
    ],
    [
      'opens a record, reads it in other ways, and copies it',
      async () => {
        await openRecord(0);
        assert.deepEqual(await faultsOfControls(page, { pointerOnly }), []);
        await keys.select(pane().getByRole('combobox', { name: 'Read values as' }), 'Text (UTF-8)');
        assert.deepEqual(await panel.next('setDecoder'), { field: 'value', kind: 'text' });
        // The pane is drawn anew.
        await pane().locator('select[title^="Read values as: text"]:focus').waitFor();
        await keys.choose(pane().getByRole('radiogroup', { name: 'Value as' }), 'Text');
        await keys.push(/^Show all/);
        await keys.push('Copy value');
        await panel.next('copy');
        await keys.push('Copy record');
        await panel.next('copy');
        await keys.push('Produce again');
        await panel.next('produceAgain');
        await keys.push('Replay to...');
        assert.deepEqual(await panel.next('replay'), { record: { partition: 0, offset: '0' } });
      },
    ],
    [
      'takes all of a large value',
      async () => {
        await openRecord(2);
        await keys.push('Open in an editor');
        const part = { record: { partition: 0, offset: '2' }, of: 'value', form: 'text' };
        assert.deepEqual(await panel.next('takePart'), { ...part, to: 'editor' });
        await keys.push('Save...');
        assert.deepEqual(await panel.next('takePart'), { ...part, to: 'file' });
        await openRecord(0);
      },
    ],
    [
      'makes the pane of a record higher',
      async () => {
        const bar = page.getByRole('separator');
        await keys.to(bar);
        const before = await pane().evaluate(heightOf);
        await keys.press('ArrowUp');
        assert.equal(await pane().evaluate(heightOf), before + 24);
      },
    ],
    [
      'compares two records, and closes the pane',
      async () => {
        await keys.push('Compare...');
        await keys.press('Escape');
        await pane().waitFor({ state: 'hidden' });
        await openRecord(1);
        await keys.push('Compare with 0 at 0');
        const place = (offset: string) => ({ partition: 0, offset });
        assert.deepEqual(await panel.next('compare'), { left: place('0'), right: place('1') });
        await keys.push(/^Close details/);
        await page.locator('[role=grid]:focus').waitFor();
      },
    ],
    ['starts a cluster that is down', () => startByKeys(panel)],
    [
      'starts again after a failure, and takes an error away',
      async () => {
        tell({ state: 'failed', error: { message: 'The connection is gone.' } });
        await keys.push('Start again');
        await panel.next('seek');
        tell({ state: 'failed', error: { message: 'The connection is gone.' } });
        await keys.push('Dismiss');
        await page.getByRole('alert').waitFor({ state: 'hidden' });
      },
    ],
  ];

  for (const [title, act] of functions) it(`${title} [K1]`, act);

  it('comes to every request that the panel can make of its host, and never needs a pointer [K1]', async () => {
    const asked = new Set(panel.asked.map(({ method }) => method));
    const missing = Object.keys(tailHost).filter((method) => !asked.has(method));
    // Asked for by the panel itself, of a place that a page before it kept.
    assert.deepEqual(missing, ['findRow']);
    assert.equal(await pointerPresses(page), 0);
  });
});

const heightOf = ({ offsetHeight }: { readonly offsetHeight: number }): number => offsetHeight;
