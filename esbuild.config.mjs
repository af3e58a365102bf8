// Makes dist/: the extension, the broker and command (cli), the npm API, the tail worker, the sample application and
// its data, the panels' pages. Entries that do not exist are left out. `--types` also emits dist/embedded.d.ts (npm
// only).
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = import.meta.dirname;
const dist = path.join(root, 'dist');

const common = {
  absWorkingDir: root,
  outdir: 'dist',
  bundle: true,
  minify: true,
  sourcemap: 'linked',
  legalComments: 'linked',
  charset: 'utf8',
  logLevel: 'warning',
  logOverride: { 'empty-import-meta': 'error' },
  metafile: true,
};

/** The toolkit does two things that a strict content security policy reports; neither is needed. */
const toolkitPatches = [
  {
    // It adds an empty <style> to see whether :focus-visible is known. Every VS Code knows it.
    file: /fast-web-utilities[\\/]dist[\\/]dom\.js$/,
    from: 'if (typeof _canUseFocusVisible === "boolean") {',
    to: 'return true; if (typeof _canUseFocusVisible === "boolean") {',
  },
  {
    // A badge's own colours, as a style attribute.
    file: /fast-foundation[\\/]dist[\\/]esm[\\/]badge[\\/]badge\.template\.js$/,
    from: ' style="${x => x.generateBadgeStyle()}"',
    to: '',
  },
];

const toolkitUnderStrictCsp = {
  name: 'toolkit-under-strict-csp',
  setup({ onLoad, onEnd }) {
    for (const { file, from, to } of toolkitPatches)
      onLoad({ filter: file }, async ({ path: source }) => {
        const text = await readFile(source, 'utf8');
        if (text.split(from).length !== 2)
          return { errors: [{ text: `expected once, in a new version perhaps not: ${from}` }] };
        return { contents: text.replace(from, () => to), loader: 'js' };
      });
    onEnd(({ metafile }) => {
      const inputs = Object.keys(metafile?.inputs ?? {});
      if (!inputs.some((input) => input.includes('webview-ui-toolkit'))) return undefined;
      const unseen = toolkitPatches.filter(({ file }) => !inputs.some((input) => file.test(input)));
      return { errors: unseen.map(({ file }) => ({ text: `no file to patch matches ${file}` })) };
    });
  },
};

/** The given files of `src/` that exist, as esbuild wants them. */
const entries = (...names) =>
  Object.fromEntries(
    names
      .map((name) => [name, path.join('src', `${name}.ts`)])
      .filter(([, file]) => existsSync(path.join(root, file))),
  );

const pages = () =>
  Object.fromEntries(
    readdirSync(path.join(root, 'webview'))
      .map((name) => [`webview/${name}`, path.join('webview', name, 'index.ts')])
      .filter(([, file]) => existsSync(path.join(root, file))),
  );

const quickjs = (file) =>
  path.join(root, 'node_modules/@jitl/quickjs-wasmfile-release-sync/dist', file);
const node = { ...common, platform: 'node', format: 'cjs', external: ['vscode'] };
const programs = [
  // An old Node has to be able to parse the command, so that it can be told that it is too old.
  { ...node, entryPoints: entries('cli'), target: 'node18' },
  { ...node, entryPoints: entries('extension', 'sample'), target: 'node22' },
  // An error that a test does not catch is printed with the line that threw it: not with a whole bundle as that line.
  { ...node, entryPoints: entries('embedded'), target: 'node22', minify: false },
  {
    ...node,
    entryPoints: entries('worker'),
    target: 'node22',
    // The other one finds its WASM beside itself; ours is told where that is.
    alias: {
      '@jitl/quickjs-wasmfile-release-sync/emscripten-module': quickjs('emscripten-module.cjs'),
    },
  },
  {
    ...common,
    entryPoints: pages(),
    platform: 'browser',
    format: 'iife',
    target: 'chrome138',
    loader: { '.svg': 'text' },
    plugins: [toolkitUnderStrictCsp],
  },
];

const SAMPLE_SOURCE = `flights.jsonl.gz: 20,000 domestic flights in the United States in early 2001, from the on-time
performance data of the Bureau of Transportation Statistics, U.S. Department of Transportation (a work of the
federal government, in the public domain), as prepared by the npm package vega-datasets (flights-20k.json).
`;

/** A topic's worth of records that look like somebody's: lines of `{ date, delay, distance, origin, destination }`. */
function sampleData() {
  const source = path.join(root, 'node_modules/vega-datasets/data/flights-20k.json');
  const lines = JSON.parse(readFileSync(source, 'utf8')).map((row) => JSON.stringify(row));
  const folder = path.join(dist, 'sample');
  mkdirSync(folder, { recursive: true });
  const data = gzipSync(lines.join('\n'), { level: 9 });
  writeFileSync(path.join(folder, 'flights.jsonl.gz'), data);
  writeFileSync(path.join(folder, 'SOURCE.txt'), SAMPLE_SOURCE);
}

function types() {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const emit = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir'];
  const project = path.join(dist, 'tsconfig.json');
  writeFileSync(
    project,
    JSON.stringify({ extends: '../tsconfig.json', include: [], files: ['../src/embedded.ts'] }),
  );
  const args = [tsc, '-p', project, ...emit, path.join(dist, 'types'), '--rootDir', 'src'];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  rmSync(project);
  if (status !== 0) process.exit(1);
  keepReachable(path.join(dist, 'types'), 'embedded.d.ts');
  writeFileSync(path.join(dist, 'embedded.d.ts'), "export * from './types/embedded.js';\n");
}

/** The compiler emits the types of all that the API is made of; people get those that it speaks of. */
function keepReachable(folder, entry) {
  const reachable = new Set([path.join(folder, entry)]);
  for (const file of reachable) {
    const text = readFileSync(file, 'utf8').replaceAll(/(?<=from ')(\.[^']*)\.ts(?=')/g, '$1.js');
    writeFileSync(file, text);
    for (const [, imported] of text.matchAll(/from '(\.[^']*)\.js'/g))
      reachable.add(path.join(path.dirname(file), `${imported}.d.ts`));
  }
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (file.isFile() && !reachable.has(path.join(file.parentPath, file.name)))
      rmSync(path.join(file.parentPath, file.name));
}

const started = performance.now();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
sampleData();
copyFileSync(quickjs('emscripten-module.wasm'), path.join(dist, 'quickjs.wasm'));
await Promise.all(
  programs.filter(({ entryPoints }) => Object.keys(entryPoints).length > 0).map(build),
);
if (process.argv.includes('--types') && existsSync(path.join(root, 'src/embedded.ts'))) types();
console.log(`dist/ built in ${((performance.now() - started) / 1000).toFixed(1)} s`);
