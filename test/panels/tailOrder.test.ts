import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { type TailOrder } from '../../src/shared/contracts/tailQuery.ts';
import { eventually } from '../scenarios/clusters.ts';
import { seriousFaults } from '../support/axe.ts';
import { minute, overTime, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The order of the tail panel', function () {
  this.timeout(120_000);
  const { open, tell, record, orders } = tailPanel();

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
});
