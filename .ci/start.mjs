// npm start [-- --browser --port N --home DIR]: the extension in an editor of its own, on a machine that has only Node.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cacheDir } from './cache.mjs';
import { installExtension, spawnCodeServer, writeUserSettings } from './codeServer.ts';

const root = path.join(import.meta.dirname, '..');
const vsix = path.join(root, 'kafka-workbench.vsix');
const DEFAULT_PORT = 8123;
const START_LIMIT_MS = 60_000;

const SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoCheckUpdates': false,
  'chat.disableAIFeatures': true,
  // The folder lies within a clone of this repository, which nobody means to edit here.
  'git.openRepositoryInParentFolders': 'never',
};

const WELCOME = `# Kafka Workbench

Open the Kafka view in the activity bar and start the embedded cluster.
Anything that speaks Kafka can connect to the address that the tree shows.
`;

const { values: options } = parseArgs({
  options: {
    browser: { type: 'boolean', default: false },
    port: { type: 'string' },
    // Where the editor's profile, its extensions and the embedded cluster's data are kept.
    home: { type: 'string', default: path.join(cacheDir(), 'start') },
  },
});
const home = path.resolve(options.home);
const workspace = path.join(home, 'workspace');

function step(what, command, ...args) {
  console.log(`${what} ...`);
  const shell = process.platform === 'win32';
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', shell });
  if (status !== 0) {
    console.error(`${what} failed; what it printed is above.`);
    process.exit(1);
  }
}

/** The desktop editor, if it can show a window here. The `code` of a remote terminal cannot be given a profile. */
function desktopEditor() {
  const hasScreen =
    process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (options.browser || !hasScreen || process.env.VSCODE_IPC_HOOK_CLI) return undefined;
  const names = process.platform === 'win32' ? ['code.cmd'] : ['code'];
  return process.env.PATH.split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)))
    .find((file) => existsSync(file));
}

async function openDesktop(code) {
  const profile = [
    ...['--user-data-dir', path.join(home, 'desktop')],
    ...['--extensions-dir', path.join(home, 'desktop-extensions')],
  ];
  step('Installing the extension', code, ...profile, '--install-extension', vsix, '--force');
  console.log(`Kafka Workbench is open in VS Code (${code}); close its window to end.`);
  const shell = process.platform === 'win32';
  const child = spawn(code, [...profile, '--new-window', '--wait', workspace], {
    stdio: 'inherit',
    shell,
  });
  await once(child, 'exit');
}

const freePort = (port) =>
  new Promise((resolve) => {
    const server = net.createServer().once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const { port: found } = server.address();
      server.close(() => resolve(found));
    });
  });

async function choosePort() {
  if (options.port === undefined) return (await freePort(DEFAULT_PORT)) ?? freePort(0);
  return Number(options.port) || freePort(0);
}

async function openInBrowser() {
  await writeUserSettings(home, SETTINGS);
  console.log('Installing the extension ...');
  await installExtension(home, vsix);
  const port = await choosePort();
  const log = path.join(home, 'server.log');
  const args = [
    ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
    ...['--disable-telemetry', '--disable-update-check', '--disable-workspace-trust'],
    '--disable-getting-started-override',
  ];
  const output = openSync(log, 'w');
  const child = await spawnCodeServer({ root: home, args, stdio: ['ignore', output, output] });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill('SIGTERM'));
  const ended = once(child, 'exit');
  const deadline = performance.now() + START_LIMIT_MS;
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) {
    if (child.exitCode !== null || performance.now() > deadline) {
      console.error(`VS Code did not start on port ${port}; see ${log}`);
      child.kill('SIGKILL');
      process.exit(1);
    }
    await sleep(100);
  }
  const url = `http://127.0.0.1:${port}/?folder=${encodeURI(workspace)}`;
  console.log(`Kafka Workbench is ready: ${url}`);
  console.log('Ctrl+C ends it.');
  await ended;
}

execFileSync(process.execPath, [path.join(import.meta.dirname, 'package.mjs')], {
  cwd: root,
  stdio: ['ignore', 'ignore', 'inherit'],
});
console.log('Built and packed kafka-workbench.vsix');
mkdirSync(workspace, { recursive: true });
if (!existsSync(path.join(workspace, 'README.md')))
  writeFileSync(path.join(workspace, 'README.md'), WELCOME);
const code = desktopEditor();
await (code ? openDesktop(code) : openInBrowser());
