// An extension of a test's own with folders that are on no disk, as an editor opens those of a remote repository.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installExtension } from '../../../.ci/codeServer.ts';
import { run } from '../process.ts';

const VSCE = path.join(import.meta.dirname, '../../../node_modules/@vscode/vsce/vsce');

const manifest = {
  name: 'memory-folders',
  publisher: 'tests',
  version: '0.0.1',
  engines: { vscode: '^1.105.0' },
  main: './main.js',
  activationEvents: ['onFileSystem:memory'],
};

/** One file, in one folder, whatever folder is asked for. */
const MAIN = `
const vscode = require('vscode');
const file = Buffer.from('not on a disk');
const none = () => { throw vscode.FileSystemError.NoPermissions(); };
exports.activate = (context) => context.subscriptions.push(
  vscode.workspace.registerFileSystemProvider('memory', {
    onDidChangeFile: new vscode.EventEmitter().event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: ({ path }) => {
      const isFile = path.endsWith('.txt');
      if (!isFile && /\\.\\w+/.test(path)) throw vscode.FileSystemError.FileNotFound();
      return { type: isFile ? 1 : 2, ctime: 0, mtime: 0, size: isFile ? file.length : 0 };
    },
    readDirectory: () => [['hello.txt', 1]],
    readFile: () => file,
    ...{ createDirectory: none, writeFile: none, delete: none, rename: none },
  }, { isReadonly: true }),
);`;

/** Has an editor know folders such as `memory:/work` from its next window on. */
export async function installMemoryFolders(root: string): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'memory-folders-'));
  try {
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'main.js'), MAIN);
    const vsix = path.join(folder, 'memory-folders.vsix');
    const args = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license'];
    const packed = await run(process.execPath, [VSCE, ...args, '--out', vsix], { cwd: folder });
    assert.equal(packed.code, 0, packed.stderr);
    await installExtension(root, vsix);
  } finally {
    await rm(folder, { recursive: true });
  }
}
