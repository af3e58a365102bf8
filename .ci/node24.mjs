// Runs a script of this repository on Node 24: the Node that VS Code's extension host carries, and the one that the
// type-stripping test runs need. Usage: node .ci/node24.mjs SCRIPT [ARG ...]
// Uses the running Node if it is new enough, else one carried from npm into the cache folder. Installs npm's packages
// where that has not been done yet, so that every npm script runs in a new clone.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
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

function installPackages() {
  const root = path.join(import.meta.dirname, '..');
  if (existsSync(path.join(root, 'node_modules', '.package-lock.json'))) return;
  console.error('Installing npm packages, once ...');
  const shell = process.platform === 'win32';
  const args = ['ci', '--ignore-scripts', '--loglevel=error'];
  const { status } = spawnSync('npm', args, { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (status === 0) return;
  console.error('npm ci failed; what it printed is above.');
  process.exit(1);
}

const SHELL_POLL_MS = 500;

/**
 * npm runs a script in a shell, which passes no signal on: killed, it would leave the child running, with no parent.
 */
function endWithShell(child) {
  const shell = process.ppid;
  const poll = setInterval(() => {
    if (process.ppid !== shell) child.kill('SIGTERM');
  }, SHELL_POLL_MS);
  poll.unref();
}

if (import.meta.filename === process.argv[1]) {
  installPackages();
  const executable = node24();
  const env = {
    ...process.env,
    PATH: path.dirname(executable) + path.delimiter + process.env.PATH,
  };
  const child = spawn(executable, process.argv.slice(2), { stdio: 'inherit', env });
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  // A terminal gives Ctrl+C to the child as well: passed on, it would be the second one, which ends at once.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  if (process.env.npm_lifecycle_event) endWithShell(child);
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
