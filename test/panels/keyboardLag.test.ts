import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import {
  type LagGroup,
  lagHost,
  type LagPartition,
  type LagPoint,
  lagView,
} from '../../src/shared/contracts/lag.ts';
import { startByKeys } from '../support/panels/clusterDown.ts';
import { faultsOfControls, pointerPresses } from '../support/panels/controls.ts';
import type { Keys } from '../support/panels/keys.ts';
import { openRecorded, type RecordedPanel } from '../support/panels/recordedPanel.ts';

const nowMs = 1_795_930_987_482;

const partition = (topic: string, index: number): LagPartition => ({
  ...{ topic, partition: index, committed: '60', logStart: '0', stable: '100', end: '100' },
  time: { kind: 'none' },
  rates: { produced: 12, consumed: 9 },
});

const group: LagGroup = {
  cluster: { id: 'embedded', name: 'Embedded', readOnly: false },
  group: 'billing',
  atMs: nowMs,
  state: 'Stable',
  memberCount: 2,
  partitions: [partition('orders', 0), partition('orders', 1), partition('payments', 0)],
  rates: { produced: 120, consumed: 100 },
  watch: { isWatched: false, records: null, seconds: null },
  isAlarmed: false,
};

const points: LagPoint[] = [2, 1, 0].map((ago) => [nowMs - ago * 5000, '120', 100, 90]);

/** What only a pointer uses, and what does the same by the keyboard. */
const pointerOnly = {
  '.u-over': 'the slider of the charts',
  '.charts *': 'the slider of the charts',
};

describe('The lag panel by the keyboard alone', function () {
  this.timeout(120_000);
  let panel: RecordedPanel<typeof lagHost, typeof lagView>;
  let page: Page;
  let keys: Keys;

  before(async () => {
    panel = await openRecorded({
      name: 'lag',
      serves: lagHost,
      calls: lagView,
      answers: {
        ready: () => ({ group }),
        load: () => ({ group }),
        series: () => ({ total: points, partitions: [] }),
        look: (_wanted, signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new Error('cancelled')));
          }),
      },
    });
    ({ page, keys } = panel);
    await page.getByRole('slider', { name: 'Time in the charts' }).waitFor();
  });

  after(async () => {
    const problems = [...panel.problems];
    await panel.close();
    assert.deepEqual(problems, []);
  });

  const radios = (name: string): Locator => page.getByRole('radiogroup', { name, exact: true });
  const grid = (): Locator => page.getByRole('grid', { name: 'Partitions' });
  const field = (name: string): Locator => page.getByRole('textbox', { name });

  const functions: readonly (readonly [title: string, act: () => Promise<unknown>])[] = [
    [
      'chooses the topic, the end and the window',
      async () => {
        await keys.fill(page.getByRole('combobox', { name: 'Topic', exact: true }), 'pay');
        await keys.press('ArrowDown', 'Enter');
        await grid().and(page.locator('[aria-rowcount="2"]')).waitFor();
        await keys.fill(page.getByRole('combobox', { name: 'Topic', exact: true }), 'all topics');
        await keys.press('Enter');
        await keys.select(page.getByRole('combobox', { name: 'The end is' }), 'last stable offset');
        await untilSeries(({ isolation }) => isolation === 'read_committed');
        await keys.choose(radios('Window'), '1 h');
        await untilSeries(({ sinceMs }) => sinceMs === nowMs - 3_600_000);
      },
    ],
    [
      'takes a sample now, pauses, and goes on',
      async () => {
        await keys.push('Refresh');
        await panel.next('load');
        await keys.push('Pause');
        await panel.next('ready');
        await keys.push('Go on');
        await panel.next('ready');
      },
    ],
    [
      'watches the group, with thresholds',
      async () => {
        await keys.push('Watch lag');
        assert.deepEqual(await faultsOfControls(page, { within: '.watch' }), []);
        await keys.push('Watch lag');
        await keys.turn('Watch this group also while the panel is hidden');
        await keys.fill(field('Alert at a lag of so many offsets'), '1000');
        await keys.fill(field('Alert at so many seconds behind'), '30');
        await keys.push('Save');
        assert.deepEqual(await panel.next('setWatch'), {
          ...{ isWatched: true, records: '1000', seconds: 30 },
        });
        await page.getByRole('button', { name: 'Watch lag' }).and(page.locator(':focus')).waitFor();
      },
    ],
    [
      'counts what can be read, and gives that up',
      async () => {
        await keys.push('Count what can be read');
        await panel.next('look');
        await keys.push('Cancel');
        await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'hidden' });
      },
    ],
    [
      'chooses a partition, and opens what is not read of it',
      async () => {
        await keys.to(grid());
        await keys.press('Home', 'ArrowDown');
        assert.deepEqual(await faultsOfControls(page, { pointerOnly }), []);
        await keys.to(grid());
        await keys.press('Enter');
        assert.deepEqual(await panel.next('tail'), { topic: 'orders', partition: 1 });
        await keys.push('Tail from the committed offset');
        await panel.next('tail');
        await keys.push('Reset offsets...');
        await panel.next('resetOffsets');
        await keys.push('orders 0');
        await page.getByRole('heading', { name: 'orders, partition 0' }).waitFor();
      },
    ],
    [
      'reads the charts point by point, as a table too, and copies it',
      async () => {
        await keys.to(page.getByRole('slider', { name: 'Time in the charts' }));
        await keys.press('Home', 'ArrowRight');
        await page.locator('.readout').getByText('120').waitFor();
        await keys.choose(radios('Rates of'), 'Selected');
        await keys.choose(radios('History as'), 'Table');
        await page.locator('.history-table table').waitFor();
        await keys.push('Copy table');
        await panel.next('copy');
      },
    ],
    ['starts a cluster that is down', () => startByKeys(panel)],
  ];

  async function untilSeries(
    is: (asked: { isolation: string; sinceMs: number }) => boolean,
  ): Promise<void> {
    while (!is((await panel.next('series')) as { isolation: string; sinceMs: number }));
  }

  for (const [title, act] of functions) it(`${title} [K1]`, act);

  it('comes to every request that the panel can make of its host, and never needs a pointer [K1]', async () => {
    const asked = new Set(panel.asked.map(({ method }) => method));
    assert.deepEqual(
      Object.keys(lagHost).filter((method) => !asked.has(method)),
      [],
    );
    assert.equal(await pointerPresses(page), 0);
  });
});
