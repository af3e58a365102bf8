// Builds, and packs the extension into kafka-workbench.vsix.
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const vsix = path.join(root, 'kafka-workbench.vsix');

function node(script, ...args) {
  const { status } = spawnSync(process.execPath, [path.join(root, script), ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

node('esbuild.config.mjs');
// --no-dependencies: everything is bundled. The repository and its links are not public yet.
const vsce = [
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--no-rewrite-relative-links',
  '--out',
  vsix,
];
node('node_modules/@vscode/vsce/vsce', ...vsce);
console.log(`${path.relative(process.cwd(), vsix)}: ${(statSync(vsix).size / 1e6).toFixed(2)} MB`);
