import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventually } from '../scenarios/clusters.ts';
import { base64, row, settled, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('A record in the tail panel', function () {
  this.timeout(120_000);
  const { open, tell, record, copied } = tailPanel();

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
});
