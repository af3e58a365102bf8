// The tail's page with a host that each test writes.
import assert from 'node:assert/strict';
import { afterEach } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Handlers } from '../../../src/shared/channel.ts';
import type { RecordDetails } from '../../../src/shared/contracts/recordDetails.ts';
import { tailHost, type TailSetup, tailView } from '../../../src/shared/contracts/tail.ts';
import type { TailHistogram } from '../../../src/shared/contracts/tailHistogram.ts';
import { noProgress, type TailProgress } from '../../../src/shared/contracts/tailProgress.ts';
import {
  defaultTailScope,
  type FilterShow,
  type TailOrder,
  type TailScope,
} from '../../../src/shared/contracts/tailQuery.ts';
import type { TailRow } from '../../../src/shared/contracts/tailRows.ts';
import { openPanel, type PanelPage } from '../panelPage.ts';

export const setup: TailSetup = {
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

const values: TailRow['value'][] = [
  { kind: 'text', text: '{"id":9007199254740993}', size: 23, truncated: false },
  { kind: 'null' },
  { kind: 'empty' },
  { kind: 'binary', hex: '00ff', size: 2, truncated: false },
];

export const row = (number: number): TailRow => ({
  partition: number % 3,
  offset: String(number),
  timestamp: '1795930987482',
  key: { kind: 'text', text: `key-${number}`, size: 8, truncated: false },
  value: values[number % values.length] ?? { kind: 'null' },
  headerCount: 2,
  size: 40,
});

export const base64 = (text: string): string => Buffer.from(text).toString('base64');

export const details = (partition: number, offset: string): RecordDetails => ({
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
export const settled = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

export const overTime: TailHistogram = {
  fromMs: new Date(2026, 10, 29, 14, 0).getTime(),
  firstMs: new Date(2026, 10, 29, 14, 0, 20).getTime(),
  lastMs: new Date(2026, 10, 29, 14, 9, 50).getTime(),
  binMs: 60_000,
  all: [1, 0, 4, 2, 0, 3, 0, 0, 5, 1],
  shown: [0, 0, 3, 2, 0, 0, 0, 0, 1, 0],
  untimed: 2,
};
export const minute = (of: number): number => overTime.fromMs + of * 60_000;

type Panel = PanelPage<typeof tailHost, typeof tailView>;

/** To be called once in a suite: its tests open one panel at a time, which is closed after each. */
export function tailPanel() {
  let panel: Panel | undefined;
  const opened = (): Panel => panel ?? assert.fail('no panel is open');
  const isOpen = (): boolean => panel !== undefined;
  // What the page has asked the host for since it was opened.
  const seeks: { from: string; partitions: number[]; scope: TailScope }[] = [];
  const filters: { filter: string; show: FilterShow }[] = [];
  const orders: (TailOrder | undefined)[] = [];
  const copied: string[] = [];

  async function open(
    overrides: Partial<Handlers<typeof tailHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    for (const asked of [seeks, filters, orders, copied]) asked.length = 0;
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

  /** A sound page has had no problems. */
  async function close(): Promise<void> {
    const { problems } = opened();
    await opened().close();
    panel = undefined;
    assert.deepEqual(problems, []);
  }

  const tell = (change: Partial<TailProgress>): void =>
    opened().host.notify('progress', { ...progress, ...change });
  const record = (page: Page, number: number): Locator =>
    page
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell', { name: `key-${number}`, exact: true }) });

  afterEach(async () => {
    if (panel) await close();
  });

  return { open, opened, isOpen, close, tell, record, seeks, filters, orders, copied };
}
