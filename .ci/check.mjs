// Everything that can be said of the code without running it: types, lint, format, layers, dead code.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** The lint takes as long as all others together, so these run beside it. What a step prints is shown at its end. */
const lanes = [['lint'], Object.keys(steps).filter((name) => name !== 'lint')];

const wanted = process.argv.slice(2);
let failed = 0;

async function run(name) {
  const { script, args } = steps[name];
  const started = Date.now();
  const child = spawn(process.execPath, [script, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [status] = await once(child, 'close');
  if (status !== 0) failed++;
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`${output}${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
}

await Promise.all(
  lanes.map(async (names) => {
    for (const name of names) if (!wanted.length || wanted.includes(name)) await run(name);
  }),
);
process.exit(failed ? 1 : 0);
