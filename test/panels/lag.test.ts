import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import type { Handlers } from '../../src/shared/channel.ts';
import {
  type LagGroup,
  lagHost,
  type LagPartition,
  type LagPoint,
  lagView,
  type ReadablePartition,
} from '../../src/shared/contracts/lag.ts';
import { unseenFocus } from '../support/focusSeen.ts';
import { seriousFaults } from '../support/axe.ts';
import { tabTo, unreachedControls } from '../support/keyboard.ts';
import { comeUp, downProblem, goDown, startByPointer } from '../support/panels/clusterDown.ts';
import { openPanel, type PanelPage } from '../support/panelPage.ts';
import { wearTheme } from '../support/themes.ts';
import { eventually } from '../scenarios/clusters.ts';

const nowMs = 1_764_460_800_000;

const partition = (
  index: number,
  committed: string | null,
  end: string,
  more: Partial<LagPartition> = {},
): LagPartition => ({
  topic: 'orders',
  partition: index,
  committed,
  logStart: '0',
  stable: end,
  end,
  time: { kind: 'known', lagMs: 1400, source: 'history', isAtLeast: false },
  rates: { produced: 12.4, consumed: 9.6 },
  ...more,
});

const group: LagGroup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  group: 'billing',
  atMs: nowMs,
  state: 'Stable',
  memberCount: 2,
  partitions: [
    partition(0, '6100', '6667', {
      member: { memberId: 'billing-1-abc', clientId: 'billing-1', host: '/10.0.0.7' },
      stable: '6650',
      served: '6340',
    }),
    partition(1, null, '6702', { time: { kind: 'unknown' } }),
    partition(2, '9999', '6631', { time: { kind: 'none' } }),
    partition(3, '10', '1145', { logStart: '110' }),
  ],
  rates: { produced: 120, consumed: 100 },
  watch: { isWatched: false, records: null, seconds: null },
  isAlarmed: false,
};

const points = (lagAt: (step: number) => number): LagPoint[] =>
  Array.from({ length: 60 }, (_, step) => [
    nowMs - (59 - step) * 5000,
    String(lagAt(step)),
    100 + step,
    90,
  ]);

const noParts = {
  lost: '0',
  records: '0',
  markers: '0',
  aborted: '0',
  gaps: '0',
  unstable: '0',
  unread: '0',
};
const readable: ReadablePartition = {
  ...{ topic: 'orders', partition: 0, committed: '6100', end: '6667' },
  ...noParts,
  records: '500',
  markers: '10',
  aborted: '40',
  unstable: '17',
  openTransaction: { producerId: '4001', firstOffset: '6650', timestamp: String(nowMs) },
};

/** As much of an element as is read inside the page; the tests know no DOM types. */
interface PageCell {
  readonly scrollWidth: number;
  readonly clientWidth: number;
}

