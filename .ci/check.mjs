// Everything that can be said of the code without running it: types, lint, format, layers, dead code.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const tool = (script, ...args) => ({ script: path.join('node_modules', script), args });
const steps = {
  types: tool('typescript/bin/tsc', '-p', '.'),
  'webview types': tool('typescript/bin/tsc', '-p', 'webview'),
  lint: tool('eslint/bin/eslint.js', '--max-warnings', '0', 'src', 'test', 'webview'),
  format: tool('prettier/bin/prettier.cjs', '--check', '--log-level', 'warn', '.'),
  layers: tool(
    'dependency-cruiser/bin/dependency-cruise.mjs',
    'src',
    'webview',
    '--output-type',
    'err',
  ),
  'dead code': tool('knip/bin/knip.js', '--no-progress'),
};

const wanted = process.argv.slice(2);
let failed = 0;
for (const [name, { script, args }] of Object.entries(steps)) {
  if (wanted.length && !wanted.includes(name)) continue;
  const started = Date.now();
  const { status } = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) failed++;
  console.log(
    `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((Date.now() - started) / 1000).toFixed(1)} s)`,
  );
}
process.exit(failed ? 1 : 0);
