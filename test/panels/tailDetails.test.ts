import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Handlers } from '../../src/shared/channel.ts';
import type { tailHost } from '../../src/shared/contracts/tail.ts';
import { eventually } from '../scenarios/clusters.ts';
import { base64, details, row, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('What the tail panel shows of a record', function () {
  this.timeout(120_000);
  const { open, opened, close, tell, record, copied } = tailPanel();

  it('reads a field as a person chooses, and says why it cannot, with the bytes [D5]', async () => {
    const page = await open({
      setDecoder: ({ field, kind }) => ({
        decoders: { ...setup.decoders, [field]: { kind, label: kind } },
      }),
      details: ({ partition, offset }) => ({
        record: {
          ...details(partition, offset),
          decodedKey: { text: '-2', isJson: false },
          decodedValue: { problem: 'not int64: that takes 8 bytes, and there are 30' },
        },
      }),
      rows: ({ session, first }) => ({
        session,
        first,
        rows: [
          {
            ...row(0),
            key: { kind: 'decoded', text: '-2', size: 4, truncated: false },
            value: { kind: 'failed', problem: 'not int64', hex: '7b22', size: 30 },
          },
        ],
      }),
    });
    tell({ held: 1 });
    await page.getByText('not int64 · hex 7b 22').click();
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('not int64: that takes 8 bytes, and there are 30').waitFor();
    await page.getByRole('region', { name: 'Key' }).locator('pre', { hasText: '-2' }).waitFor();
    const choice = value.getByRole('combobox', { name: 'Read values as' });
    await choice.selectOption('int64');
    await page.getByTitle('Read values as: int64', { exact: false }).waitFor();
  });

  it('draws a few hundred of a record’s headers at a time [D5]', async () => {
    const headers = Array.from({ length: 10_000 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(String(i)),
    }));
    const page = await open({
      details: ({ partition, offset }) => ({ record: { ...details(partition, offset), headers } }),
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const section = page.getByRole('region', { name: 'Headers' });
    await section.getByText('10,000', { exact: true }).waitFor();
    assert.equal(await section.getByRole('row').count(), 200);
    await section.getByRole('button', { name: 'Show 200 more of 9,800' }).click();
    await section.getByText('header-399').waitFor();
    assert.equal(await section.getByRole('row').count(), 400);
    // In chunks, between which the page answers to whoever types or scrolls.
    const all = section.getByRole('button', { name: 'Show all (10,000)' });
    await all.waitFor();
    const atOnce = await page.evaluate<number>(`(() => {
      [...document.querySelectorAll('.headers-more vscode-button')].at(-1).click();
      return document.querySelectorAll('.header-row').length;
    })()`);
    assert.ok(atOnce < 600, `${atOnce} in one task`);
    await section.locator('.header-row').nth(9999).waitFor({ state: 'attached' });
    assert.equal(await section.locator('.header-row').count(), 10_000);
    assert.equal(await section.getByRole('button', { name: /^Show/ }).count(), 0);
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('HEADER-999');
    await section.getByText('11 of 10,000', { exact: true }).waitFor();
    const found = section.getByRole('rowheader');
    assert.deepEqual((await found.allTextContents()).slice(0, 2), ['header-999', 'header-9990']);
    assert.equal(await found.count(), 11);
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('');
    await section.getByRole('button', { name: 'Show 200 more of 9,800' }).waitFor();
  });

  it('shows what a record is above its headers, and its batch too where there are many [D5]', async () => {
    const sections = ['Value', 'Key', 'Record', 'Headers', 'Batch'];
    for (const [count, expected] of [
      [10, sections],
      [11, ['Value', 'Key', 'Record', 'Batch', 'Headers']],
    ] as const) {
      const headers = Array.from({ length: count }, () => ({ key: base64('h'), value: null }));
      const page = await open({
        details: ({ partition, offset }) => ({
          record: { ...details(partition, offset), headers },
        }),
      });
      tell({ held: 10 });
      await record(page, 3).click();
      const pane = page.getByRole('complementary', { name: 'Record' });
      await pane.getByRole('region', { name: 'Batch' }).waitFor();
      const titles = await pane.getByRole('heading').allTextContents();
      assert.deepEqual(
        titles.map((title) => title.replace(/\d+$/, '')),
        expected,
      );
      const filter = pane.getByRole('textbox', { name: 'Filter headers by name' });
      assert.equal(await filter.count(), count > 10 ? 1 : 0);
      await close();
    }
  });

  it('shows the first part of a large value, and has the host take all of it [D5]', async () => {
    const taken: unknown[] = [];
    const cutValue = { bytes: 20_000_000, isText: true, isJson: true };
    const first = `[${'"item", '.repeat(100_000)}`;
    const page = await open({
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), value: base64(first), cutValue },
      }),
      takePart: (part) => {
        taken.push(part);
        return {};
      },
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const value = page.getByRole('region', { name: 'Value' });
    await value.getByText('20 MB', { exact: true }).waitFor();
    assert.equal(await value.getByRole('radio', { name: 'JSON' }).isChecked(), true);
    await value.getByRole('radio', { name: 'Text' }).check();
    await value.getByRole('button', { name: 'Show the first 800 kB' }).click();
    await value.getByText('Only the first 800 kB are shown. Copy takes all of it.').waitFor();
    assert.equal((await value.locator('pre').textContent())?.length, first.length);
    await value.getByRole('button', { name: 'Copy value' }).click();
    await value.getByRole('button', { name: 'Open in an editor' }).click();
    await value.getByRole('button', { name: 'Save...' }).click();
    await page.getByRole('button', { name: 'Copy record' }).click();
    const of = { record: { partition: 0, offset: '3' } };
    await eventually(() =>
      isDeepStrictEqual(taken, [
        { ...of, of: 'value', form: 'text', to: 'clipboard' },
        { ...of, of: 'value', form: 'text', to: 'editor' },
        { ...of, of: 'value', form: 'text', to: 'file' },
        { ...of, of: 'record', to: 'clipboard' },
      ]),
    );
    assert.deepEqual(copied, []);
  });

  it('shows the first part of a large header, and has the host take all of it, also among those of a name [D5]', async () => {
    const taken: unknown[] = [];
    const cutValue = { bytes: 20_000_000, isText: false, isJson: false };
    const headers = Array.from({ length: 20 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(i === 12 ? 'beginning' : String(i)),
      ...(i === 12 && { cutValue }),
    }));
    const page = await open({
      details: ({ partition, offset }) => ({ record: { ...details(partition, offset), headers } }),
      takePart: (part) => {
        taken.push(part);
        return {};
      },
    });
    tell({ held: 10 });
    await record(page, 3).click();
    const section = page.getByRole('region', { name: 'Headers' });
    await section.getByRole('textbox', { name: 'Filter headers by name' }).fill('header-12');
    const header = section.getByRole('row', { name: /header-12/ });
    await header.getByText(`hex ${Buffer.from('beginning').toString('hex')}…`).waitFor();
    await header.getByText('Only the first 9 bytes are shown. Copy takes all of it.').waitFor();
    for (const name of ['Copy', 'Open in an editor', 'Save...']) {
      await header.getByRole('button', { name, exact: true }).click();
    }
    await page.getByRole('button', { name: 'Copy record' }).click();
    const of = { record: { partition: 0, offset: '3' } };
    await eventually(() =>
      isDeepStrictEqual(taken, [
        ...['clipboard', 'editor', 'file'].map((to) => ({
          ...{ ...of, of: { header: 12 }, form: 'hex', to },
        })),
        { ...of, of: 'record', to: 'clipboard' },
      ]),
    );
  });

  it('comes back to a record as it was looked at: forms, how much of it, and how far down [D9]', async () => {
    const headers = Array.from({ length: 900 }, (_, i) => ({
      key: base64(`header-${i}`),
      value: base64(String(i)),
    }));
    const value = base64(JSON.stringify(Array.from({ length: 9000 }, (_, i) => `item ${i}`)));
    const long: Partial<Handlers<typeof tailHost>> = {
      details: ({ partition, offset }) => ({
        record: { ...details(partition, offset), headers, value },
      }),
    };
    let page = await open(long);
    tell({ held: 10 });
    await record(page, 3).click();
    const region = (name: string): Locator => page.getByRole('region', { name });
    await region('Value').getByRole('radio', { name: 'Text' }).check();
    await region('Value')
      .getByRole('button', { name: /^Show all/ })
      .click();
    await region('Headers').getByRole('button', { name: 'Show all (900)' }).click();
    await region('Headers').getByText('header-899').waitFor();
    const topOf = (part: string): Promise<number> =>
      page.evaluate<number>(`document.querySelector('${part}').scrollTop`);
    const [body, side] = ['.details-body > .payload > .payload-body', '.details-side'];
    await page.evaluate(`document.querySelector('${body}').scrollTop = 700;
      document.querySelector('${side}').scrollTop = 9000;`);
    await page.getByRole('separator', { name: 'Height of the record pane' }).focus();
    await page.keyboard.press('ArrowUp');
    const kept = (): { record?: { look?: { tops?: number[] } }; paneHeight?: number } =>
      opened().state() as ReturnType<typeof kept>;
    // What is kept is where both stand, which moves a little while rows are laid out.
    await eventually(async () => {
      const { tops } = kept().record?.look ?? {};
      return tops?.[1] === 700 && tops[2] === (await topOf(side));
    });
    const [state, height, sideTop] = [kept(), kept().paneHeight, await topOf(side)];
    assert.ok(sideTop > 4000, String(sideTop));
    await close();
    page = await open(long, state);
    tell({ held: 10 });
    await region('Headers').getByText('header-899').waitFor();
    await eventually(async () => Math.abs((await topOf(side)) - sideTop) < 40);
    assert.equal(await topOf(body), 700);
    assert.equal(await region('Value').getByRole('radio', { name: 'Text' }).isChecked(), true);
    assert.equal((await page.locator('.details').boundingBox())?.height, height);
    // Another record begins at its top.
    await record(page, 4).click();
    await page.getByText('orders / 1 at 4').waitFor();
    await eventually(async () => (await topOf(body)) === 0);
    await region('Headers').getByRole('button', { name: 'Show all (900)' }).waitFor();
  });
});