describe('The lag panel', function () {
  this.timeout(120_000);
  let panel: PanelPage<typeof lagHost, typeof lagView> | undefined;
  const opened = (): NonNullable<typeof panel> => panel ?? assert.fail('no panel is open');
  let told: [method: string, params: unknown][];

  async function open(
    overrides: Partial<Handlers<typeof lagHost>> = {},
    state?: unknown,
  ): Promise<Page> {
    told = [];
    const tell = (method: string) => (params: unknown) => {
      told.push([method, params]);
      return {};
    };
    panel = await openPanel({
      name: 'lag',
      serves: lagHost,
      calls: lagView,
      state,
      handlers: {
        ready: () => ({ group }),
        load: () => ({ group }),
        series: (params) => {
          told.push(['series', params]);
          return {
            total: points((step) => 600 - step),
            partitions: params.of.map((each) => ({
              ...each,
              points: points((step) => (each.partition + 1) * 100 + step),
            })),
          };
        },
        look: () => ({ partitions: [readable] }),
        setWatch: tell('setWatch'),
        copy: tell('copy'),
        bringUp: tell('bringUp'),
        resetOffsets: tell('resetOffsets'),
        tail: tell('tail'),
        ...overrides,
      },
    });
    return panel.page;
  }

  const row = (page: Page, index: number) =>
    page
      .getByRole('grid', { name: 'Partitions' })
      .getByRole('row')
      .nth(index + 1);
  const cells = (page: Page, index: number): Promise<string[]> =>
    row(page, index).getByRole('gridcell').allTextContents();
  const figure = (page: Page, name: string) =>
    page.locator('.figure', { has: page.locator(`dt:text-is("${name}")`) }).locator('dd');
  const dropdown = async (page: Page, name: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option }).click();
  };

  afterEach(async () => {
    const problems = panel?.problems ?? [];
    await panel?.close();
    panel = undefined;
    assert.deepEqual(problems, []);
  });

  const note =
    'Retention passed it: up to 100 records are lost to this group. It goes on where its auto.offset.reset says.';
  const isCut = (cell: Locator): Promise<boolean> =>
    cell.evaluate<boolean, PageCell>(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth);

  it('has its notes below the figures beside a sidebar, all of them, and none without any [F1]', async () => {
    const page = await open();
    await page.setViewportSize({ width: 930, height: 900 });
    const cell = page.getByTitle(note);
    await cell.waitFor();
    await eventually(async () => !(await isCut(cell)));
    const below = (await cell.boundingBox()) ?? assert.fail();
    const figure = (await row(page, 3).getByText('1,135').boundingBox()) ?? assert.fail();
    assert.ok(below.y >= figure.y + figure.height / 2, `${below.y}, ${figure.y}`);
    const height = async (): Promise<number> => (await row(page, 0).boundingBox())?.height ?? 0;
    const withNotes = await height();
    opened().host.notify('group', { ...group, partitions: [partition(0, '6667', '6667')] });
    await eventually(async () => (await height()) < 0.7 * withNotes);
  });

  it('has all of a note that is cut off in the list in its tooltip, and below for the partition that is chosen [F1]', async () => {
    const page = await open();
    await page.setViewportSize({ width: 1280, height: 700 });
    const cell = page.getByTitle(note);
    await cell.waitFor();
    assert.ok(await isCut(cell), 'at this width');
    await cell.click();
    const chosen = page.getByRole('region', { name: 'The selected partition' });
    await chosen.getByText('orders, partition 3').waitFor();
    await chosen.getByText(note).waitFor();
  });

  it('shows per partition committed, end, lag, time behind, rates and member; what is not known is not 0 [G1]', async () => {
    const page = await open();
    await row(page, 3).waitFor();
    assert.deepEqual((await cells(page, 0)).slice(0, 10), [
      ...['orders', '0', '6,100', '6,667', '567', '1.4 s', '–', '12', '9.6'],
      'billing-1 10.0.0.7, served to 6,340',
    ]);
    assert.deepEqual((await cells(page, 1)).slice(2, 7), ['no commit', '6,702', '–', '–', '–']);
    assert.deepEqual((await cells(page, 2)).slice(2, 7), ['9,999', '6,631', '−3,368', '0 s', '0']);
    assert.match(
      (await row(page, 0)
        .getByTitle(/Since the end passed/)
        .textContent()) ?? '',
      /1.4/,
    );
  });

  it('says in words what retention took, what is past the end, what waits, and what a member has [G1]', async () => {
    const page = await open();
    await row(page, 3).getByText('Retention passed it: up to 100 records are lost').waitFor();
    await row(page, 2).getByText('Past the end').waitFor();
    await row(page, 1).getByText('No commit:').waitFor();
    await row(page, 0).getByText('An open transaction holds the last 17 offsets back.').waitFor();
    const region = page.getByRole('region', { name: 'The selected partition' });
    await region.getByText('up to 240 records would be read again if it ended now').waitFor();
  });

  it('sums the group up: total, most, longest, rates, and when it has caught up [G1] [G3]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    const lag = '1,702 + 1 partition without a commit';
    assert.equal(await figure(page, 'Lag').textContent(), lag);
    assert.equal(await figure(page, 'Most').textContent(), '1,135 orders 3');
    assert.equal(await figure(page, 'Behind').textContent(), '1.4 s');
    assert.equal(await figure(page, 'Produced').textContent(), '120/s');
    const faster = {
      ...group,
      partitions: group.partitions.slice(0, 1),
      rates: { produced: 100, consumed: 103 },
    };
    panel?.host.notify('group', faster);
    await figure(page, 'Caught up').getByText('in about 3 min 9 s').waitFor();
    panel?.host.notify('group', { ...faster, rates: { produced: 103, consumed: 100 } });
    await figure(page, 'Caught up').getByText('not at this rate').waitFor();
  });

  it('counts to the last stable offset where that is chosen, and remembers it [G1]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    await dropdown(page, 'The end is', 'last stable offset');
    await row(page, 0).getByText('550', { exact: true }).waitFor();
    assert.equal((panel?.state() as { isolation: string }).isolation, 'read_committed');
  });

  it('takes up isolation, window and topic that it kept [G1]', async () => {
    const { cluster } = group;
    const kept = { isolation: 'read_committed', windowMs: 3_600_000, topic: 'refunds' };
    const state = { panel: 'lag', cluster, group: 'billing', ...kept };
    const refunds = { ...partition(0, '5', '9'), topic: 'refunds', stable: '7' };
    const both = { ...group, partitions: [partition(0, '1', '5'), refunds] };
    const page = await open({ ready: () => ({ group: both }) }, state);
    await row(page, 0).getByText('refunds').waitFor();
    assert.equal((await cells(page, 0))[4], '2');
    assert.equal(await page.getByRole('gridcell', { name: 'orders' }).count(), 0);
    const [, params] = told.findLast(([method]) => method === 'series') ?? [];
    assert.equal((params as { sinceMs: number }).sinceMs, nowMs - 3_600_000);
    assert.equal(await page.getByRole('radio', { name: '1 h' }).isChecked(), true);
  });

  it('takes the lag apart when asked to: parts with their sum, and a sentence [G2]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    await page.getByRole('button', { name: 'Count what can be read' }).click();
    const region = page.getByRole('region', { name: 'The selected partition' });
    await region.getByText('Of 567 offsets, 500 are records to read.').waitFor();
    await region.getByText(/^The transaction of producer 4001, open since offset 6,650/).waitFor();
    assert.deepEqual(await region.getByRole('listitem').allTextContents(), [
      '500records to read',
      '17behind an open transaction',
      '40aborted',
      '10transaction markers',
    ]);
    assert.equal((await cells(page, 0))[6], '500');
    panel?.host.notify('group', { ...group, partitions: [partition(0, '6200', '6667')] });
    await region.getByText('Counted when the commit was 6,100 and the end 6,667.').waitFor();
    assert.equal((await cells(page, 0))[6], '–');
  });

  it('says why a lag of 1 is none, and what there is at least where the look was cut off [G2]', async () => {
    const of = { topic: 'orders', partition: 0, end: '6667', ...noParts };
    const marker = { ...of, committed: '6666', markers: '1' };
    const cut = { ...of, committed: '6100', records: '300', unread: '267' };
    const at = partition(0, '6666', '6667');
    const page = await open({
      ready: () => ({ group: { ...group, partitions: [at] } }),
      look: () => ({ partitions: [told.some(([method]) => method === 'cut') ? cut : marker] }),
    });
    await row(page, 0).waitFor();
    const count = page.getByRole('button', { name: 'Count what can be read' });
    await count.click();
    const why = 'There is nothing to read: the last offset is a transaction marker.';
    await page.getByText(why).waitFor();
    assert.equal((await cells(page, 0))[6], '0');
    panel?.host.notify('group', group);
    await row(page, 0).getByText('567').waitFor();
    told.push(['cut', {}]);
    await count.click();
    await page.getByText('Of 567 offsets, at least 300 are records to read').waitFor();
    assert.equal((await cells(page, 0))[6], '≥ 300');
  });

  it('shows how far a look is, and ends it when asked to [G2]', async () => {
    let ended = false;
    const page = await open({
      look: (_params, signal) =>
        new Promise((resolve) => {
          panel?.host.notify('lookProgress', { done: '1200', total: '500000' });
          signal.addEventListener('abort', () => {
            ended = true;
            resolve({ partitions: [] });
          });
        }),
    });
    await row(page, 0).waitFor();
    await page.getByRole('button', { name: 'Count what can be read' }).click();
    await page.getByText('1,200 of 500,000 offsets').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('1,200 of 500,000 offsets').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Count what can be read' }).click();
    assert.equal(ended, true);
  });

  it('charts lag and rates of all and of the longest partitions, one point at a time by keyboard [G3]', async () => {
    const page = await open();
    const slider = page.getByRole('slider', { name: 'Time in the charts' });
    await slider.waitFor();
    assert.equal(await page.locator('.uplot canvas').count(), 2);
    await slider.focus();
    await page.keyboard.press('Home');
    const spoken = async (): Promise<string> => (await slider.getAttribute('aria-valuetext')) ?? '';
    assert.match(
      await spoken(),
      /all: 600 · orders 0: 100 · .* · produced 100\/s, consumed 90\/s$/,
    );
    await page.keyboard.press('ArrowRight');
    assert.match(await spoken(), /all: 599 · orders 0: 101/);
    assert.equal(await slider.getAttribute('aria-valuenow'), '1');
    await page.keyboard.press('End');
    assert.match(await spoken(), /all: 541/);
    await page.getByRole('radio', { name: 'Selected' }).check();
    await page.getByText('consumed, orders 0').waitFor();
  });

  it('shows the first rates after a pause, though one value makes no line [G3]', async () => {
    const page = await open({
      series: () => ({
        total: [
          [nowMs - 30_000, '600', null, null],
          [nowMs, '567', 120, 100],
        ],
        partitions: [],
      }),
    });
    await page.getByText('produced 120/s, consumed 100/s').waitFor();
    const rates = page.locator('.uplot canvas').nth(1);
    await eventually(async () => (await rates.evaluate(colorfulPixels)) > 20);
  });

  it('has the same as a table, to read and to copy, the newest first [G3]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    await page.getByRole('radio', { name: 'Table' }).check();
    const table = page.getByRole('region', { name: 'Lag and rates over time' });
    await table.getByRole('columnheader', { name: 'Lag, orders 3' }).waitFor();
    const first = table.getByRole('row').nth(1).getByRole('cell');
    assert.deepEqual(await first.allTextContents(), [
      ...['541', '159', '359', '459'],
      ...['159.0', '90.0'],
    ]);
    await page.getByRole('button', { name: 'Copy table' }).click();
    const [, params] = told.findLast(([method]) => method === 'copy') ?? [];
    const lines = (params as { text: string }).text.split('\n');
    assert.equal(lines.length, 61);
    assert.equal(lines[1], '2025-11-30T00:00:00.000Z\t541\t159\t359\t459\t159.0\t90.0');
  });

  it('stands still while it is paused, and is up to date when it goes on [G3]', async () => {
    let ready: LagGroup = group;
    const page = await open({ ready: () => ({ group: ready }) });
    await row(page, 0).getByText('567').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    ready = { ...group, partitions: [partition(0, '6101', '6667')] };
    panel?.host.notify('group', ready);
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    assert.equal((await cells(page, 0))[4], '567');
    await page.getByRole('button', { name: 'Go on' }).click();
    await row(page, 0).getByText('566').waitFor();
  });

  it('is watched from a lag on that is typed, and refuses what is no threshold [G3]', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'Watch lag' }).click();
    await page.getByRole('checkbox', { name: 'Watch this group' }).click();
    const records = page.getByRole('textbox', { name: 'Alert at a lag of so many offsets' });
    await records.fill('-5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('A threshold is a whole number above 0, or nothing.').waitFor();
    await records.fill('1,000');
    await page.getByRole('button', { name: 'Save' }).click();
    const watch = { isWatched: true, records: '1000', seconds: null };
    assert.deepEqual(
      told.filter(([method]) => method === 'setWatch'),
      [['setWatch', watch]],
    );
    panel?.host.notify('group', { ...group, watch, isAlarmed: true });
    await page.locator('vscode-button', { hasText: 'Watched' }).locator('.icon-warning').waitFor();
  });

  it('leads to the offsets, and to the tail of what is not read [G1]', async () => {
    const page = await open();
    await row(page, 3).click();
    await page.getByRole('button', { name: 'Tail from the committed offset' }).click();
    await page.getByRole('button', { name: 'Reset offsets' }).click();
    assert.deepEqual(
      told.filter(([method]) => method !== 'series'),
      [
        ['tail', { topic: 'orders', partition: 3 }],
        ['resetOffsets', {}],
      ],
    );
    const readOnly = { ...group, cluster: { ...group.cluster, readOnly: true } };
    panel?.host.notify('group', readOnly);
    await page.getByText('read-only', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Reset offsets' }).isDisabled(), true);
  });

  it('says what failed, that a group is not there, that a topic is gone, that figures are old [G1]', async () => {
    const page = await open({
      ready: () => ({ error: { message: 'Cannot reach kafka-1:9092.' } }),
    });
    await page.getByRole('alert').getByText('Cannot reach kafka-1:9092.').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await row(page, 0).waitFor();
    assert.equal(await page.getByText('Cannot reach kafka-1:9092.').isVisible(), false);
    const dead = { ...group, state: 'Dead', memberCount: 0, partitions: [] };
    panel?.host.notify('group', dead);
    await page.getByText('There is no group billing on Embedded.').waitFor();
    const gone = partition(0, '5', '-1', {
      error: { message: 'The topic is not there.' },
      time: { kind: 'unknown' },
    });
    panel?.host.notify('group', { ...group, partitions: [gone] });
    await row(page, 0).getByText('The topic is not there.').waitFor();
    assert.deepEqual((await cells(page, 0)).slice(2, 6), ['5', '–', '–', '–']);
    panel?.host.notify('group', { ...group, problem: { message: 'kafka-1:9092 is down' } });
    await page.getByRole('status').getByText('Not up to date: kafka-1:9092 is down').waitFor();
  });

  it('says once that the cluster is down, with the button that starts it [G1]', async () => {
    const page = await open({ bringUp: () => comeUp(opened()) });
    await row(page, 0).waitFor();
    await goDown(opened());
    panel?.host.notify('group', { ...group, problem: downProblem });
    assert.equal(await page.getByText('Not up to date').isVisible(), false);
    await startByPointer(opened());
    await page.getByText('Not up to date').waitFor();
  });

  it('has only the rows that are seen in the page, of however many [G1]', async () => {
    const partitions = Array.from({ length: 500 }, (_, i) => partition(i, '5', '9'));
    const page = await open({ ready: () => ({ group: { ...group, partitions } }) });
    const grid = page.getByRole('grid', { name: 'Partitions' });
    await row(page, 0).waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '501');
    assert.ok((await grid.getByRole('row').count()) < 60);
    await grid.focus();
    await page.keyboard.press('End');
    await page.getByRole('heading', { name: 'orders, partition 499' }).waitFor();
    panel?.host.notify('group', { ...group, partitions: partitions.slice(1) });
    await page.getByRole('heading', { name: 'orders, partition 499' }).waitFor();
  });

  it('shows where the keyboard is, at every control [K1]', async () => {
    const page = await open();
    await row(page, 3).waitFor();
    for (const theme of ['dark', 'high contrast'] as const) {
      await wearTheme(page, theme);
      assert.deepEqual(await unseenFocus(page), [], theme);
    }
  });

  it('leaves no button alone on a line of its own where there is little room [G1]', async () => {
    const page = await open();
    await row(page, 3).waitFor();
    const middleOf = async (what: Locator): Promise<number> => {
      const box = (await what.boundingBox()) ?? assert.fail('it is not shown');
      return box.y + box.height / 2;
    };
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    const rates = page.getByRole('radio', { name: 'All partitions' });
    const hour = page.getByRole('radio', { name: '1 h' });
    for (const width of [1100, 820, 780, 700, 560, 480, 400]) {
      await page.setViewportSize({ width, height: 700 });
      for (const [last, beside] of [
        [button('Watch lag'), hour],
        [button('Copy table'), rates],
      ] as const)
        await eventually(
          async () => Math.abs((await middleOf(last)) - (await middleOf(beside))) < 6,
        );
    }
  });

  it('can be used by keyboard alone, at 200% too [K1]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    assert.deepEqual(await unreachedControls(page), []);
    await page.setViewportSize({ width: 550, height: 350 });
    await tabTo(page, 'Partitions');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('heading', { name: 'orders, partition 1' }).waitFor();
    await tabTo(page, 'Pause');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Go on' }).waitFor();
    const overflow = await page.evaluate('document.body.scrollWidth - document.body.clientWidth');
    assert.equal(overflow, 0);
  });

  it('has no serious fault for assistive technology, as chart, table, parts and popup [K1]', async () => {
    const page = await open();
    await row(page, 0).waitFor();
    await page.getByRole('button', { name: 'Count what can be read' }).click();
    await page.getByText('Of 567 offsets, 500 are records to read.').waitFor();
    assert.deepEqual(await seriousFaults(page), [], 'chart and parts');
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('button', { name: 'Watch lag' }).click();
    assert.deepEqual(await seriousFaults(page), [], 'table and popup');
  });
});

/** As much of a canvas as is read inside the page; the tests know no DOM types. */
interface Drawn {
  readonly width: number;
  readonly height: number;
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, w: number, h: number): { data: ArrayLike<number> };
  };
}

/** Runs in the page. Lines and dots have colours; axes and grid are grey. */
function colorfulPixels(canvas: Drawn): number {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let at = 0; at < data.length; at += 4) {
    const [red = 0, green = 0, blue = 0] = [data[at], data[at + 1], data[at + 2]];
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) found++;
  }
  return found;
}
