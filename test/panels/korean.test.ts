import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import { speak, spoken, t } from '../../src/base/l10n.ts';
import type { Handlers, Methods } from '../../src/shared/channel.ts';
import { type LagPartition, lagHost, lagView } from '../../src/shared/contracts/lag.ts';
import {
  type GroupPartition,
  offsetsHost,
  offsetsView,
} from '../../src/shared/contracts/offsets.ts';
import { produceHost, produceView } from '../../src/shared/contracts/produce.ts';
import { tailHost, tailView } from '../../src/shared/contracts/tail.ts';
import { noProgress } from '../../src/shared/contracts/tailProgress.ts';
import { defaultTailScope } from '../../src/shared/contracts/tailQuery.ts';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { counted } from '../../src/shared/counted.ts';
import { layoutFaults, zoomTwice } from '../support/layout.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const OUT = path.join(ROOT, 'out/panels');
const language = {
  tag: 'ko',
  words: JSON.parse(
    readFileSync(path.join(ROOT, 'media/l10n/bundle.l10n.ko.json'), 'utf8'),
  ) as Record<string, string>,
};
const cluster = { id: 'embedded', name: '내장', readOnly: false };

/** Handlers of a host that answers the rest with nothing. */
function answering<M extends Methods>(methods: M, answers: Partial<Handlers<M>>): Handlers<M> {
  const quiet = Object.keys(methods).map((name) => [name, () => ({})] as const);
  return { ...Object.fromEntries(quiet), ...answers } as Handlers<M>;
}

const commit = (partition: number, committed: string | null): GroupPartition => ({
  ...{ topic: 'orders', partition, committed, metadata: '', logStart: '0', end: '6667' },
  lag: committed === null ? null : String(6667n - BigInt(committed)),
});

const openOffsets = () =>
  openPanel({
    ...({ name: 'offsets', serves: offsetsHost, calls: offsetsView, language } as const),
    handlers: answering(offsetsHost, {
      ready: () => ({
        group: {
          ...{ cluster, group: 'billing', state: 'Stable', resettable: false },
          members: [{ memberId: 'm', clientId: 'billing-1', host: '10.0.0.7', partitions: [] }],
          partitions: [commit(0, '6100'), commit(1, null)],
          topics: [
            { name: 'orders', partitionCount: 2 },
            { name: 'refunds', partitionCount: 1 },
          ],
          canRemoveMembers: true,
        },
      }),
      plan: ({ scope }) => ({
        rows: scope.map((of) => ({
          ...{ ...of, committed: '6100', end: '6667', target: '6667', delta: '567' },
          effect: t('skips up to {0}', counted(567, 'record')),
          warning: t('no record is that late: this is the end'),
        })),
        refused: [],
      }),
    }),
  });

const openProduce = () =>
  openPanel({
    ...({ name: 'produce', serves: produceHost, calls: produceView, language } as const),
    handlers: answering(produceHost, {
      ready: () => ({
        cluster,
        topics: [{ name: 'orders', partitionCount: 3 }],
        draft: {
          ...{ topic: 'orders', partition: null, timestamp: null, acks: 'all' },
          key: { kind: 'null' },
          value: { kind: 'text', text: '' },
          headers: [{ key: 'retry', value: { kind: 'text', text: '1' } }],
          compression: 'none',
          delivery: 'plain',
        },
        draftNumber: 0,
      }),
      preview: () => ({
        partition: 2,
        choices: [{ clients: 'Java, kafkajs', hash: 'murmur2', partition: 2 }],
        ...{ keySize: 6, valueSize: 0, problems: [] },
        batch: { size: 75, beginning: Buffer.alloc(75, 'k').toString('base64') },
        commands: [{ tool: 'kcat', problem: t('kcat cannot send an empty key.') }],
      }),
    }),
  });

