import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { eventually } from '../scenarios/clusters.ts';
import { row, settled, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The tail panel that follows what comes', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record } = tailPanel();

  it('stays at the end of a million rows, holds when scrolled, and jumps back', async () => {
    const page = await open();
    tell({ held: 1_000_000 });
    await record(page, 999_999).waitFor();
    const jump = page.getByRole('button', { name: 'Jump to newest' });
    assert.equal(await jump.isVisible(), false);
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, -2000);
    await jump.waitFor();
    await record(page, 999_900).waitFor();
    tell({ held: 1_000_500 });
    await page.getByText('1,000,500 records').waitFor();
    await record(page, 999_900).waitFor();
    await jump.click();
    await record(page, 1_000_499).waitFor();
    await jump.waitFor({ state: 'hidden' });
  });

  it('shows the first record first where it starts at a place in the log [D2] [D3]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest' }) });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 1000, state: 'reading' });
    await record(page, 0).waitFor();
    const jump = page.getByRole('button', { name: /^Jump to newest \(\d,?\d+ below\)$/ });
    await jump.waitFor();
    const toNewest = page.locator('.records > vscode-button');
    const below = async (): Promise<number> =>
      Number(/[\d,]+/.exec((await toNewest.textContent()) ?? '')?.[0].replace(',', ''));
    const before = await below();
    assert.ok(before > 900 && before < 1000, String(before));
    tell({ ...place, held: 2000 });
    await eventually(async () => (await below()) === before + 1000);
    assert.equal(await record(page, 0).isVisible(), true);
    await jump.click();
    await record(page, 1999).waitFor();
    await jump.waitFor({ state: 'hidden' });
    // Another filter of the same tail leaves a person where they have gone, and a page that comes back as well.
    tell({ ...place, session: 2, held: 500 });
    await record(page, 499).waitFor();
    const state = opened().state();
    await close();
    const again = await open({ ready: () => ({ ...setup, from: 'earliest' }) }, state);
    tell({ ...place, session: 2, held: 500 });
    await record(again, 499).waitFor();
    tell({ session: 3, began: 3, beganAtPlace: true, held: 600 });
    await record(again, 0).waitFor();
    await eventually(() => (opened().state() as { follows?: boolean }).follows === false);
    const top = opened().state();
    await close();
    const third = await open({ ready: () => ({ ...setup, from: 'earliest' }) }, top);
    tell({ session: 3, began: 3, beganAtPlace: true, held: 700 });
    await record(third, 0).waitFor();
  });

  it('offers no way to the newest where a filter leaves nothing to go to [D3] [D4]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest', filter: 'x' }) });
    const place = { began: 1, beganAtPlace: true };
    const counted = { rejected: 1000, failed: 0, elsewhen: 0, pending: 0 };
    tell({ ...place, held: 1000, filter: { show: 'matched', ...counted, matched: 1000 } });
    const jump = page.getByRole('button', { name: /^Jump to newest/ });
    await jump.waitFor();
    tell({ ...place, held: 0, filter: { show: 'matched', ...counted, matched: 0 } });
    await page.getByText('No record that is held matches the filter.').waitFor();
    await jump.waitFor({ state: 'hidden' });
  });

  it('goes on with what comes where everything from a place on is seen [D2] [D3]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: 'earliest' }) });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 5 });
    await record(page, 0).waitFor();
    await record(page, 4).waitFor();
    await eventually(() => (opened().state() as { follows?: boolean }).follows === true);
    tell({ ...place, held: 500 });
    await record(page, 499).waitFor();
  });

  it('says that what is looked at moves on, where memory is full, and pauses [D3]', async () => {
    const paused: boolean[] = [];
    const page = await open({
      setPaused: (wanted) => {
        paused.push(wanted.paused);
        return {};
      },
    });
    const place = { began: 1, beganAtPlace: true };
    tell({ ...place, held: 1000, state: 'reading' });
    await record(page, 0).waitFor();
    tell({ ...place, dropped: 300, held: 1000, state: 'reading' });
    await record(page, 300).waitFor();
    const notice = page.getByRole('note').filter({ hasText: 'Memory is full' });
    await notice.getByRole('button', { name: 'Pause' }).click();
    await eventually(() => isDeepStrictEqual(paused, [true]));
    tell({ ...place, dropped: 300, held: 1000, state: 'paused' });
    await notice.waitFor({ state: 'hidden' });
    // Of rows that were not seen nothing is said.
    await page.getByRole('button', { name: /^Jump to newest/ }).click();
    await record(page, 1299).waitFor();
    tell({ ...place, dropped: 600, held: 1000 });
    await record(page, 1599).waitFor();
    assert.equal(await notice.isVisible(), false);
  });

  it('keeps what is looked at in place while the oldest rows are dropped', async () => {
    const page = await open();
    tell({ held: 5000 });
    await record(page, 4999).click();
    await page.keyboard.press('Home');
    for (let i = 0; i < 5; i++) await page.keyboard.press('PageDown');
    await page.getByText(/^orders \/ \d at/).waitFor();
    const selected = page.locator('[aria-selected=true]', { hasText: 'key-' });
    await settled(page);
    const before = await selected.textContent();
    const y = (await selected.boundingBox())?.y;
    tell({ dropped: 3, held: 5000 });
    await page.getByText('oldest 3 dropped').waitFor();
    assert.equal(await selected.textContent(), before);
    assert.equal((await selected.boundingBox())?.y, y);
  });

  it('goes on to the newest as they come, and shows what it has until then [D3]', async () => {
    const waiting: (() => void)[] = [];
    const page = await open({
      rows: async ({ session, first, count }) => {
        await new Promise<void>((resolve) => waiting.push(resolve));
        return { session, first, rows: Array.from({ length: count }, (_, i) => row(first + i)) };
      },
    });
    const give = async (request: number): Promise<void> => {
      await eventually(() => Promise.resolve(waiting.length > request));
      waiting[request]?.();
    };
    tell({ held: 1000 });
    await give(0);
    await record(page, 999).waitFor();
    tell({ held: 2000 });
    await eventually(() => Promise.resolve(waiting.length === 2));
    await settled(page);
    assert.equal(await record(page, 999).isVisible(), true);
    assert.equal(await page.locator('.list-row[aria-busy]').count(), 0);
    // There are newer ones by now: those that were asked for come nevertheless.
    tell({ held: 3000 });
    await give(1);
    await record(page, 1999).waitFor();
    await give(2);
    await record(page, 2999).waitFor();
  });
});
