import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { OpenRows } from '../../../../src/ui/trees/openRows.ts';
import { FakeMemento } from './fakeCluster.ts';

const cluster = 'cluster:embedded';
const topics = `${cluster}/topics`;

/** What is kept is written once for all that changes together. */
const kept = (): Promise<void> => Promise.resolve();

describe('the rows that are open', () => {
  it('are open after a reload, and those that were closed are not [C1]', async () => {
    const memento = new FakeMemento();
    const rows = new OpenRows(memento);
    for (const id of [topics, `${topics}/orders`, `${topics}/audit`]) rows.set(id, true);
    await kept();
    rows.set(`${topics}/audit`, false);
    await kept();
    const later = new OpenRows(memento);
    assert.deepEqual(
      [topics, `${topics}/orders`, `${topics}/audit`].map((id) => later.has(id)),
      [true, true, false],
    );
  });

  it('are no clusters after a reload: nothing connects by itself [C1]', async () => {
    const memento = new FakeMemento();
    const rows = new OpenRows(memento);
    for (const id of [cluster, topics]) rows.set(id, true);
    await kept();
    assert.ok(rows.has(cluster));
    const later = new OpenRows(memento);
    assert.deepEqual([later.has(cluster), later.has(topics)], [false, true]);
  });

  it('are the last so many, and none where something else was kept', async () => {
    const memento = new FakeMemento();
    const rows = new OpenRows(memento);
    for (let i = 0; i < 600; i++) rows.set(`${topics}/${i}`, true);
    await kept();
    const later = new OpenRows(memento);
    assert.deepEqual([later.has(`${topics}/99`), later.has(`${topics}/100`)], [false, true]);
    await memento.update('kafkaWorkbench.openRows', { not: 'a list' });
    assert.equal(new OpenRows(memento).has(`${topics}/100`), false);
  });
});
