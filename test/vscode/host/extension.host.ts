// Runs inside the extension host (see ../extensionHost.test.ts).
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/ui/api.ts';
import { commandId } from '../../../src/ui/contributions.ts';
import type { TreeCell } from '../../../src/ui/trees/node.ts';

const extension = vscode.extensions.getExtension<WorkbenchApi>('kafka-workbench.kafka-workbench');
assert.ok(extension);

describe('the extension in its host', () => {
  let api: WorkbenchApi;

  before(async () => {
    api = await extension.activate();
  });

  after(async () => {
    await vscode.commands.executeCommand(commandId('stopEmbedded'));
  });

  /** The items that the tree shows below a row. */
  async function items(below?: TreeCell): Promise<{ cell: TreeCell; item: vscode.TreeItem }[]> {
    assert.ok(api.internals);
    const { provider } = api.internals;
    const cells = await provider.getChildren(below);
    return Promise.all(
      cells.map(async (cell) => ({ cell, item: await provider.getTreeItem(cell) })),
    );
  }

  it('shows no row and starts nothing until asked', async () => {
    assert.equal(api.embedded.bootstrap, undefined);
    assert.deepEqual(await items(), []);
  });

  it('starts the embedded cluster and tells other extensions its address', async () => {
    const told: (string | undefined)[] = [];
    const subscription = api.embedded.onDidChangeBootstrap((bootstrap) => told.push(bootstrap));
    const bootstrap = await api.embedded.start();
    subscription.dispose();
    assert.match(bootstrap, /^127\.0\.0\.1:\d+$/);
    assert.equal(api.embedded.bootstrap, bootstrap);
    assert.deepEqual(told, [bootstrap]);
  });

  it('gives rows ids that last, menus their context, and screen readers their words', async () => {
    const [cluster] = await items();
    assert.ok(cluster);
    assert.equal(cluster.item.id, 'cluster:embedded');
    assert.equal(cluster.item.contextValue, 'embedded running writable');
    assert.equal(cluster.item.collapsibleState, vscode.TreeItemCollapsibleState.Expanded);
    const below = await items(cluster.cell);
    assert.deepEqual(
      below.map(({ item }) => [item.id, item.label, item.description]),
      [
        ['cluster:embedded/brokers', 'Brokers', '1'],
        ['cluster:embedded/topics', 'Topics', '0'],
        ['cluster:embedded/groups', 'Consumer groups', '0'],
      ],
    );
    for (const { item } of below) assert.ok(item.accessibilityInformation?.label);
    const again = await items(cluster.cell);
    assert.deepEqual(
      again.map(({ cell }, i) => cell === below[i]?.cell),
      [true, true, true],
    );
  });

  it('takes no row from elsewhere: a forged one counts as none', async () => {
    const forged = { id: 'cluster:embedded/topics/x', node: { kind: 'topic' } };
    await vscode.commands.executeCommand(commandId('copyName'), forged, [forged]);
    await vscode.env.clipboard.writeText('untouched');
    await vscode.commands.executeCommand(commandId('copyName'), forged, [forged]);
    assert.equal(await vscode.env.clipboard.readText(), 'untouched');
  });
});
