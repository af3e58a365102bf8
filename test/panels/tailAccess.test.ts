import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailRow } from '../../src/shared/contracts/tailRows.ts';
import { eventually } from '../scenarios/clusters.ts';
import { seriousFaults } from '../support/axe.ts';
import { tabTo, unreachedControls } from '../support/keyboard.ts';
import { details, overTime, row, tailPanel } from '../support/panels/tailPanel.ts';

describe('The tail panel, for everybody', function () {
  this.timeout(120_000);
  const { open, tell, record, copied } = tailPanel();

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
