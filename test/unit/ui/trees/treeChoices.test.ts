import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { readNameFilter } from '../../../../src/cluster/nameFilter.ts';
import { TreeChoices } from '../../../../src/ui/trees/treeChoices.ts';
import { FakeMemento } from './fakeCluster.ts';

const topics = { clusterId: 'c-1', kind: 'topics' } as const;
const groups = { clusterId: 'c-1', kind: 'groups' } as const;

describe('how lists are shown', () => {
  let memento: FakeMemento;
  let choices: TreeChoices;

  beforeEach(() => {
    memento = new FakeMemento();
    choices = new TreeChoices(memento);
  });

  it('is by name, whole and without favourites at first', () => {
    const { filter, sort, pinned } = choices.of(topics);
    assert.deepEqual([filter, sort, [...pinned]], [undefined, 'name', []]);
  });

  it('is remembered for each cluster and list, but for the filter [C4]', async () => {
    await choices.setSort(topics, 'records');
    await choices.setPinned(topics, ['orders', 'audit'], true);
    await choices.setPinned(topics, ['audit'], false);
    choices.setFilter(topics, readNameFilter('ord'));
    const later = new TreeChoices(memento);
    const { filter, sort, pinned } = later.of(topics);
    assert.deepEqual([filter, sort, [...pinned]], [undefined, 'records', ['orders']]);
    assert.equal(later.of(groups).sort, 'name');
    assert.equal(later.of({ ...topics, clusterId: 'c-2' }).pinned.size, 0);
  });

  it('tells which list is shown another way now, and whether any is filtered [C4]', () => {
    const told: unknown[] = [];
    choices.onDidChange((key) => told.push([key, choices.isFiltered]));
    choices.setFilter(topics, readNameFilter('a'));
    choices.setFilter(groups, readNameFilter('b'));
    choices.clearFilters();
    assert.deepEqual(told, [
      [topics, true],
      [groups, true],
      [topics, true],
      [groups, false],
    ]);
  });

  it('takes nothing from a state that another version left', async () => {
    await memento.update('kafkaWorkbench.tree ["topics","c-1"]', { sort: 'colour', pinned: 7 });
    await memento.update('kafkaWorkbench.tree ["groups","c-1"]', { sort: 'records', pinned: [] });
    assert.equal(choices.of(topics).sort, 'name');
    assert.equal(choices.of(groups).sort, 'name', 'groups have no order by records');
  });

  it('keeps so many favourites and says when there are too many', async () => {
    const names = Array.from({ length: 501 }, (_, i) => `t-${i}`);
    await assert.rejects(choices.setPinned(topics, names, true), /More than 500/);
    assert.equal(choices.of(topics).pinned.size, 0);
  });
});
