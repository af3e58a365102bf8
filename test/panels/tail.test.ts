import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Handlers } from '../../src/shared/channel.ts';
import type { RecordDetails } from '../../src/shared/contracts/recordDetails.ts';
import { tailHost, type TailSetup, tailView } from '../../src/shared/contracts/tail.ts';
import type { TailHistogram } from '../../src/shared/contracts/tailHistogram.ts';
import { noProgress, type TailProgress } from '../../src/shared/contracts/tailProgress.ts';
import {
  defaultTailScope,
  type FilterShow,
  type TailOrder,
  type TailScope,
} from '../../src/shared/contracts/tailQuery.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { eventually } from '../scenarios/clusters.ts';
import { seriousFaults } from '../support/axe.ts';
import { tabTo, unreachedControls } from '../support/keyboard.ts';
import { comeUp, goDown, startByPointer } from '../support/panels/clusterDown.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';

const setup: TailSetup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  topic: 'orders',
  partitionCount: 3,
  partitions: [0, 1, 2],
  from: 'last 100',
  scope: defaultTailScope,
  filter: '',
  decoders: {
    key: { kind: 'auto', label: 'Automatic' },
    value: { kind: 'auto', label: 'Automatic' },
    headers: { kind: 'auto', label: 'Automatic' },
  },
  paused: false,
};

const progress: TailProgress = { ...noProgress, session: 1, state: 'live' };

const VALUES: TailRow['value'][] = [
  { kind: 'text', text: '{"id":9007199254740993}', size: 23, truncated: false },
  { kind: 'null' },
  { kind: 'empty' },
  { kind: 'binary', hex: '00ff', size: 2, truncated: false },
];

