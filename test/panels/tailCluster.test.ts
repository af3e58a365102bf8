import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { eventually } from '../scenarios/clusters.ts';
import { comeUp, goDown, startByPointer } from '../support/panels/clusterDown.ts';
import { tailPanel } from '../support/panels/tailPanel.ts';

describe('The tail panel, as its cluster and topic change', function () {
  this.timeout(120_000);
  const { open, opened, tell, record, seeks } = tailPanel();

  it('says once that the cluster is down, keeps what it has, and starts again with the cluster [D1]', async () => {
    const page = await open({ bringUp: () => comeUp(opened()) });
    tell({ held: 10 });
    await record(page, 9).waitFor();
    await goDown(opened());
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    assert.equal(await page.getByText('connection refused').isVisible(), false);
    assert.equal(await record(page, 9).isVisible(), true);
    await startByPointer(opened());
    await eventually(() => seeks.length === 1);
  });

  it('says that the cluster was stopped, and has nothing to pause until it runs again [D1]', async () => {
    const page = await open();
    tell({ held: 10 });
    await goDown(opened());
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    await page.locator('.status').getByText('Cluster stopped').waitFor();
    const pause = page.getByRole('button', { name: 'Pause' });
    await eventually(() => pause.isDisabled());
    comeUp(opened());
    tell({ held: 10 });
    await page.locator('.status').getByText('Live').waitFor();
    await eventually(() => pause.isEnabled());
  });

  it('shows the partitions that were added, where it is of all [D1]', async () => {
    const page = await open();
    await page.getByRole('button', { name: 'All 3 partitions' }).waitFor();
    tell({ held: 10, partitionCount: 5 });
    await page.getByRole('button', { name: 'All 5 partitions' }).waitFor();
  });

  it('says that the topic was deleted, and starts over as it began [D1] [D2]', async () => {
    const page = await open();
    const error = { message: 'Topic orders was deleted.' };
    tell({ held: 10, state: 'failed', error, topicGone: 'deleted' });
    await page.getByRole('alert').getByText(error.message).waitFor();
    await page.locator('.status').getByText('Topic deleted').waitFor();
    await record(page, 9).waitFor();
    await page.getByRole('button', { name: 'Tail again' }).click();
    await eventually(() => seeks.length === 1);
    assert.deepEqual([seeks[0]?.from, seeks[0]?.partitions], ['last 100', [0, 1, 2]]);
  });

  it('leaves it to the person to start again where the cluster came up by itself [D1]', async () => {
    const page = await open();
    tell({ held: 10 });
    await record(page, 9).waitFor();
    opened().host.notify('status', {
      state: 'down',
      problem: { message: 'down' },
      remedy: 'start',
    });
    tell({ held: 10, state: 'failed', error: { message: 'connection refused' } });
    opened().host.notify('status', { state: 'up' });
    await page.getByText('connection refused').waitFor();
    assert.equal(await record(page, 9).isVisible(), true);
    await page.getByRole('button', { name: 'Start again' }).click();
    await eventually(() => seeks.length === 1);
  });
});
