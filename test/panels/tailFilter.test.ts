import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventually } from '../scenarios/clusters.ts';
import { minute, row, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The filter of the tail panel', function () {
  this.timeout(120_000);
  const { open, opened, isOpen, tell, filters } = tailPanel();

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
    assert.equal((opened().state() as { filter: string }).filter, '');
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
    const counts = { matched: 1, rejected: 3, failed: 0, elsewhen: 0, pending: 0 };
    const page = await open({
      ready: async () => {
        await eventually(isOpen);
        tell({ held: 1, filter: { show: 'matched', ...counts } });
        return { ...setup, filter: 'O-1' };
      },
    });
    await page.getByText('1 matched · 3 rejected · 0 failed').waitFor();
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
});
