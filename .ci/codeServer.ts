// VS Code as a server for the browser: code-server from npm, fetched once. Used by `npm start` where there is no
// desktop VS Code, and by the tests of the editor. Imports nothing from node_modules: it may not be there yet.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { installOnce } from './installOnce.ts';
import { node24 } from './node24.mjs';

/** code-server 4.139.1 is VS Code 1.139.1, with its extension host on Node 24. */
const VERSION = '4.139.1';

/** Folder of an installed code-server; installs it on first use, which takes about a minute. */
export function codeServer(): Promise<string> {
  if (process.platform === 'win32')
    throw new Error('There is no code-server for Windows: install the desktop VS Code');
  return installOnce(`code-server-${VERSION}`, install);
}

export interface CodeServerOptions {
  /** Everything that it writes goes here, but for sockets. */
  readonly root: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly stdio?: StdioOptions;
}

/** Starts code-server's command line, kept out of the user's home. */
export async function spawnCodeServer(options: CodeServerOptions): Promise<ChildProcess> {
  const { root, args, env = {}, stdio = 'ignore' } = options;
  const entry = path.join(await codeServer(), 'node_modules/code-server/out/node/entry.js');
  const run = await socketFolder(root);
  const own = ['--config', path.join(root, 'config.yaml'), '--user-data-dir', userData(root)];
  own.push('--extensions-dir', path.join(root, 'extensions'));
  own.push('--session-socket', path.join(run, 'session.sock'));
  return spawn(node24(), [entry, ...own, ...args], {
    stdio,
    env: {
      ...process.env,
      HOME: root,
      XDG_CONFIG_HOME: path.join(root, 'config'),
      XDG_DATA_HOME: path.join(root, 'data'),
      XDG_RUNTIME_DIR: run,
      TMPDIR: run,
      EXTENSIONS_GALLERY: '{}',
      ...env,
    },
  });
}

/** Installs a packed extension below `root`. */
export async function installExtension(root: string, vsix: string): Promise<void> {
  const args = ['--install-extension', vsix, '--force'];
  const child = await spawnCodeServer({ root, args, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || !output.includes('successfully installed'))
    throw new Error(`code-server did not install ${vsix}\n${output}`);
}

/** The settings of the one user of a code-server below `root`; read at its start. */
export async function writeUserSettings(
  root: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  // To a window in a browser the server is another machine: settings of scope `machine` are read from there.
  for (const scope of ['User', 'Machine']) {
    const folder = path.join(userData(root), scope);
    await mkdir(folder, { recursive: true });
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings, null, 2));
  }
}

/** Where sockets go. Their paths may have about 100 characters, so not below a `root` that may be anywhere. */
async function socketFolder(root: string): Promise<string> {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const folder = path.join(tmpdir(), `kw-${name}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Removes a code-server's root, and its sockets. */
export async function removeCodeServer(root: string): Promise<void> {
  await rm(await socketFolder(root), { recursive: true, force: true });
  await rm(root, { recursive: true, force: true });
}

function userData(root: string): string {
  return path.join(root, 'user');
}

async function install(folder: string): Promise<void> {
  const say = (what: string) => console.error(`  ${what} ...`);
  console.error(`Fetching VS Code for the browser (code-server ${VERSION}), once, about a minute:`);
  await writeFile(path.join(folder, 'package.json'), '{"private":true}');
  say('code-server');
  // Its postinstall asks for headers of a Kerberos library that nothing here needs.
  await npm(folder, 'install', '--ignore-scripts', `code-server@${VERSION}`);
  const vscode = path.join(folder, 'node_modules/code-server/lib/vscode');
  say('the server of VS Code');
  await npm(vscode, 'install', '--ignore-scripts', '--omit=dev');
  for (const [native, without] of [
    ['@vscode/native-watchdog', 'an extension host may outlive a server that was killed'],
    ['@vscode/spdlog', 'output channels stay empty'],
  ] as const) {
    say(`building ${native}`);
    await npm(vscode, 'rebuild', native).catch(() => {
      console.error(`  ${native} could not be built (no C++ compiler?): ${without}.`);
    });
  }
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const node = node24();
  const home = path.dirname(path.dirname(node));
  const hasHeaders = existsSync(path.join(home, 'include/node'));
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  const child = spawn('npm', [...args, ...quiet], {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}`,
      // Another Node's headers would build for the wrong ABI.
      ...(hasHeaders && { npm_config_nodedir: home }),
    },
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`npm ${args.join(' ')} failed\n${output}`);
}
