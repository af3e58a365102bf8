import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TailSetup } from '../../src/shared/contracts/tail.ts';
import { defaultTailScope, type TailScope } from '../../src/shared/contracts/tailQuery.ts';
import { eventually } from '../scenarios/clusters.ts';
import { row, settled, setup, tailPanel } from '../support/panels/tailPanel.ts';

describe('Where the tail panel starts, and of what', function () {
  this.timeout(120_000);
  const { open, opened, isOpen, close, tell, seeks } = tailPanel();

  it('explains a seek as it is typed, and sends it in a form that means the same anywhere', async () => {
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Show records from' });
    await input.click();
    await page.getByRole('option', { name: 'group payments' }).waitFor();
    await input.fill('group ship');
    await page.getByRole('option', { name: 'group payments' }).waitFor({ state: 'hidden' });
    assert.deepEqual(await page.getByRole('option').allTextContents(), [
      'group shippingits committed offsets',
    ]);
    await input.fill('@2026-11-29T14:00..@-PT1H');
    await page.getByText(/From 2026-11-29T14:00.* up to 1 hour ago/).waitFor();
    await input.press('Enter');
    await page.getByRole('option').first().waitFor({ state: 'hidden' });
    assert.match(seeks[0]?.from ?? '', /^@2026-11-29T14:00(Z|[+-]\d\d:\d\d)\.\.@-1h$/);
    assert.deepEqual(seeks[0]?.partitions, [0, 1, 2]);
    // Kept when the host has agreed; Mocha's limit bounds the wait.
    while ((opened().state() as { from: string }).from !== seeks[0].from) await settled(page);
  });

  it('starts where it is told to before it has been set up [D2]', async () => {
    for (const isTypedBefore of [true, false]) {
      let give = (_: TailSetup): void => undefined;
      const opening = open({ ready: () => new Promise((resolve) => (give = resolve)) });
      await eventually(isOpen);
      const { page } = opened();
      const input = page.getByRole('combobox', { name: 'Show records from' });
      await input.focus();
      if (isTypedBefore) await page.keyboard.type('earl');
      give(setup);
      await opening;
      await page.keyboard.type(isTypedBefore ? 'iest' : 'earliest');
      await page.keyboard.press('Enter');
      await eventually(() => Promise.resolve(seeks.length === 1));
      assert.equal(seeks[0]?.from, 'earliest');
      while ((opened().state() as { from: string }).from !== 'earliest') await settled(page);
      assert.equal(await input.inputValue(), 'earliest');
      await close();
    }
  });

  it('says at the input what is wrong with a seek, and sends nothing', async () => {
    const page = await open();
    const input = page.getByRole('combobox', { name: 'Show records from' });
    await input.fill('6200:6100');
    await input.press('Enter');
    await page.getByText('At character 6, the end is not after the start, 6,200').waitFor();
    assert.equal(await input.getAttribute('aria-invalid'), 'true');
    assert.deepEqual(seeks, []);
  });

  it('says at the input what the cluster finds wrong with a seek', async () => {
    const page = await open({
      seek: () => ({ error: { message: 'nope has no commits', hint: 'Choose another group.' } }),
    });
    await page.getByRole('combobox', { name: 'Show records from' }).fill('group nope');
    await page.keyboard.press('Enter');
    await page.getByText('nope has no commits. Choose another group.').waitFor();
  });

  it('chooses partitions', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'All 3 partitions' }).click();
    await page.getByRole('checkbox', { name: '1' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: '2 of 3 partitions' }).waitFor();
    assert.deepEqual(seeks, [{ from: 'last 100', partitions: [0, 2], scope: defaultTailScope }]);
  });

  it('chooses the isolation level and markers, and says what a row that is no record is about [D6]', async () => {
    const page = await open({
      rows: ({ session }) => ({
        session,
        first: 0,
        rows: [
          { ...row(0), transaction: 'aborted' },
          { ...row(1), note: 'records 10 to 99 were deleted before they were read' },
          { ...row(2), problem: 'the checksum is 1, but that of the bytes is 2' },
          { ...row(4), transaction: 'committed' },
        ],
      }),
    });
    tell({ held: 4 });
    await page.getByText('aborted · {"id":9007199254740993}').waitFor();
    await page.getByText('records 10 to 99 were deleted before they were read').click();
    await page
      .getByRole('complementary', { name: 'Record' })
      .getByText('records 10 to 99')
      .waitFor();
    await page.getByText('This batch could not be read: the checksum is 1').waitFor();
    const held = { partition: 2, lastStableOffset: '6650', waiting: '21' };
    const producer = { id: '4001', epoch: 3 };
    tell({ held: 4, heldBy: [{ ...held, producer }] });
    await page
      .getByText('LSO of partition 2: 6,650, 21 offsets behind it: held by a transaction')
      .waitFor();
    tell({ held: 4 });
    await page.getByText('LSO of partition 2').waitFor({ state: 'hidden' });
    assert.equal(await page.getByText('committed ·').count(), 0);
    await page.getByRole('button', { name: 'read_uncommitted' }).click();
    await page.getByRole('radio', { name: 'read_committed', exact: true }).check();
    await page.getByRole('checkbox', { name: 'Show transaction markers' }).click();
    await page.getByRole('button', { name: 'read_committed, markers' }).waitFor();
    assert.deepEqual(seeks.at(-1)?.scope, { isolation: 'read_committed', markers: true });
    while (!(opened().state() as { scope: TailScope }).scope.markers) await settled(page);
  });

  it('says that it waits for an offset, and starts from the end at a click [D2]', async () => {
    const page = await open({ ready: () => ({ ...setup, from: '99999' }) });
    const awaited = { partition: 0, offset: '99999', bound: '7883', partitions: 1 };
    tell({ held: 0, missed: { awaited, awaitsAll: true } });
    const note = page.getByRole('note');
    await note.getByText('Waits for offset 99,999; partition 0 ends at 7,883.').waitFor();
    await page.getByText('appears here from offset 99,999 on').waitFor();
    await note.getByRole('button', { name: 'From the end' }).click();
    await eventually(() => seeks.length === 1);
    assert.equal(seeks[0]?.from, 'latest');
    const gone = { partition: 0, offset: '10', bound: '500', partitions: 1 };
    tell({ session: 2, held: 9, missed: { gone } });
    await note.getByText('Offset 10 is gone; partition 0 begins at 500.').waitFor();
    await note.getByRole('button', { name: 'Dismiss' }).click();
    await note.waitFor({ state: 'hidden' });
    tell({ session: 2, held: 10, missed: { gone } });
    await page.getByText(/^10 records/).waitFor();
    assert.equal(await note.isVisible(), false);
    // Another start meets it again.
    tell({ session: 3, held: 9, missed: { gone } });
    await note.getByText('Offset 10 is gone; partition 0 begins at 500.').waitFor();
  });
});