const row = (number: number): TailRow => ({
  partition: number % 3,
  offset: String(number),
  timestamp: '1795930987482',
  key: { kind: 'text', text: `key-${number}`, size: 8, truncated: false },
  value: VALUES[number % VALUES.length] ?? { kind: 'null' },
  headerCount: 2,
  size: 40,
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const details = (partition: number, offset: string): RecordDetails => ({
  topic: 'orders',
  partition,
  offset,
  timestamp: '1795930987482',
  timestampType: 'CreateTime',
  key: base64('key'),
  value: base64('{"id":9007199254740993,"id":2}'),
  headers: [
    { key: base64('retry'), value: base64('1') },
    { key: base64('retry'), value: null },
    { key: base64('blank'), value: '' },
  ],
  batch: {
    baseOffset: '0',
    lastOffset: '9',
    recordCount: 10,
    sizeInBytes: 1804,
    compression: 'lz4',
    leaderEpoch: 4,
    producerId: '-1',
    producerEpoch: -1,
    baseSequence: -1,
    isTransactional: false,
  },
});

/** Two frames on: what was measured has been drawn. */
const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

describe('The tail panel', function () {
  this.timeout(120_000);
  let panel: PanelPage<typeof tailHost, typeof tailView> | undefined;
  const opened = (): NonNullable<typeof panel> => panel ?? assert.fail('no panel is open');
  let seeks: { from: string; partitions: number[]; scope: TailScope }[];
  let filters: { filter: string; show: FilterShow }[];
  let orders: (TailOrder | undefined)[];
  let copied: string[];

  async function open(
    overrides: Partial<Handlers<typeof tailHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    seeks = [];
    filters = [];
    orders = [];
    copied = [];
    panel = await openPanel({
      name: 'tail',
      ...(state !== undefined && { state }),
      serves: tailHost,
      calls: tailView,
      handlers: {
        ready: () => setup,
        seek: (wanted) => {
          seeks.push(wanted);
          return {};
        },
        setFilter: (wanted) => {
          filters.push(wanted);
          return {};
        },
        setOrder: ({ order }) => {
          orders.push(order);
          return {};
        },
        checkFilter: () => ({}),
        groups: ({ like }) => ({
          groups: ['payments', 'shipping'].filter((name) => name.includes(like)),
        }),
        setDecoder: () => ({}),
        setPaused: () => ({}),
        bringUp: () => ({}),
        rows: ({ session, first, count }) => ({
          session,
          first,
          rows: Array.from({ length: count }, (_, i) => row(first + i)),
        }),
        histogram: () => ({}),
        findRow: ({ offset }) => ({ row: Number(offset) }),
        compare: () => ({}),
        copyLink: () => ({}),
        details: ({ partition, offset }) => ({ record: details(partition, offset) }),
        exportRecords: () => ({}),
        produce: () => ({}),
        produceAgain: () => ({}),
        replay: () => ({}),
        takePart: () => ({}),
        copy: ({ text }) => {
          copied.push(text);
          return {};
        },
        ...overrides,
      },
    });
    await panel.page.getByText('@ Embedded').waitFor();
    return panel.page;
  }

  const tell = (change: Partial<TailProgress>): void =>
    panel?.host.notify('progress', { ...progress, ...change });
  const record = (page: Page, number: number): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell', { name: `key-${number}`, exact: true }) });

  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  it('says that there are no records yet, and how to see older ones where there may be some', async () => {
    for (const [from, words] of [
      ['latest', /^No records yet.*; to see older records, start from earliest or last 100.$/],
      ['last 100', /^No records yet. What is produced to orders appears here.$/],
    ] as const) {
      const page = await open({ ready: () => ({ ...setup, from }) });
      tell({ held: 0 });
      await page.getByText(words).waitFor();
      await panel?.close();
    }
  });

  it('offers to produce a record where none is there yet, not on a read-only cluster nor below a filter', async () => {
    let produced = 0;
    const produce = (): object => ({ produced: ++produced });
    const page = await open({ produce });
    const offer = page.getByRole('main').getByRole('button', { name: 'Produce a record' });
    tell({ held: 0, state: 'reading' });
    await page.getByText('Reading …').waitFor();
    assert.equal(await offer.isVisible(), false);
    tell({ held: 0 });
    await offer.click();
    await eventually(() => produced === 1);
    panel?.host.notify('setup', { ...setup, filter: 'paid' });
    const counted = { matched: 0, rejected: 0, failed: 0, elsewhen: 0, pending: 0 };
    tell({ held: 0, filter: { show: 'matched', ...counted } });
    await page.getByText('No record that is held matches the filter.').waitFor();
    assert.equal(await offer.isVisible(), false);
    await panel?.close();

    const cluster = { ...setup.cluster, readOnly: true };
    const readOnly = await open({ ready: () => ({ ...setup, cluster }) });
    tell({ held: 0 });
    await readOnly.getByText(/^No records yet/).waitFor();
    assert.equal(await readOnly.getByText('Produce a record').isVisible(), false);
  });

  it('shows null, empty, bytes and text apart, and int64s exactly', async () => {
    const page = await open();
    tell({ held: 4 });
    await record(page, 0).getByText('{"id":9007199254740993}').waitFor();
    await record(page, 1).getByText('⌀ null (tombstone)').waitFor();
    await record(page, 2).getByText('empty', { exact: true }).waitFor();
    await record(page, 3).getByText('hex 00 ff').waitFor();
  });

  it('stays at the end of a million rows, holds when scrolled, and jumps back', async () => {
    const page = await open();
    tell({ held: 1_000_000 });
    await record(page, 999_999).waitFor();
    const jump = page.getByRole('button', { name: 'Jump to newest' });
    assert.equal(await jump.isVisible(), false);
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, -2000);
    await jump.waitFor();
    await record(page, 999_900).waitFor();
    tell({ held: 1_000_500 });
    await page.getByText('1,000,500 records').waitFor();
    await record(page, 999_900).waitFor();
    await jump.click();
    await record(page, 1_000_499).waitFor();
    await jump.waitFor({ state: 'hidden' });
  });

  it('shows the first record first where it starts at a place in the log [D2] [D3]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest' }) });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 1000, state: 'reading' });
    await record(page, 0).waitFor();
    const jump = page.getByRole('button', { name: /^Jump to newest \(\d,?\d+ below\)$/ });
    await jump.waitFor();
    const toNewest = page.locator('.records > vscode-button');
    const below = async (): Promise<number> =>
      Number(/[\d,]+/.exec((await toNewest.textContent()) ?? '')?.[0].replace(',', ''));
    const before = await below();
    assert.ok(before > 900 && before < 1000, String(before));
    tell({ ...place, held: 2000 });
    await eventually(async () => (await below()) === before + 1000);
    assert.equal(await record(page, 0).isVisible(), true);
    await jump.click();
    await record(page, 1999).waitFor();
    await jump.waitFor({ state: 'hidden' });
    // Another filter of the same tail leaves a person where they have gone, and a page that comes back as well.
    tell({ ...place, session: 2, held: 500 });
    await record(page, 499).waitFor();
    const state = panel?.state();
    await panel?.close();
    const again = await open({ ready: () => ({ ...setup, from: 'earliest' }) }, state);
    tell({ ...place, session: 2, held: 500 });
    await record(again, 499).waitFor();
    tell({ session: 3, began: 3, beganAtPlace: true, held: 600 });
    await record(again, 0).waitFor();
    await eventually(() => (panel?.state() as { follows?: boolean }).follows === false);
    const top = panel?.state();
    await panel?.close();
    const third = await open({ ready: () => ({ ...setup, from: 'earliest' }) }, top);
    tell({ session: 3, began: 3, beganAtPlace: true, held: 700 });
    await record(third, 0).waitFor();
  });

  it('offers no way to the newest where a filter leaves nothing to go to [D3] [D4]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest', filter: 'x' }) });
    const place = { began: 1, beganAtPlace: true };
    const counted = { rejected: 1000, failed: 0, elsewhen: 0, pending: 0 };
    tell({ ...place, held: 1000, filter: { show: 'matched', ...counted, matched: 1000 } });
    const jump = page.getByRole('button', { name: /^Jump to newest/ });
    await jump.waitFor();
    tell({ ...place, held: 0, filter: { show: 'matched', ...counted, matched: 0 } });
    await page.getByText('No record that is held matches the filter.').waitFor();
    await jump.waitFor({ state: 'hidden' });
  });

  it('goes on with what comes where everything from a place on is seen [D2] [D3]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest' }) });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 5 });
    await record(page, 0).waitFor();
    await record(page, 4).waitFor();
    await eventually(() => (panel?.state() as { follows?: boolean }).follows === true);
    tell({ ...place, held: 500 });
    await record(page, 499).waitFor();
  });

  it('says that what is looked at moves on, where memory is full, and pauses [D3]', async () => {
    const paused: boolean[] = [];
    const page = await open({
      setPaused: (wanted) => {
        paused.push(wanted.paused);
        return {};
      },
    });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 1000, state: 'reading' });
    await record(page, 0).waitFor();
    tell({ ...place, dropped: 300, held: 1000, state: 'reading' });
    await record(page, 300).waitFor();
    const notice = page.getByRole('note').filter({ hasText: 'Memory is full' });
    await notice.getByRole('button', { name: 'Pause' }).click();
    await eventually(() => isDeepStrictEqual(paused, [true]));
    tell({ ...place, dropped: 300, held: 1000, state: 'paused' });
    await notice.waitFor({ state: 'hidden' });
    // Of rows that were not seen nothing is said.
    await page.getByRole('button', { name: /^Jump to newest/ }).click();
    await record(page, 1299).waitFor();
    tell({ ...place, dropped: 600, held: 1000 });
    await record(page, 1599).waitFor();
    assert.equal(await notice.isVisible(), false);
  });

  it('keeps what is looked at in place while the oldest rows are dropped', async () => {
    const page = await open();
    tell({ held: 5000 });
    await record(page, 4999).click();
    await page.keyboard.press('Home');
    for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
    await page.getByText(/^orders \/ \d at/).waitFor();
    const selected = page.locator('[aria-selected=true]', { hasText: 'key-' });
    await settled(page);
    const before = await selected.textContent();
    const y = (await selected.boundingBox())?.y;
    tell({ dropped: 3, held: 5000 });
    await page.getByText('oldest 3 dropped').waitFor();
    assert.equal(await selected.textContent(), before);
    assert.equal((await selected.boundingBox())?.y, y);
  });

  it('goes on to the newest as they come, and shows what it has until then [D3]', async () => {
    const waiting: (() => void)[] = [];
    const page = await open({
      rows: async ({ session, first, count }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { session, first, rows: Array.from({ length: count }, (_, i) => row(first + i)) };
      },
    });
    const give = async (request: number): Promise<void> => {
      await eventually(() => Promise.resolve(waiting.length > request));
      waiting[request]?.();
    };
    tell({ held: 1000 });
    await give(0);
    await record(page, 999).waitFor();
    tell({ held: 2000 });
    await eventually(() => Promise.resolve(waiting.length === 2));
    await settled(page);
    assert.equal(await record(page, 999).isVisible(), true);
    assert.equal(await page.locator('.list-row[aria-busy]').count(), 0);
    // There are newer ones by now: those that were asked for come nevertheless.
    tell({ held: 3000 });
    await give(1);
    await record(page, 1999).waitFor();
    await give(2);
    await record(page, 2999).waitFor();
  });

  it('moves by the keyboard and opens a record, exactly and whole', async () => {
    const page = await open();
    tell({ held: 100 });
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await record(page, 1).and(page.locator('[aria-selected=true]')).waitFor();
    assert.equal(await record(page, 1).getAttribute('aria-rowindex'), '3');
    assert.equal(await grid.getAttribute('aria-rowcount'), '101');
    assert.equal(
      await grid.getAttribute('aria-activedescendant'),
      await record(page, 1).getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('9007199254740993').waitFor();
    assert.equal(
      await value.locator('pre').textContent(),
      '{\n  "id": 9007199254740993,\n  "id": 2\n}',
    );
    assert.deepEqual(
      await page.getByRole('region', { name: 'Headers' }).getByRole('row').allTextContents(),
      ['retry1', 'retry⌀ null', 'blankempty'],
    );
    await value.getByRole('button', { name: 'Copy value' }).click();
    assert.match(copied[0] ?? '', /9007199254740993/);
    await value.getByRole('radio', { name: 'Base64' }).check();
    await value.getByText(base64('{"id":9007199254740993,"id":2}')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'hidden' });
  });

  it('produces a record again as it is shown [E5]', async () => {
    const asked: unknown[] = [];
    const page = await open({
      produceAgain: (wanted) => {
        asked.push(wanted);
        return asked.length === 1
          ? {}
          : { error: { message: 'The record is not there any more.' } };
      },
    });
    tell({ held: 100 });
    await record(page, 99).dblclick();
    const again = page.getByRole('button', { name: 'Produce again' });
    await again.click();
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByRole('radio', { name: 'Text' }).check();
    await again.click();
    await page.getByText('The record is not there any more.').waitFor();
    assert.deepEqual(asked, [
      { partition: 0, offset: '99', keyForm: 'text', valueForm: 'json' },
      { partition: 0, offset: '99', keyForm: 'text', valueForm: 'text' },
    ]);
  });

  it('replays a record, or all that are shown [D8]', async () => {
    const asked: unknown[] = [];
    const page = await open({
      replay: (wanted) => {
        asked.push(wanted.record);
        return wanted.record ? {} : { error: { message: 'No record is shown.' } };
      },
    });
    tell({ held: 100 });
    await record(page, 99).dblclick();
    await page.getByRole('button', { name: 'Replay to...' }).click();
    await page.getByRole('button', { name: 'Replay...', exact: true }).click();
    await page.getByText('No record is shown.').waitFor();
    assert.deepEqual(asked, [{ partition: 0, offset: '99' }, undefined]);
  });

  it('opens the record that it is asked to open', async () => {
    const page = await open({
      ready: () => ({ ...setup, from: '0', partitions: [0], open: { partition: 0, offset: '0' } }),
    });
    tell({ held: 2000 });
    await page.getByText('orders / 0 at 0').waitFor();
  });

  it('explains a seek as it is typed, and sends it in a form that means the same anywhere', async () => {
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Show records from' });
    await input.click();
    await page.getByRole('option', { name: 'group payments' }).waitFor();
    await input.fill('group ship');
    await page.getByRole('option', { name: 'group payments' }).waitFor({ state: 'hidden' });
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      'group shippingits committed offsets',
    ]);
    await input.fill('@2026-11-29T14:00..@-PT1H');
    await page.getByText(/From 2026-11-29T14:00.* up to 1 hour ago/).waitFor();
    await input.press('Enter');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    assert.match(seeks[0]?.from ?? '', /^@2026-11-29T14:00(Z|[+-]\d\d:\d\d)\.\.@-1h$/);
    assert.deepEqual(seeks[0]?.partitions, [0, 1, 2]);
    // Kept when the host has agreed; Mocha's limit bounds the wait.
    while ((panel?.state() as { from: string }).from !== seeks[0].from) await settled(page);
  });

  it('starts where it is told to before it has been set up [D2]', async () => {
    for (const isTypedBefore of [true, false]) {
      let give = (_: TailSetup): void => undefined;
      const opening = open({ ready: () => new Promise((resolve) => (give = resolve)) });
      await eventually(() => Promise.resolve(panel !== undefined));
      const { page } = panel ?? assert.fail();
      const input = page.getByRole('combobox', { name: 'Show records from' });
      await input.focus();
      if (isTypedBefore) await page.keyboard.type('earl');
      give(setup);
      await opening;
      await page.keyboard.type(isTypedBefore ? 'iest' : 'earliest');
      await page.keyboard.press('Enter');
      await eventually(() => Promise.resolve(seeks.length === 1));
      assert.equal(seeks[0]?.from, 'earliest');
      while ((panel?.state() as { from: string }).from !== 'earliest') await settled(page);
      assert.equal(await input.inputValue(), 'earliest');
      await panel?.close();
      panel = undefined;
    }
  });

  it('says the day of a record that is not of today [D3]', async () => {
    const now = new Date();
    const noon = (day: number): string =>
      String(new Date(now.getFullYear(), now.getMonth(), day, 12, 0, 0, 7).getTime());
    let yesterdays = false;
    const page = await open({
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [
          { ...row(0), timestamp: noon(now.getDate() - (yesterdays ? 1 : 0)) },
          { ...row(1), timestamp: noon(now.getDate()) },
          { ...row(2), timestamp: '-1' },
        ],
      }),
    });
    tell({ held: 3 });
    const time = (number: number): Locator => record(page, number).getByRole('gridcell').first();
    await time(0).getByText('12:00:00.007', { exact: true }).waitFor();
    const width = async (): Promise<number> => (await time(1).boundingBox())?.width ?? 0;
    const narrow = await width();
    yesterdays = true;
    tell({ session: 2, held: 3 });
    await time(0)
      .getByText(/^\d{4}-\d\d-\d\d 12:00:00\.007$/)
      .waitFor();
    await time(1).getByText('12:00:00.007', { exact: true }).waitFor();
    await time(2).getByText('no time', { exact: true }).waitFor();
    await eventually(async () => (await width()) > narrow);
  });

  it('says at the input what is wrong with a seek, and sends nothing', async () => {
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Show records from' });
    await input.fill('6200:6100');
    await input.press('Enter');
    await page.getByText('At character 6, the end is not after the start, 6,200').waitFor();
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(seeks, []);
  });

  it('says at the input what the cluster finds wrong with a seek', async () => {
    const page = await open({
      seek: () => ({ error: { message: 'nope has no commits', hint: 'Choose another group.' } }),
    });
    await page.getByRole('combobox', { name: 'Show records from' }).fill('group nope');
    await page.keyboard.press('Enter');
    await page.getByText('nope has no commits. Choose another group.').waitFor();
  });

  it('chooses partitions', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'All 3 partitions' }).click();
    await page.getByRole('checkbox', { name: '1' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: '2 of 3 partitions' }).waitFor();
    assert.deepEqual(seeks, [{ from: 'last 100', partitions: [0, 2], scope: defaultTailScope }]);
  });

  it('chooses the isolation level and markers, and says what a row that is no record is about [D6]', async () => {
    const page = await open({
      rows: ({ session }) => ({
        session,
        first: 0,
        rows: [
          { ...row(0), transaction: 'aborted' },
          { ...row(1), note: 'records 10 to 99 were deleted before they were read' },
          { ...row(2), problem: 'the checksum is 1, but that of the bytes is 2' },
          { ...row(4), transaction: 'committed' },
        ],
      }),
    });
    tell({ held: 4 });
    await page.getByText('aborted · {"id":9007199254740993}').waitFor();
    await page.getByText('records 10 to 99 were deleted before they were read').click();
    await page
      .getByRole('complementary', { name: 'Record' })
      .getByText('records 10 to 99')
      .waitFor();
    await page.getByText('This batch could not be read: the checksum is 1').waitFor();
    const held = { partition: 2, lastStableOffset: '6650', waiting: '21' };
    const producer = { id: '4001', epoch: 3 };
    tell({ held: 4, heldBy: [{ ...held, producer }] });
    await page
      .getByText('LSO of partition 2: 6,650, 21 offsets behind it: held by a transaction')
      .waitFor();
    tell({ held: 4 });
    await page.getByText('LSO of partition 2').waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('committed ·').count(), 0);
    await page.getByRole('button', { name: 'read_uncommitted' }).click();
    await page.getByRole('radio', { name: 'read_committed', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Show transaction markers' }).click();
    await page.getByRole('button', { name: 'read_committed, markers' }).waitFor();
    assert.deepEqual(seeks.at(-1)?.scope, { isolation: 'read_committed', markers: true });
    while (!(panel?.state() as { scope: TailScope }).scope.markers) await settled(page);
  });

  it('reads a field as a person chooses, and says why it cannot, with the bytes [D5]', async () => {
    const page = await open({
      setDecoder: ({ field, kind }) => ({
        decoders: { ...setup.decoders, [field]: { kind, label: kind } },
      }),
      details: ({ partition, offset }) => ({
        record: {
          ...details(partition, offset),
          decodedKey: { text: '-2', isJson: false },
          decodedValue: { problem: 'not int64: that takes 8 bytes, and there are 30' },
        },
      }),
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [
          {
            ...row(0),
            key: { kind: 'decoded', text: '-2', size: 4, truncated: false },
            value: { kind: 'failed', problem: 'not int64', hex: '7b22', size: 30 },
          },
        ],
      }),
    });
    tell({ held: 1 });
    await page.getByText('not int64 · hex 7b 22').click();
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('not int64: that takes 8 bytes, and there are 30').waitFor();
    await page.getByRole('region', { name: 'Key' }).locator('pre', { hasText: '-2' }).waitFor();
    const choice = value.getByRole('combobox', { name: 'Read values as' });
    await choice.selectOption('int64');
    await page.getByTitle('Read values as: int64', { exact: false }).waitFor();
  });

  it('filters, counts, says what is wrong while it is typed, and shows what failed [D4]', async () => {
    const page = await open({
      checkFilter: ({ filter }) =>
        filter.endsWith('>') ? { problem: 'SyntaxError: unexpected end' } : {},
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [{ ...row(0), ...(session === 3 && { failure: 'TypeError: value is null' }) }],
      }),
    });
    tell({ held: 5 });
    const input = page.getByRole('combobox', { name: 'Filter records' });
    await input.click();
    await page.getByRole('option', { name: 'js: value.total > 100' }).waitFor();
    await input.fill('js: value.total >');
    await page.getByText('SyntaxError: unexpected end').waitFor();
    await input.fill('js: value.total > 100');
    await page.getByText('Records for which value.total > 100 is true.').waitFor();
    await input.press('Enter');
    await page.getByRole('button', { name: 'Clear filter' }).waitFor();
    const counts = { matched: 1, rejected: 3, failed: 1, elsewhen: 0, pending: 0 };
    tell({ session: 2, held: 1, filter: { show: 'matched', ...counts } });
    await page.getByText('1 matched · 3 rejected · 1 failed').waitFor();
    const none = { ...counts, matched: 0, failed: 4, failure: 'ReferenceError: vlaue' };
    tell({ session: 2, held: 0, filter: { show: 'matched', ...none } });
    await page.getByText('It failed on 4 records, first with: ReferenceError: vlaue').waitFor();
    await page.getByRole('button', { name: 'Show the failed' }).click();
    tell({ session: 3, held: 1, filter: { show: 'failed', ...counts } });
    await page.getByText('the filter failed: TypeError: value is null').waitFor();
    await page.getByRole('button', { name: 'Show the matched' }).click();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await page.getByRole('button', { name: 'Clear filter' }).waitFor({ state: 'hidden' });
    const filter = 'js: value.total > 100';
    assert.deepEqual(filters, [
      { filter, show: 'matched' },
      { filter, show: 'failed' },
      { filter, show: 'matched' },
      { filter: '', show: 'matched' },
    ]);
    assert.equal((panel?.state() as { filter: string }).filter, '');
  });

  it('has a button that applies a filter while it is only typed [D4]', async () => {
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Filter records' });
    const apply = page.getByRole('button', { name: 'Apply' });
    await input.fill('key-1');
    await apply.waitFor();
    assert.deepEqual(filters, []);
    await input.press('Escape');
    await input.press('Escape');
    await apply.waitFor({ state: 'hidden' });
    assert.equal(await input.inputValue(), '');
    await input.fill('key-2');
    await apply.click();
    await apply.waitFor({ state: 'hidden' });
    assert.deepEqual(filters, [{ filter: 'key-2', show: 'matched' }]);
  });

  it('shows what a filter has counted to a page that comes back to it [D4] [D9]', async () => {
    const earlier = panel;
    const counts = { matched: 1, rejected: 3, failed: 0, elsewhen: 0, pending: 0 };
    const page = await open({
      ready: async () => {
        await eventually(() => Promise.resolve(panel !== earlier));
        tell({ held: 1, filter: { show: 'matched', ...counts } });
        return { ...setup, filter: 'O-1' };
      },
    });
    await page.getByText('1 matched · 3 rejected · 0 failed').waitFor();
  });

  const overTime: TailHistogram = {
    fromMs: new Date(2026, 10, 29, 14, 0).getTime(),
    firstMs: new Date(2026, 10, 29, 14, 0, 20).getTime(),
    lastMs: new Date(2026, 10, 29, 14, 9, 50).getTime(),
    binMs: 60_000,
    all: [1, 0, 4, 2, 0, 3, 0, 0, 5, 1],
    shown: [0, 0, 3, 2, 0, 0, 0, 0, 1, 0],
    untimed: 2,
  };
  const minute = (of: number): number => overTime.fromMs + of * 60_000;

  it('shows how many records are of which time, and limits the view to what is brushed [D10]', async () => {
    const page = await open({ histogram: () => ({ histogram: overTime }) });
    tell({ held: 16 });
    const over = page.getByRole('group', { name: 'Records over time' });
    const summary =
      '16 records from 2026-11-29 14:00:20 to 2026-11-29 14:09:50. Most within 1 minute: 5, from 14:08:00 on. 2 records without a time.';
    await over.getByText(summary).waitFor();
    await over.getByText('2026-11-29 14:09:50', { exact: true }).waitFor();
    const box = (await over.locator('.plot').boundingBox()) ?? assert.fail();
    const bin = (number: number): number => box.x + ((number + 0.5) / 10) * box.width;
    await page.mouse.move(bin(2), box.y + 5);
    await over.getByText('14:02:00 to 14:03:00: 4 records, 3 shown').waitFor();
    await page.mouse.down();
    await page.mouse.move(bin(5), box.y + 5);
    await over.getByText('14:02:00 to 14:06:00: 9 records, 5 shown').waitFor();
    await page.mouse.up();
    await over.getByRole('button', { name: 'All times' }).waitFor();
    const within = { fromMs: minute(2), toMs: minute(6) };
    assert.deepEqual(filters, [{ filter: '', show: 'matched', within }]);
    assert.deepEqual((panel?.state() as { within: unknown }).within, within);
    await over.getByRole('button', { name: 'All times' }).click();
    await over.getByRole('button', { name: 'All times' }).waitFor({ state: 'hidden' });
    assert.deepEqual(filters.at(-1), { filter: '', show: 'matched' });
  });

  it('keeps the records where they are when the counts over time come, also in a narrow panel [D10]', async () => {
    for (const width of [900, 560, 400]) {
      const counted = Promise.withResolvers<{ histogram: typeof overTime }>();
      const page = await open({ histogram: () => counted.promise });
      await page.setViewportSize({ width, height: 700 });
      tell({ held: 16 });
      await record(page, 3).waitFor();
      const before = await record(page, 3).boundingBox();
      counted.resolve({ histogram: overTime });
      await page.getByRole('group', { name: 'Records over time' }).waitFor();
      assert.deepEqual(await record(page, 3).boundingBox(), before, `at a width of ${width}`);
      await panel?.close();
    }
  });

  it('says once that the cluster is down, keeps what it has, and starts again with the cluster [D1]', async () => {
    const page = await open({ bringUp: () => comeUp(opened()) });
    tell({ held: 10 });
    await record(page, 9).waitFor();
    await goDown(opened());
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    assert.equal(await page.getByText('connection refused').isVisible(), false);
    assert.equal(await record(page, 9).isVisible(), true);
    await startByPointer(opened());
    await eventually(() => seeks.length === 1);
  });

  it('says that the cluster was stopped, and has nothing to pause until it runs again [D1]', async () => {
    const page = await open();
    tell({ held: 10 });
    await goDown(opened());
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    await page.locator('.status').getByText('Cluster stopped').waitFor();
    const pause = page.getByRole('button', { name: 'Pause' });
    await eventually(() => pause.isDisabled());
    comeUp(opened());
    tell({ held: 10 });
    await page.locator('.status').getByText('Live').waitFor();
    await eventually(() => pause.isEnabled());
  });

  it('shows the partitions that were added, where it is of all [D1]', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'All 3 partitions' }).waitFor();
    tell({ held: 10, partitionCount: 5 });
    await page.getByRole('button', { name: 'All 5 partitions' }).waitFor();
  });

  it('says that the topic was deleted, and starts over as it began [D1] [D2]', async () => {
    const page = await open();
    const error = { message: 'Topic orders was deleted.' };
    tell({ held: 10, state: 'failed', error, topicGone: 'deleted' });
    await page.getByRole('alert').getByText(error.message).waitFor();
    await page.locator('.status').getByText('Topic deleted').waitFor();
    await record(page, 9).waitFor();
    await page.getByRole('button', { name: 'Tail again' }).click();
    await eventually(() => seeks.length === 1);
    assert.deepEqual([seeks[0]?.from, seeks[0]?.partitions], ['last 100', [0, 1, 2]]);
  });

  it('leaves it to the person to start again where the cluster came up by itself [D1]', async () => {
    const page = await open();
    tell({ held: 10 });
    await record(page, 9).waitFor();
    panel?.host.notify('status', { state: 'down', problem: { message: 'down' }, remedy: 'start' });
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    panel?.host.notify('status', { state: 'up' });
    await page.getByText('connection refused').waitFor();
    assert.equal(await record(page, 9).isVisible(), true);
    await page.getByRole('button', { name: 'Start again' }).click();
    await eventually(() => seeks.length === 1);
  });

  it('tells of a few records of far times at the edge, and shows them from there [D10]', async () => {
    const asked: unknown[] = [];
    const far: TailHistogram = {
      ...{ fromMs: 1_795_930_987_000, binMs: 1000, all: [5, 1, 3], untimed: 0 },
      ...{ firstMs: 1_795_930_987_200, lastMs: 1_795_930_989_900 },
      earlier: { count: 2, fromMs: Date.UTC(2019, 0, 5), toMs: Date.UTC(2019, 5, 5) + 1 },
    };
    const page = await open({
      histogram: () => ({ histogram: far }),
      setFilter: (wanted) => {
        asked.push(wanted.within);
        return {};
      },
    });
    tell({ held: 10 });
    const earlier = page.getByRole('button', { name: /2 records earlier, 2019-06-0\d$/ });
    await earlier.waitFor();
    const words = /2 records of far times, 2019-01-0\d to 2019-06-0\d/;
    await page.getByTitle(words).waitFor();
    await page.getByText(words).waitFor();
    assert.equal(await page.getByRole('button', { name: '▸' }).isVisible(), false);
    await earlier.click();
    await eventually(() => asked.length === 1);
    const { fromMs, toMs } = far.earlier ?? assert.fail();
    assert.deepEqual(asked, [{ fromMs, toMs }]);
  });

  it('draws a few hundred of a record’s headers at a time [D5]', async () => {
    const headers = Array.from({ length: 10_000 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(String(i)),
    }));
    const page = await open({
      details: ({ partition, offset }) => ({ record: { ...details(partition, offset), headers } }),
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const section = page.getByRole('region', { name: 'Headers' });
    await section.getByText('10,000', { exact: true }).waitFor();
    assert.equal(await section.getByRole('row').count(), 200);
    await section.getByRole('button', { name: 'Show 200 more of 9,800' }).click();
    await section.getByText('header-399').waitFor();
    assert.equal(await section.getByRole('row').count(), 400);
    // In chunks, between which the page answers to whoever types or scrolls.
    const all = section.getByRole('button', { name: 'Show all (10,000)' });
    await all.waitFor();
    const atOnce = await page.evaluate<number>(`(() => {
      [...document.querySelectorAll('.headers-more vscode-button')].at(-1).click();
      return document.querySelectorAll('.header-row').length;
    })()`);
    assert.ok(atOnce < 600, `${atOnce} in one task`);
    await section.locator('.header-row').nth(9999).waitFor({ state: 'attached' });
    assert.equal(await section.locator('.header-row').count(), 10_000);
    assert.equal(await section.getByRole('button', { name: /^Show/ }).count(), 0);
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('HEADER-999');
    await section.getByText('11 of 10,000', { exact: true }).waitFor();
    const found = section.getByRole('rowheader');
    assert.deepEqual((await found.allTextContents()).slice(0, 2), ['header-999', 'header-9990']);
    assert.equal(await found.count(), 11);
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('');
    await section.getByRole('button', { name: 'Show 200 more of 9,800' }).waitFor();
  });

  it('shows what a record is above its headers, and its batch too where there are many [D5]', async () => {
    const sections = ['Value', 'Key', 'Record', 'Headers', 'Batch'];
    for (const [count, expected] of [
      [10, sections],
      [11, ['Value', 'Key', 'Record', 'Batch', 'Headers']],
    ] as const) {
      const headers = Array.from({ length: count }, () => ({ key: base64('h'), value: null }));
      const page = await open({
        details: ({ partition, offset }) => ({
          record: { ...details(partition, offset), headers },
        }),
      });
      tell({ held: 10 });
      await record(page, 3).click();
      const pane = page.getByRole('complementary', { name: 'Record' });
      await pane.getByRole('region', { name: 'Batch' }).waitFor();
      const titles = await pane.getByRole('heading').allTextContents();
      assert.deepEqual(
        titles.map((title) => title.replace(/\d+$/, '')),
        expected,
      );
      const filter = pane.getByRole('textbox', { name: 'Filter headers by name' });
      assert.equal(await filter.count(), count > 10 ? 1 : 0);
      await panel?.close();
    }
  });

  it('shows the first part of a large value, and has the host take all of it [D5]', async () => {
    const taken: unknown[] = [];
    const cutValue = { bytes: 20_000_000, isText: true, isJson: true };
    const first = `[${'"item", '.repeat(100_000)}`;
    const page = await open({
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), value: base64(first), cutValue },
      }),
      takePart: (part) => {
        taken.push(part);
        return {};
      },
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('20 MB', { exact: true }).waitFor();
    assert.equal(await value.getByRole('radio', { name: 'JSON' }).isChecked(), true);
    await value.getByRole('radio', { name: 'Text' }).check();
    await value.getByRole('button', { name: 'Show the first 800 kB' }).click();
    await value.getByText('Only the first 800 kB are shown. Copy takes all of it.').waitFor();
    assert.equal((await value.locator('pre').textContent())?.length, first.length);
    await value.getByRole('button', { name: 'Copy value' }).click();
    await value.getByRole('button', { name: 'Open in an editor' }).click();
    await value.getByRole('button', { name: 'Save...' }).click();
    await page.getByRole('button', { name: 'Copy record' }).click();
    const of = { record: { partition: 0, offset: '3' } };
    await eventually(() =>
      isDeepStrictEqual(taken, [
        { ...of, of: 'value', form: 'text', to: 'clipboard' },
        { ...of, of: 'value', form: 'text', to: 'editor' },
        { ...of, of: 'value', form: 'text', to: 'file' },
        { ...of, of: 'record', to: 'clipboard' },
      ]),
    );
    assert.deepEqual(copied, []);
  });

  it('shows the first part of a large header, and has the host take all of it, also among those of a name [D5]', async () => {
    const taken: unknown[] = [];
    const cutValue = { bytes: 20_000_000, isText: false, isJson: false };
    const headers = Array.from({ length: 20 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(i === 12 ? 'beginning' : String(i)),
      ...(i === 12 && { cutValue }),
    }));
    const page = await open({
      details: ({ partition, offset }) => ({ record: { ...details(partition, offset), headers } }),
      takePart: (part) => {
        taken.push(part);
        return {};
      },
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const section = page.getByRole('region', { name: 'Headers' });
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('header-12');
    const header = section.getByRole('row', { name: /header-12/ });
    await header.getByText(`hex ${Buffer.from('beginning').toString('hex')}…`).waitFor();
    await header.getByText('Only the first 9 bytes are shown. Copy takes all of it.').waitFor();
    for (const name of ['Copy', 'Open in an editor', 'Save...']) {
      await header.getByRole('button', { name, exact: true }).click();
    }
    await page.getByRole('button', { name: 'Copy record' }).click();
    const of = { record: { partition: 0, offset: '3' } };
    await eventually(() =>
      isDeepStrictEqual(taken, [
        ...['clipboard', 'editor', 'file'].map((to) => ({
          ...{ ...of, of: { header: 12 }, form: 'hex', to },
        })),
        { ...of, of: 'record', to: 'clipboard' },
      ]),
    );
  });

  it('comes back to a record as it was looked at: forms, how much of it, and how far down [D9]', async () => {
    const headers = Array.from({ length: 900 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(String(i)),
    }));
    const value = base64(JSON.stringify(Array.from({ length: 9000 }, (_, i) => `item ${i}`)));
    const long: Partial<Handlers<typeof tailHost>> = {
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), headers, value },
      }),
    };
    let page = await open(long);
    tell({ held: 10 });
    await record(page, 3).click();
    const region = (name: string): Locator => page.getByRole('region', { name });
    await region('Value').getByRole('radio', { name: 'Text' }).check();
    await region('Value')
      .getByRole('button', { name: /^Show all/ })
      .click();
    await region('Headers').getByRole('button', { name: 'Show all (900)' }).click();
    await region('Headers').getByText('header-899').waitFor();
    const topOf = (part: string): Promise<number> =>
      page.evaluate<number>(`document.querySelector('${part}').scrollTop`);
    const [body, side] = ['.details-body > .payload > .payload-body', '.details-side'];
    await page.evaluate(`document.querySelector('${body}').scrollTop = 700;
      document.querySelector('${side}').scrollTop = 9000;`);
    await page.getByRole('separator', { name: 'Height of the record pane' }).focus();
    await page.keyboard.press('ArrowUp');
    const kept = (): { record?: { look?: { tops?: number[] } }; paneHeight?: number } =>
      panel?.state() as ReturnType<typeof kept>;
    // What is kept is where both stand, which moves a little while rows are laid out.
    await eventually(async () => {
      const { tops } = kept().record?.look ?? {};
      return tops?.[1] === 700 && tops[2] === (await topOf(side));
    });
    const [state, height, sideTop] = [kept(), kept().paneHeight, await topOf(side)];
    assert.ok(sideTop > 4000, String(sideTop));
    await panel?.close();
    page = await open(long, state);
    tell({ held: 10 });
    await region('Headers').getByText('header-899').waitFor();
    await eventually(async () => Math.abs((await topOf(side)) - sideTop) < 40);
    assert.equal(await topOf(body), 700);
    assert.equal(await region('Value').getByRole('radio', { name: 'Text' }).isChecked(), true);
    assert.equal((await page.locator('.details').boundingBox())?.height, height);
    // Another record begins at its top.
    await record(page, 4).click();
    await page.getByText('orders / 1 at 4').waitFor();
    await eventually(async () => (await topOf(body)) === 0);
    await region('Headers').getByRole('button', { name: 'Show all (900)' }).waitFor();
  });

  it('says what leaves out every record, with a button for each [D4] [D10]', async () => {
    const counted = { matched: 0, rejected: 4, failed: 0, elsewhen: 12, pending: 0 };
    const none = (session: number): void =>
      tell({ session, held: 0, filter: { show: 'matched', ...counted } });
    const page = await open({
      ready: () => ({ ...setup, filter: 'x', within: { fromMs: minute(2), toMs: minute(6) } }),
    });
    none(1);
    const main = page.getByRole('main');
    await main
      .getByText('No record that is held from 14:02:00 to 14:06:00 matches the filter.')
      .waitFor();
    await main.getByRole('button', { name: 'Clear the time span' }).click();
    await eventually(() => filters.length === 1);
    none(2);
    await main.getByText('No record that is held matches the filter.').waitFor();
    assert.equal(
      await main.getByRole('button', { name: 'Clear the time span' }).isVisible(),
      false,
    );
    await main.getByRole('button', { name: 'Clear the filter' }).click();
    await eventually(() => filters.length === 2);
    assert.deepEqual(filters, [
      { filter: 'x', show: 'matched' },
      { filter: '', show: 'matched' },
    ]);
  });

  it('says that it waits for an offset, and starts from the end at a click [D2]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: '99999' }) });
    const awaited = { partition: 0, offset: '99999', bound: '7883', partitions: 1 };
    tell({ held: 0, missed: { awaited, awaitsAll: true } });
    const note = page.getByRole('note');
    await note.getByText('Waits for offset 99,999; partition 0 ends at 7,883.').waitFor();
    await page.getByText('appears here from offset 99,999 on').waitFor();
    await note.getByRole('button', { name: 'From the end' }).click();
    await eventually(() => seeks.length === 1);
    assert.equal(seeks[0]?.from, 'latest');
    const gone = { partition: 0, offset: '10', bound: '500', partitions: 1 };
    tell({ session: 2, held: 9, missed: { gone } });
    await note.getByText('Offset 10 is gone; partition 0 begins at 500.').waitFor();
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await note.waitFor({ state: 'hidden' });
    tell({ session: 2, held: 10, missed: { gone } });
    await page.getByText(/^10 records/).waitFor();
    assert.equal(await note.isVisible(), false);
    // Another start meets it again.
    tell({ session: 3, held: 9, missed: { gone } });
    await note.getByText('Offset 10 is gone; partition 0 begins at 500.').waitFor();
  });

  it('brushes by the keyboard, and says what is chosen [D10] [K1]', async () => {
    const page = await open({
      ready: () => ({ ...setup, filter: 'x' }),
      histogram: () => ({ histogram: overTime }),
    });
    tell({ held: 16 });
    const first = page.getByRole('slider', { name: 'First time' });
    const last = page.getByRole('slider', { name: 'Last time' });
    await first.focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowRight');
    await last.focus();
    await page.keyboard.press('PageDown');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await first.getAttribute('aria-valuenow'), '3');
    assert.equal(
      await last.getAttribute('aria-valuetext'),
      '14:03:00 to 14:08:00: 5 records, 2 shown',
    );
    await page.keyboard.press('Escape');
    assert.equal(await first.getAttribute('aria-valuenow'), '0');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'All times' }).waitFor();
    await last.focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'All times' }).waitFor({ state: 'hidden' });
    assert.deepEqual(filters, [
      { filter: 'x', show: 'matched', within: { fromMs: minute(0), toMs: minute(9) } },
      { filter: 'x', show: 'matched' },
    ]);
  });

  it('chooses, orders and adds columns, and keeps them over a reload [D9]', async () => {
    const asked: unknown[] = [];
    const withParts: Partial<Handlers<typeof tailHost>> = {
      rows: ({ session, first, count, parts }) => {
        asked.push(parts);
        const trace = { kind: 'text' as const, text: 'trace-1', size: 7, truncated: false };
        const rows = Array.from({ length: count }, (_, i) => ({
          ...row(first + i),
          ...(parts && parts.length > 0 && { parts: [trace, null].slice(0, parts.length) }),
        }));
        return { session, first, rows };
      },
    };
    const page = await open(withParts);
    tell({ held: 100 });
    const titles = (): Promise<string[]> => page.getByRole('columnheader').allTextContents();
    await record(page, 99).waitFor();
    assert.deepEqual(await titles(), ['Time', 'P', 'Offset', 'Key', 'Value', 'Headers']);
    await page.setViewportSize({ width: 560, height: 700 });
    await page.getByRole('button', { name: 'Columns' }).click();
    const reset = page.getByRole('button', { name: 'Reset columns' });
    const partition = page.getByRole('checkbox', { name: 'Partition' });
    await eventually(async () => {
      const [box, left] = [await reset.boundingBox(), (await partition.boundingBox())?.x ?? -1];
      // Within a narrow page.
      return left >= 0 && box !== null && box.x + box.width <= 560;
    });
    await page.setViewportSize({ width: 1000, height: 700 });
    await partition.click();
    await page.getByRole('button', { name: 'Value further left' }).click();
    await page.getByRole('textbox', { name: 'Header or JSON path' }).fill('trace');
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'JSON path' }).check();
    await page.getByRole('textbox', { name: 'Header or JSON path' }).fill('$.customer.id');
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.getByRole('columnheader', { name: '.customer.id' }).waitFor();
    const wanted = ['Time', 'Offset', 'Value', 'Key', 'Headers', 'trace', '.customer.id'];
    assert.deepEqual(await titles(), wanted);
    await record(page, 99).getByRole('gridcell', { name: 'trace-1' }).waitFor();
    assert.deepEqual(asked.at(-1), [
      { kind: 'header', name: 'trace' },
      { kind: 'json', path: 'customer.id' },
    ]);
    const time = page.getByRole('columnheader', { name: 'Time' });
    const before = (await time.boundingBox())?.width ?? 0;
    await page.getByRole('button', { name: 'Time wider' }).click();
    await eventually(async () => Math.round((await time.boundingBox())?.width ?? 0) > before + 20);
    await page.keyboard.press('Escape');

    const state = panel?.state();
    await panel?.close();
    const again = await open(withParts, state);
    tell({ held: 100 });
    await again.getByRole('columnheader', { name: 'trace' }).waitFor();
    const drawn = again.getByRole('columnheader');
    assert.deepEqual(await drawn.allTextContents(), wanted);
    const first = again.getByRole('columnheader', { name: 'Time' });
    await eventually(async () => {
      const width = (await first.boundingBox())?.width ?? 0;
      return Math.abs(width - before - 24) <= 1;
    });
    assert.deepEqual(await seriousFaults(again), []);
  });

  it('keeps the value in view in a narrow page, and leaves out what the record tells [D3]', async () => {
    // Of another day: its rows would say which.
    const page = await open();
    tell({ held: 100 });
    await record(page, 99).waitFor();
    const titles = (): Promise<string[]> => page.getByRole('columnheader').allTextContents();
    const value = page.getByRole('columnheader', { name: 'Value' });
    const narrow = ['Time', 'P', 'Offset', 'Key', 'Value'];
    for (const [width, expected] of [
      [1100, ['Time', 'P', 'Offset', 'Key', 'Value', 'Headers']],
      [720, ['Time', 'P', 'Offset', 'Key', 'Value']],
      [400, narrow],
      [370, narrow],
      [1100, ['Time', 'P', 'Offset', 'Key', 'Value', 'Headers']],
    ] as const) {
      await page.setViewportSize({ width, height: 700 });
      await eventually(async () => isDeepStrictEqual(await titles(), expected));
      await eventually(async () => {
        const box = await value.boundingBox();
        return box !== null && box.width >= 60 && box.x + box.width <= width;
      });
    }
    await page.setViewportSize({ width: 400, height: 700 });
    await page.getByRole('columnheader', { name: 'Headers' }).waitFor({ state: 'detached' });
    // The day stays, in short.
    const time = record(page, 99).getByRole('gridcell').first();
    await eventually(async () => /^(\d{4}-)?\d\d-\d\d \d\d:\d\d/.test(await time.innerText()));
    const fits = (cell: { readonly scrollWidth: number; readonly clientWidth: number }): boolean =>
      cell.scrollWidth <= cell.clientWidth;
    assert.equal(await time.evaluate(fits), true);
    // Of one partition alone it says nothing.
    panel?.host.notify('setup', { ...setup, partitions: [1] });
    const partition = page.getByRole('columnheader', { name: 'P', exact: true });
    await partition.waitFor({ state: 'detached' });
    panel?.host.notify('setup', setup);
    await partition.waitFor();
    // What was chosen is as it was.
    await page.getByRole('button', { name: 'Columns' }).click();
    assert.equal(await page.getByRole('checkbox', { name: 'Headers' }).isChecked(), true);
    // From no width there is no wider one, and none is kept that would be too narrow in a wide page.
    await page.getByRole('button', { name: 'Headers wider' }).click();
    const { columns } = panel?.state() as { columns: { kind: string; width?: number }[] };
    assert.deepEqual(
      columns.filter(({ width }) => width !== undefined),
      [],
    );
  });

  it('comes back to the record that was at the top, wherever that is by then [D9]', async () => {
    const page = await open();
    tell({ held: 5000 });
    await record(page, 4999).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown');
    // What is open covers a part of the list, which moves for that: this is over when it is closed.
    await page.getByRole('button', { name: /^Close details/ }).click();
    const left = () =>
      panel?.state() as {
        at?: { partition: number; offset: string };
        record?: { isOpen: boolean };
      };
    const kept = () => left().at;
    await eventually(() => left().record?.isOpen === false);
    const at = kept() ?? assert.fail();
    assert.ok(Number(at.offset) > 20 && Number(at.offset) < 1000, at.offset);
    const sought: unknown[] = [];
    const state = panel?.state();
    await panel?.close();
    const again = await open(
      {
        findRow: ({ partition, offset }) => {
          sought.push({ partition, offset });
          return { row: Number(offset) };
        },
      },
      state,
    );
    tell({ held: 5000 });
    await record(again, Number(at.offset)).waitFor();
    await again.getByRole('button', { name: 'Jump to newest' }).waitFor();
    // The record that was selected is sought too.
    const top = { partition: at.partition, offset: at.offset };
    assert.ok(sought.some((place) => isDeepStrictEqual(place, top)));
    await eventually(() => kept()?.offset === at.offset);
  });

  it('starts from the record that was at the top where the start does not reach it any more [D9]', async () => {
    const at = { partition: 1, offset: '40', timestamp: '1795930987482' };
    const { cluster, topic, partitions } = setup;
    const state = { panel: 'tail', cluster, topic, from: 'latest', partitions, at };
    let isThere = false;
    const page = await open(
      {
        ready: () => ({ ...setup, from: 'latest' }),
        findRow: () => (isThere ? { row: 7 } : {}),
      },
      state,
    );
    tell({ held: 0 });
    await page.getByText('latest does not reach it').waitFor();
    assert.match(seeks[0]?.from ?? '', /^@20\d\d-\d\d-\d\dT[\d:]+\.482/);
    isThere = true;
    tell({ session: 2, held: 100 });
    await record(page, 7).waitFor();
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    await page.getByRole('button', { name: 'Back to latest' }).click();
    await page.getByText('latest does not reach it').waitFor({ state: 'hidden' });
    await eventually(() => Promise.resolve(seeks.at(-1)?.from === 'latest'));
  });

  it('says where the record that was at the top is gone for good [D9]', async () => {
    const at = { partition: 1, offset: '40', timestamp: '1795930987482' };
    const { cluster, topic, partitions } = setup;
    const state = { panel: 'tail', cluster, topic, from: 'earliest', partitions, at };
    const page = await open(
      { ready: () => ({ ...setup, from: 'earliest' }), findRow: () => ({}) },
      state,
    );
    tell({ held: 5 });
    await page.getByText('The record that you were at is not there any more.').waitFor();
    assert.deepEqual(seeks, []);
  });

  it('comes back to the record that was selected and open, and shows its row [D9]', async () => {
    let page = await open();
    tell({ held: 1000 });
    await page.getByRole('grid').press('Home');
    await record(page, 7).click();
    await page.getByText('orders / 1 at 7').waitFor();
    await page.mouse.wheel(0, 4400);
    await record(page, 203).waitFor();
    const top = (): unknown => (panel?.state() as { at?: { offset: string } }).at?.offset;
    await eventually(() => Number(top()) > 100);
    let state = panel?.state();
    // All partitions are no choice of each.
    assert.deepEqual((state as { partitions: unknown }).partitions, []);
    await panel?.close();
    const foundRow = ({ offset }: { offset: string }): { row: number } => ({ row: Number(offset) });
    page = await open({ findRow: foundRow }, state);
    tell({ held: 1000 });
    const pane = page.getByRole('complementary', { name: 'Record' });
    await pane.getByText('orders / 1 at 7').waitFor();
    const selected = page.locator('.list-row[aria-selected=true]');
    await selected.getByText('key-7', { exact: true }).waitFor();
    await eventually(() => Number(top()) <= 7);
    await settled(page);
    const { y } = (await selected.boundingBox()) ?? assert.fail('its row is not drawn');
    const { y: paneY } = (await pane.boundingBox()) ?? assert.fail();
    assert.ok(y < paneY, `${y} of ${paneY}`);
    tell({ held: 1200 });
    await page.getByText('1,200 records').waitFor();
    await settled(page);
    assert.equal((await selected.boundingBox())?.y, y);
    await page.getByRole('grid').press('ArrowDown');
    await pane.getByText('orders / 2 at 8').waitFor();
    // What was closed stays closed, and what the host had asked for before is no news: the list is where it stood.
    await pane.getByRole('button', { name: 'Close details' }).click();
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, 4400);
    await record(page, 203).waitFor();
    await eventually(() => Number(top()) > 100);
    const before = top();
    state = panel?.state();
    await panel?.close();
    const asked = { partition: 1, offset: '7' };
    page = await open(
      { findRow: foundRow, ready: () => ({ ...setup, open: asked }) },
      { ...(state as object), asked },
    );
    tell({ held: 1000 });
    await record(page, 203).waitFor();
    assert.equal(top(), before);
    assert.equal(await page.getByRole('complementary').isVisible(), false);
    await page.getByRole('grid').press('ArrowDown');
    await page.getByText('orders / 0 at 9').waitFor();
  });

  it('sorts by a column, turns it round, and goes back to the order of arrival [D3] [K1]', async () => {
    const page = await open();
    const grid = page.getByRole('grid');
    const sort = (name: string): Locator =>
      page.getByRole('columnheader', { name }).getByRole('button');
    const sorted = (session: number, of: TailOrder, more = { newer: 0, waits: false }): void =>
      tell({ session, held: 1000, sorted: { order: of, ...more } });
    tell({ held: 1000 });
    await record(page, 999).waitFor();
    await sort('Key').click();
    await eventually(() => Promise.resolve(orders.length === 1));
    sorted(2, { by: 'key', descending: false });
    await page.getByText('Sorted by Key, ascending. New records are counted, not shown.').waitFor();
    // What is sorted begins at its beginning.
    await record(page, 0).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Jump to newest' }).isVisible(), false);
    assert.equal(await grid.getAttribute('aria-label'), 'Records, sorted');
    const header = page.getByRole('columnheader', { name: 'Key' });
    assert.equal(await header.getAttribute('aria-sort'), 'ascending');
    sorted(2, { by: 'key', descending: false }, { newer: 1204, waits: true });
    await page.getByText('1,204 records since, counted and not shown. Reading waits').waitFor();
    await sort('Key').focus();
    await page.keyboard.press('Enter');
    await eventually(() => Promise.resolve(orders.length === 2));
    sorted(3, { by: 'key', descending: true });
    await page.getByText('Sorted by Key, descending.').waitFor();
    await sort('Key').and(page.locator(':focus')).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await sort('Key').click();
    tell({ session: 4, held: 1000 });
    await page.getByText('Sorted by Key').waitFor({ state: 'hidden' });
    await sort('Time').click();
    sorted(5, { by: 'time', descending: false });
    await page.getByText('Sorted by Time, ascending.').waitFor();
    await grid.focus();
    await page.keyboard.press('Escape');
    await eventually(() => Promise.resolve(orders.length === 5));
    assert.deepEqual(orders, [
      { by: 'key', descending: false },
      { by: 'key', descending: true },
      undefined,
      { by: 'time', descending: false },
      undefined,
    ]);
  });

  it('says what it sorts by while it does, sorts anew what another filter shows, and says what failed [D3] [D4]', async () => {
    const done: (() => void)[] = [];
    const page = await open({
      setOrder: ({ order }) => {
        orders.push(order);
        const isWrong = order?.by === 'value';
        return new Promise((resolve) =>
          done.push(() => resolve(isWrong ? { error: { message: 'It cannot be sorted.' } } : {})),
        );
      },
      // As the host does: before the answer it tells that the order has ended.
      setFilter: () => {
        tell({ session: 3, held: 10 });
        return {};
      },
    });
    tell({ held: 1000 });
    await page.getByRole('columnheader', { name: 'Offset' }).getByRole('button').click();
    await page.getByRole('note').getByText('Sorting by Offset, ascending …').waitFor();
    await eventually(() => Promise.resolve(done.length === 1));
    const order = { by: 'offset', descending: false } as const;
    tell({ session: 2, held: 1000, sorted: { order, newer: 0, waits: false } });
    done[0]?.();
    await page.getByText('Sorted by Offset').waitFor();
    const input = page.getByRole('combobox', { name: 'Filter records' });
    await input.fill('key');
    await input.press('Enter');
    await eventually(() => Promise.resolve(orders.length === 2));
    assert.deepEqual(orders, [order, order]);
    done[1]?.();
    await page.getByRole('columnheader', { name: 'Value' }).getByRole('button').click();
    await eventually(() => Promise.resolve(done.length === 3));
    done[2]?.();
    await page.getByRole('alert').getByText('It cannot be sorted.').waitFor();
  });

  it('sorts by a click anywhere in a title, and again once all times are shown, whatever counts them [D3] [D10]', async () => {
    let counts = 0;
    const page = await open({
      ready: () => ({ ...setup, within: { fromMs: minute(2), toMs: minute(6) } }),
      histogram: () =>
        counts++ === 0 ? { histogram: overTime } : new Promise<never>(() => undefined),
    });
    tell({ held: 100 });
    await record(page, 99).waitFor();
    const header = page.getByRole('columnheader', { name: 'Value' });
    const { width, height } = (await header.boundingBox()) ?? assert.fail();
    await header.click({ position: { x: width - 30, y: height - 2 } });
    await eventually(() => orders.length === 1);
    const order = { by: 'value', descending: false } as const;
    tell({ session: 2, held: 100, sorted: { order, newer: 0, waits: false } });
    await page.getByText('Sorted by Value, ascending.').waitFor();
    await page.getByRole('button', { name: 'All times' }).click();
    await eventually(() => orders.length === 2);
    assert.deepEqual(orders, [order, order]);
  });

  it('opens a row that was chosen before it was here, as soon as it is [D3]', async () => {
    let give: (() => void) | undefined;
    const page = await open({
      rows: async ({ session, first, count }) => {
        await new Promise<void>((resolve) => (give = resolve));
        const rows = Array.from({ length: count }, (_, i) => row(first + i));
        return { session, first, rows };
      },
    });
    tell({ held: 20 });
    await eventually(() => Promise.resolve(give !== undefined));
    const grid = page.getByRole('grid');
    await grid.focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.equal(await page.getByRole('complementary').isVisible(), false);
    give?.();
    const pane = page.getByRole('complementary', { name: 'Record' });
    await pane.getByText('orders / 0 at 0').waitFor();
    // By Enter the record is opened to be read.
    await pane.locator('pre').and(page.locator(':focus')).first().waitFor();
  });

  it('drags a row as the place of its record, and not as its text [C8]', async () => {
    const page = await open();
    tell({ held: 20 });
    await record(page, 7).waitFor();
    const carried = await page.evaluate<unknown>(`(() => {
      const rows = [...document.querySelectorAll('[role=row]')];
      const row = rows.find(({ textContent }) => textContent.includes('key-7'));
      const dataTransfer = new DataTransfer();
      row.dispatchEvent(new DragEvent('dragstart', { bubbles: true, dataTransfer }));
      return dataTransfer.types.map((type) => [type, dataTransfer.getData(type)]);
    })()`);
    const place = { cluster: 'embedded', topic: 'orders', partition: 1, offset: '7' };
    assert.deepEqual(carried, [
      ['application/vnd.kafka-workbench.record', JSON.stringify(place)],
      ['text/plain', 'orders/1@7'],
    ]);
  });

  it('compares two records, and copies a link to what is open [D9]', async () => {
    const asked: unknown[] = [];
    const page = await open({
      compare: (wanted) => {
        asked.push(wanted);
        return { error: { message: 'The record is not there any more.' } };
      },
      copyLink: (wanted) => {
        asked.push(wanted);
        return {};
      },
    });
    tell({ held: 100 });
    await record(page, 98).click();
    await page.getByRole('button', { name: 'Compare...' }).click();
    await page.getByRole('button', { name: 'Chosen to compare' }).waitFor();
    await record(page, 97).click();
    await page.getByRole('button', { name: 'Compare with 2 at 98' }).click();
    await page.getByText('The record is not there any more.').waitFor();
    await page.getByRole('button', { name: /^Copy a link/ }).click();
    await eventually(() => Promise.resolve(asked.length === 2));
    assert.deepEqual(asked, [
      { left: { partition: 2, offset: '98' }, right: { partition: 1, offset: '97' } },
      { record: { partition: 1, offset: '97' } },
    ]);
  });

  it('says in words that it is paused and how far behind, and what failed', async () => {
    const paused: boolean[] = [];
    const page = await open({
      setPaused: (params) => {
        paused.push(params.paused);
        return {};
      },
    });
    tell({ held: 5 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.deepEqual(paused, [true]);
    tell({ held: 5, state: 'paused', behind: '9007199254740993' });
    await page.getByText('Paused, 9,007,199,254,740,993 records behind').first().waitFor();
    tell({ held: 5, state: 'failed', error: { message: 'Cannot reach kafka-1:9092' } });
    await page.getByRole('alert').getByText('Cannot reach kafka-1:9092').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    assert.equal(seeks.length, 1);
  });

  it('cannot be made to run or show as markup what a record holds', async () => {
    const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
    const page = await open({
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [{ ...row(0), value: { kind: 'text', text: markup, size: 50, truncated: false } }],
      }),
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), value: base64(markup) },
      }),
    });
    tell({ held: 1 });
    await record(page, 0).click();
    await page.getByRole('region', { name: 'Value' }).getByText(markup).waitFor();
    assert.equal(await page.locator('img, b').count(), 0);
  });

  it('has no serious fault for assistive technology, in any theme [K1]', async () => {
    const page = await open({
      histogram: () => ({ histogram: overTime }),
      checkFilter: () => ({ problem: 'SyntaxError: unexpected end' }),
      rows: ({ session, first, count }) => ({
        session,
        first,
        rows: Array.from({ length: count }, (_, i) => oddRow(first + i)),
      }),
      details: ({ partition, offset }) => ({
        record: {
          ...details(partition, offset),
          decodedValue: { problem: 'not int64: that takes 8 bytes, and there are 30' },
        },
      }),
    });
    const counts = {
      show: 'matched' as const,
      matched: 9,
      rejected: 3,
      failed: 1,
      elsewhen: 0,
      pending: 0,
    };
    tell({ held: 9, filter: counts });
    await page.getByText('aborted · ').first().waitFor();
    await page.getByRole('slider', { name: 'First time' }).waitFor();
    assert.deepEqual(await seriousFaults(page), [], 'rows');
    await page.getByText('aborted · ').first().click();
    const record = page.getByRole('complementary', { name: 'Record' });
    await record.getByText('not int64').waitFor();
    assert.deepEqual(await seriousFaults(page), [], 'details');
    await record.getByRole('combobox', { name: 'Read values as' }).focus();
    await page.getByRole('button', { name: 'All 3 partitions' }).click();
    assert.deepEqual(await seriousFaults(page), [], 'partitions');
    await page.getByRole('button', { name: 'read_uncommitted' }).click();
    assert.deepEqual(await seriousFaults(page), [], 'scope');
    await page.getByRole('combobox', { name: 'Show records from' }).click();
    await page.keyboard.press('ArrowDown');
    assert.deepEqual(await seriousFaults(page), [], 'seek');
    await page.getByRole('combobox', { name: 'Filter records' }).fill('js: value.total >');
    await page.getByText('SyntaxError: unexpected end').waitFor();
    tell({ held: 9, filter: counts, state: 'failed', error: { message: 'no', hint: 'Try.' } });
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await seriousFaults(page), [], 'filter with a problem, and a failure');
  });

  it('can be used by keyboard alone: every control, and a record opened and left again [K1]', async () => {
    const page = await open({ histogram: () => ({ histogram: overTime }) });
    tell({ held: 100 });
    await page.getByRole('slider', { name: 'First time' }).waitFor();
    await record(page, 99).waitFor();
    await tabTo(page, 'Records, oldest first');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    const pane = page.getByRole('complementary', { name: 'Record' });
    await pane.getByText('orders / 0 at 0').waitFor();
    await pane.locator('pre').and(page.locator(':focus')).first().waitFor();
    assert.deepEqual(await unreachedControls(page), []);
    await tabTo(page, 'Copy value');
    await page.keyboard.press('Enter');
    await eventually(() => Promise.resolve(copied.length === 1));
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'hidden' });
    await page.keyboard.press('ArrowDown');
    await record(page, 1).and(page.locator('[aria-selected=true]')).waitFor();
  });
});

/** Every kind of row that there is. */
function oddRow(number: number): TailRow {
  const plain = row(number);
  switch (number) {
    case 4:
      return { ...plain, transaction: 'aborted' };
    case 5:
      return { ...plain, transaction: 'open', failure: 'TypeError: value is null' };
    case 6:
      return { ...plain, note: 'records 10 to 99 were deleted before they were read' };
    case 7:
      return { ...plain, problem: 'the checksum is 1, but that of the bytes is 2' };
    case 8:
      return { ...plain, value: { kind: 'failed', problem: 'not int64', hex: '7b22', size: 30 } };
    default:
      return plain;
  }
}
