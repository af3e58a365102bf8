import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { eventually } from '../scenarios/clusters.ts';
import { base64, details, row, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('The list of the tail panel', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record, seeks } = tailPanel();

  it('says that there are no records yet, and how to see older ones where there may be some', async () => {
    for (const [from, words] of [
      ['latest', /^No records yet.*; to see older records, start from earliest or last 100.$/],
      ['last 100', /^No records yet. What is produced to orders appears here.$/],
    ] as const) {
      const page = await open({ ready: () => ({ ...setup, from }) });
      tell({ held: 0 });
      await page.getByText(words).waitFor();
      await close();
    }
  });

  it('offers to produce a record where none is there yet, not on a read-only cluster nor below a filter', async () => {
    let produced = 0;
    const produce = (): object => ({ produced: ++produced });
    const page = await open({ produce });
    const offer = page.getByRole('main').getByRole('button', { name: 'Produce a record' });
    tell({ held: 0, state: 'reading' });
    await page.getByText('Reading …').waitFor();
    assert.equal(await offer.isVisible(), false);
    tell({ held: 0 });
    await offer.click();
    await eventually(() => produced === 1);
    opened().host.notify('setup', { ...setup, filter: 'paid' });
    const counted = { matched: 0, rejected: 0, failed: 0, elsewhen: 0, pending: 0 };
    tell({ held: 0, filter: { show: 'matched', ...counted } });
    await page.getByText('No record that is held matches the filter.').waitFor();
    assert.equal(await offer.isVisible(), false);
    await close();

    const cluster = { ...setup.cluster, readOnly: true };
    const readOnly = await open({ ready: () => ({ ...setup, cluster }) });
    tell({ held: 0 });
    await readOnly.getByText(/^No records yet/).waitFor();
    assert.equal(await readOnly.getByText('Produce a record').isVisible(), false);
  });

  it('shows null, empty, bytes and text apart, and int64s exactly', async () => {
    const page = await open();
    tell({ held: 4 });
    await record(page, 0).getByText('{"id":9007199254740993}').waitFor();
    await record(page, 1).getByText('⌀ null (tombstone)').waitFor();
    await record(page, 2).getByText('empty', { exact: true }).waitFor();
    await record(page, 3).getByText('hex 00 ff').waitFor();
  });

  it('says the day of a record that is not of today [D3]', async () => {
    const now = new Date();
    const noon = (day: number): string =>
      String(new Date(now.getFullYear(), now.getMonth(), day, 12, 0, 0, 7).getTime());
    let yesterdays = false;
    const page = await open({
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [
          { ...row(0), timestamp: noon(now.getDate() - (yesterdays ? 1 : 0)) },
          { ...row(1), timestamp: noon(now.getDate()) },
          { ...row(2), timestamp: '-1' },
        ],
      }),
    });
    tell({ held: 3 });
    const time = (number: number): Locator => record(page, number).getByRole('gridcell').first();
    await time(0).getByText('12:00:00.007', { exact: true }).waitFor();
    const width = async (): Promise<number> => (await time(1).boundingBox())?.width ?? 0;
    const narrow = await width();
    yesterdays = true;
    tell({ session: 2, held: 3 });
    await time(0)
      .getByText(/^\d{4}-\d\d-\d\d 12:00:00\.007$/)
      .waitFor();
    await time(1).getByText('12:00:00.007', { exact: true }).waitFor();
    await time(2).getByText('no time', { exact: true }).waitFor();
    await eventually(async () => (await width()) > narrow);
  });

  it('says in words that it is paused and how far behind, and what failed', async () => {
    const paused: boolean[] = [];
    const page = await open({
      setPaused: (params) => {
        paused.push(params.paused);
        return {};
      },
    });
    tell({ held: 5 });
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    assert.deepEqual(paused, [true]);
    tell({ held: 5, state: 'paused', behind: '9007199254740993' });
    await page.getByText('Paused, 9,007,199,254,740,993 records behind').first().waitFor();
    tell({ held: 5, state: 'failed', error: { message: 'Cannot reach kafka-1:9092' } });
    await page.getByRole('alert').getByText('Cannot reach kafka-1:9092').waitFor();
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    assert.equal(seeks.length, 1);
  });

  it('cannot be made to run or show as markup what a record holds', async () => {
    const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
    const page = await open({
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [{ ...row(0), value: { kind: 'text', text: markup, size: 50, truncated: false } }],
      }),
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), value: base64(markup) },
      }),
    });
    tell({ held: 1 });
    await record(page, 0).click();
    await page.getByRole('region', { name: 'Value' }).getByText(markup).waitFor();
    assert.equal(await page.locator('img, b').count(), 0);
  });
});
