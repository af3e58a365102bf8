import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import type { Handlers } from '../../src/shared/channel.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import { eventually } from '../scenarios/clusters.ts';
import { seriousFaults } from '../support/axe.ts';
import { row, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The columns of the tail panel', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record } = tailPanel();

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

    const state = opened().state();
    await close();
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
    opened().host.notify('setup', { ...setup, partitions: [1] });
    const partition = page.getByRole('columnheader', { name: 'P', exact: true });
    await partition.waitFor({ state: 'detached' });
    opened().host.notify('setup', setup);
    await partition.waitFor();
    // What was chosen is as it was.
    await page.getByRole('button', { name: 'Columns' }).click();
    assert.equal(await page.getByRole('checkbox', { name: 'Headers' }).isChecked(), true);
    // From no width there is no wider one, and none is kept that would be too narrow in a wide page.
    await page.getByRole('button', { name: 'Headers wider' }).click();
    const { columns } = opened().state() as { columns: { kind: string; width?: number }[] };
    assert.deepEqual(
      columns.filter(({ width }) => width !== undefined),
      [],
    );
  });
});