const row = (offset: number): TailRow => ({
  ...{ partition: 0, offset: String(offset), timestamp: '1795930987482', size: 8, headerCount: 2 },
  key: { kind: 'null' },
  value: { kind: 'text', text: '{"id":1182}', size: 11, truncated: false },
});

async function openTail() {
  const automatic = { kind: 'auto', label: t('Automatic') } as const;
  const panel = await openPanel({
    ...({ name: 'tail', serves: tailHost, calls: tailView, language } as const),
    handlers: answering(tailHost, {
      ready: () => ({
        ...{ cluster, topic: 'orders', partitionCount: 3, partitions: [0, 1, 2], filter: 'O-1' },
        ...{ from: 'last 100', scope: defaultTailScope, paused: false },
        decoders: { key: automatic, value: automatic, headers: automatic },
      }),
      rows: ({ session, first, count }) => ({
        ...{ session, first },
        rows: Array.from({ length: count }, (_, i) => row(first + i)),
      }),
    }),
  });
  await panel.page.getByText('@ 내장').waitFor();
  panel.host.notify('progress', {
    ...{ ...noProgress, session: 1, state: 'paused', held: 40, dropped: 12, behind: '1234' },
    filter: { show: 'matched', matched: 40, rejected: 20, failed: 3, elsewhen: 0, pending: 0 },
  });
  return panel;
}

const lagging = (partition: number, committed: string | null): LagPartition => ({
  ...{ topic: 'orders', partition, committed, logStart: '10', stable: '6650', end: '6667' },
  time:
    committed === null
      ? { kind: 'unknown' }
      : { kind: 'known', lagMs: 192_000, source: 'history', isAtLeast: false },
  rates: { produced: 12.4, consumed: 9.6 },
});

const openLag = () =>
  openPanel({
    ...({ name: 'lag', serves: lagHost, calls: lagView, language } as const),
    handlers: answering(lagHost, {
      ready: () => ({
        group: {
          ...{ cluster, group: 'billing', atMs: 1_764_460_800_000, state: 'Stable' },
          ...{ memberCount: 2, rates: { produced: 120, consumed: 100 }, isAlarmed: false },
          partitions: [lagging(0, '6100'), lagging(1, null), lagging(2, '3')],
          watch: { isWatched: true, records: '1000', seconds: 60 },
        },
      }),
      series: () => ({ total: [], partitions: [] }),
    }),
  });

/** Each page with something on it that is there once all has been drawn. */
const pages = {
  offsets: {
    open: openOffsets,
    drawn: (page: Page) => page.getByText(t('skips up to {0}', counted(567, 'record'))),
  },
  produce: {
    open: openProduce,
    drawn: (page: Page) => page.getByText(t('kcat cannot send an empty key.')),
  },
  tail: { open: openTail, drawn: (page: Page) => page.getByText('{"id":1182}') },
  lag: { open: openLag, drawn: (page: Page) => page.getByText(t('Watched')) },
};

describe('In Korean', function () {
  this.timeout(120_000);
  const english = spoken();
  let panel: Pick<PanelPage<Methods, Methods>, 'page' | 'problems' | 'close'> | undefined;

  before(() => {
    speak(language);
    mkdirSync(OUT, { recursive: true });
  });
  after(() => speak(english));
  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  for (const [name, { open, drawn }] of Object.entries(pages)) {
    it(`the ${name} panel has nothing cut off or covered, at 100% and at 200% zoom [K3]`, async () => {
      panel = await open();
      const { page } = panel;
      await drawn(page).first().waitFor({ state: 'attached' });
      assert.equal(await page.locator('html').getAttribute('lang'), 'ko');
      await page.screenshot({ path: path.join(OUT, `korean-${name}.png`) });
      assert.deepEqual(await layoutFaults(page), []);
      await zoomTwice(page);
      const faults = await layoutFaults(page);
      await page.screenshot({ path: path.join(OUT, `korean-${name}-200.png`) });
      assert.deepEqual(faults, []);
    });
  }
});
