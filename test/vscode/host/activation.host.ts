import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
}

describe('activation', () => {
  const extension = () => {
    const found = vscode.extensions.getExtension<unknown>('kafka-workbench.kafka-workbench');
    assert.ok(found);
    return found;
  };

  it('registers every command that the manifest contributes', async () => {
    await extension().activate();
    const registered = new Set(await vscode.commands.getCommands(true));
    const { commands } = (extension().packageJSON as Manifest).contributes;
    assert.ok(commands.length > 0);
    assert.deepEqual(
      commands.map(({ command }) => command).filter((command) => !registered.has(command)),
      [],
    );
  });

  it('runs on the Node that the broker needs', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    assert.ok(major > 22 || (major === 22 && minor >= 15), process.version);
  });
});
