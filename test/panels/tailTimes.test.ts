import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailHistogram } from '../../src/shared/contracts/tailHistogram.ts';
import { eventually } from '../scenarios/clusters.ts';
import { minute, overTime, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The histogram of the tail panel', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record, filters } = tailPanel();

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
    assert.deepEqual((opened().state() as { within: unknown }).within, within);
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
      await close();
    }
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
});
