import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import { eventually } from '../scenarios/clusters.ts';
import { settled, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The tail panel that comes back', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record, seeks } = tailPanel();

  it('comes back to the record that was at the top, wherever that is by then [D9]', async () => {
    const page = await open();
    tell({ held: 5000 });
    await record(page, 4999).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Home');
    for (let i = 0; i < 3; i++) await page.keyboard.press('PageDown');
    // What is open covers a part of the list, which moves for that: this is over when it is closed.
    await page.getByRole('button', { name: /^Close details/ }).click();
    const left = () =>
      opened().state() as {
        at?: { partition: number; offset: string };
        record?: { isOpen: boolean };
      };
    const kept = () => left().at;
    await eventually(() => left().record?.isOpen === false);
    const at = kept() ?? assert.fail();
    assert.ok(Number(at.offset) > 20 && Number(at.offset) < 1000, at.offset);
    const sought: unknown[] = [];
    const state = opened().state();
    await close();
    const again = await open(
      {
        findRow: ({ partition, offset }) => {
          sought.push({ partition, offset });
          return { row: Number(offset) };
        },
      },
      state,
    );
    tell({ held: 5000 });
    await record(again, Number(at.offset)).waitFor();
    await again.getByRole('button', { name: 'Jump to newest' }).waitFor();
    // The record that was selected is sought too.
    const top = { partition: at.partition, offset: at.offset };
    assert.ok(sought.some((place) => isDeepStrictEqual(place, top)));
    await eventually(() => kept()?.offset === at.offset);
  });

  it('starts from the record that was at the top where the start does not reach it any more [D9]', async () => {
    const at = { partition: 1, offset: '40', timestamp: '1795930987482' };
    const { cluster, topic, partitions } = setup;
    const state = { panel: 'tail', cluster, topic, from: 'latest', partitions, at };
    let isThere = false;
    const page = await open(
      {
        ready: () => ({ ...setup, from: 'latest' }),
        findRow: () => (isThere ? { row: 7 } : {}),
      },
      state,
    );
    tell({ held: 0 });
    await page.getByText('latest does not reach it').waitFor();
    assert.match(seeks[0]?.from ?? '', /^@20\d\d-\d\d-\d\dT[\d:]+\.482/);
    isThere = true;
    tell({ session: 2, held: 100 });
    await record(page, 7).waitFor();
    await page.getByRole('button', { name: 'Jump to newest' }).waitFor();
    await page.getByRole('button', { name: 'Back to latest' }).click();
    await page.getByText('latest does not reach it').waitFor({ state: 'hidden' });
    await eventually(() => Promise.resolve(seeks.at(-1)?.from === 'latest'));
  });

  it('says where the record that was at the top is gone for good [D9]', async () => {
    const at = { partition: 1, offset: '40', timestamp: '1795930987482' };
    const { cluster, topic, partitions } = setup;
    const state = { panel: 'tail', cluster, topic, from: 'earliest', partitions, at };
    const page = await open(
      { ready: () => ({ ...setup, from: 'earliest' }), findRow: () => ({}) },
      state,
    );
    tell({ held: 5 });
    await page.getByText('The record that you were at is not there any more.').waitFor();
    assert.deepEqual(seeks, []);
  });

  it('comes back to the record that was selected and open, and shows its row [D9]', async () => {
    let page = await open();
    tell({ held: 1000 });
    await page.getByRole('grid').press('Home');
    await record(page, 7).click();
    await page.getByText('orders / 1 at 7').waitFor();
    await page.mouse.wheel(0, 4400);
    await record(page, 203).waitFor();
    const top = (): unknown => (opened().state() as { at?: { offset: string } }).at?.offset;
    await eventually(() => Number(top()) > 100);
    let state = opened().state();
    // All partitions are no choice of each.
    assert.deepEqual((state as { partitions: unknown }).partitions, []);
    await close();
    const foundRow = ({ offset }: { offset: string }): { row: number } => ({ row: Number(offset) });
    page = await open({ findRow: foundRow }, state);
    tell({ held: 1000 });
    const pane = page.getByRole('complementary', { name: 'Record' });
    await pane.getByText('orders / 1 at 7').waitFor();
    const selected = page.locator('.list-row[aria-selected=true]');
    await selected.getByText('key-7', { exact: true }).waitFor();
    await eventually(() => Number(top()) <= 7);
    await settled(page);
    const { y } = (await selected.boundingBox()) ?? assert.fail('its row is not drawn');
    const { y: paneY } = (await pane.boundingBox()) ?? assert.fail();
    assert.ok(y < paneY, `${y} of ${paneY}`);
    tell({ held: 1200 });
    await page.getByText('1,200 records').waitFor();
    await settled(page);
    assert.equal((await selected.boundingBox())?.y, y);
    await page.getByRole('grid').press('ArrowDown');
    await pane.getByText('orders / 2 at 8').waitFor();
    // What was closed stays closed, and what the host had asked for before is no news: the list is where it stood.
    await pane.getByRole('button', { name: 'Close details' }).click();
    await page.getByRole('grid').hover();
    await page.mouse.wheel(0, 4400);
    await record(page, 203).waitFor();
    await eventually(() => Number(top()) > 100);
    const before = top();
    state = opened().state();
    await close();
    const asked = { partition: 1, offset: '7' };
    page = await open(
      { findRow: foundRow, ready: () => ({ ...setup, open: asked }) },
      { ...(state as object), asked },
    );
    tell({ held: 1000 });
    await record(page, 203).waitFor();
    assert.equal(top(), before);
    assert.equal(await page.getByRole('complementary').isVisible(), false);
    await page.getByRole('grid').press('ArrowDown');
    await page.getByText('orders / 0 at 9').waitFor();
  });
});
