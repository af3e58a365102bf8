import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type * as vscode from 'vscode';
import { emptyDraft } from '../../../src/shared/contracts/produce.ts';
import { SavedDrafts } from '../../../src/ui/savedDrafts.ts';
import { FakeMemento } from './trees/fakeCluster.ts';

describe('saved records', () => {
  const make = (): { drafts: SavedDrafts; names: () => string[]; told: () => number } => {
    const drafts = new SavedDrafts(new FakeMemento() as unknown as vscode.Memento);
    let told = 0;
    drafts.onDidChange(() => told++);
    return { drafts, names: () => drafts.all.map(({ name }) => name), told: () => told };
  };

  it('are kept in order of name, one a name, and tell of each change [E5]', async () => {
    const { drafts, names, told } = make();
    await drafts.save('b', emptyDraft('orders', null));
    await drafts.save('a', emptyDraft('orders', 1));
    await drafts.save('b', emptyDraft('payments', null));
    assert.deepEqual(names(), ['a', 'b']);
    assert.equal(drafts.all[1]?.draft.topic, 'payments');
    await drafts.delete(['a', 'b']);
    assert.deepEqual(names(), []);
    assert.equal(told(), 4);
  });

  it('take another name unless another has it [E5]', async () => {
    const { drafts, names } = make();
    await drafts.save('a', emptyDraft('orders', null));
    await drafts.save('b', emptyDraft('payments', null));
    await assert.rejects(drafts.rename('a', 'b'), /There is a saved record b already/);
    await drafts.rename('a', 'c');
    assert.deepEqual(names(), ['b', 'c']);
    assert.equal(drafts.all[1]?.draft.topic, 'orders');
  });
});
