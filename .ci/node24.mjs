// Runs a script on Node 24: the Node that VS Code's extension host carries, and the one that the
// type-stripping test runs need. Usage: node .ci/node24.mjs SCRIPT [ARG ...]
// Uses the running Node if it is new enough, else one carried from npm into the cache folder.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheDir } from './cache.mjs';

const VERSION = '24.22.3';

/** Path of a Node 24 executable; installs one on first use. Throws where npm has none for this platform. */
export function node24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
  const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = path.join(cacheDir(), `node-${VERSION}`);
  const executable = path.join(
    folder,
    'node_modules',
    packageName,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"private":true}');
  console.error(`Fetching Node ${VERSION} (this is Node ${process.versions.node}) ...`);
  execFileSync(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${packageName}@${VERSION}`],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    },
  );
  return executable;
}

if (import.meta.filename === process.argv[1]) {
  const executable = node24();
  const env = {
    ...process.env,
    PATH: path.dirname(executable) + path.delimiter + process.env.PATH,
  };
  const child = spawn(executable, process.argv.slice(2), { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
