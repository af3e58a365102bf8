import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { OffsetHistory } from '../../../../src/cluster/offsets/offsetHistory.ts';
import { ManualClock } from '../../../support/manualClock.ts';

const key = { clusterId: 'c1', group: 'billing/../x' };
const offsets = [
  { topic: 'orders', partition: 0, offset: 2n ** 62n, leaderEpoch: 3, metadata: 'm "1"' },
  { topic: 'orders', partition: 1, offset: null, leaderEpoch: -1, metadata: '' },
];

describe('the history of offsets', () => {
  let folder: string;
  let clock: ManualClock;
  let history: OffsetHistory;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'history-'));
    clock = new ManualClock(1_000);
    history = new OffsetHistory({ folder, clock });
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('gives back exactly what was kept, with metadata, epochs and the lack of a commit [F5]', async () => {
    const id = await history.save(key, 'to earliest', offsets);
    assert.deepEqual(await new OffsetHistory({ folder }).load(key, id), offsets);
    assert.deepEqual(await history.list(key), [
      { id, savedAtMs: 1_000, summary: 'to earliest', partitionCount: 2 },
    ]);
  });

  it('is apart for each cluster and group [F5]', async () => {
    const id = await history.save(key, 'to earliest', offsets);
    for (const other of [
      { ...key, clusterId: 'c2' },
      { ...key, group: 'billing' },
    ]) {
      assert.deepEqual(await history.list(other), []);
      await assert.rejects(history.load(other, id), /not kept any more/);
    }
  });

  it('lists the newest first and keeps the last twenty [F5]', async () => {
    for (let i = 0; i < 22; i++) {
      clock.advance(1000);
      await history.save(key, `reset ${i}`, offsets);
    }
    const kept = await history.list(key);
    assert.equal(kept.length, 20);
    assert.deepEqual([kept[0]?.summary, kept.at(-1)?.summary], ['reset 21', 'reset 2']);
  });

  it('leaves out what is damaged, and takes no path for an id [F5]', async () => {
    const id = await history.save(key, 'to earliest', offsets);
    const [group = ''] = await readdir(folder);
    await writeFile(path.join(folder, group, '000000000000000-x.json'), '{"version":1}');
    assert.deepEqual(
      (await history.list(key)).map((entry) => entry.id),
      [id],
    );
    await assert.rejects(history.load(key, `../${group}/${id}`), /not kept any more/);
    await history.remove(key, id);
    assert.deepEqual(await history.list(key), []);
  });
});
