// A real VS Code (served to a browser) with an extension installed, in folders of its own.
import { openSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { BrowserContext } from 'playwright-core';
import {
  installExtension,
  removeCodeServer,
  spawnCodeServer,
  writeUserSettings,
} from '../../../.ci/codeServer.ts';
import { freePorts, own, stopProcessTree } from '../process.ts';
import { sharedBrowser } from './browser.ts';
import { EditorWindow } from './editorWindow.ts';

export interface StartEditorOptions {
  /** The packed extension to install. */
  readonly vsix?: string;
  /** The folder to open. Default: a new one with a `hello.txt`. */
  readonly workspace?: string;
  /** User settings, over the quiet ones that tests want. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Passed on to the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  readonly args?: readonly string[];
  /** Default: true. Not trusted, the window is in Restricted Mode, and nobody is asked. */
  readonly isTrusted?: boolean;
  /** Of the editor; its own words stay English, as language packs are not at hand. Default: English. */
  readonly language?: string;
}

export interface Editor {
  /** Everything that this editor writes is below it; removed on stop. */
  readonly root: string;
  readonly port: number;
  readonly workspace: string;
  /**
   * Opens a window on the workspace, or another folder, and waits for the workbench. Windows of one editor share a
   * profile.
   */
  open(folder?: string): Promise<EditorWindow>;
  /** What the server printed. */
  log(): Promise<string>;
  stop(): Promise<void>;
}

const ROOT = path.join(import.meta.dirname, '../../..');
const START_LIMIT_MS = 120_000;
const WINDOW = { width: 1400, height: 900 };

const QUIET_SETTINGS = {
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'window.dialogStyle': 'custom',
};

const RESTRICTED_SETTINGS = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
};

/** Installs the extension, starts the server and resolves when it answers. */
export async function startEditor(options: StartEditorOptions = {}): Promise<Editor> {
  const root = await mkdtemp(path.join(tmpdir(), 'kw-'));
  const workspace = options.workspace ?? (await newWorkspace(root));
  const { isTrusted = true } = options;
  await writeUserSettings(root, {
    ...QUIET_SETTINGS,
    ...(!isTrusted && RESTRICTED_SETTINGS),
    ...options.settings,
  });
  if (options.vsix !== undefined) await install(root, options.vsix);
  const { child, port, logFile } = await serve(root, options);
  const log = () => readFile(logFile, 'utf8');
  let profile: Promise<BrowserContext> | undefined;
  await untilHealthy(child, port, log);
  return {
    root,
    port,
    workspace,
    log,
    async open(folder = workspace) {
      profile ??= newProfile(options.language);
      const window = new EditorWindow(await (await profile).newPage());
      await window.goto(windowUrl(port, folder));
      return window;
    },
    async stop() {
      await (await profile)?.close();
      await stopProcessTree(child);
      await removeCodeServer(root);
    },
  };
}

/** Where each extension is installed once in this process; others get a copy. */
const installed = new Map<string, Promise<string>>();
let shared: Promise<Editor> | undefined;
const { after } = globalThis as { after?: (hook: () => Promise<void>) => void };
after?.(async () => {
  await (await shared)?.stop();
  for (const root of installed.values()) await removeCodeServer(await root);
});

async function install(root: string, vsix: string): Promise<void> {
  const first = installed.get(vsix) ?? installOnce(vsix);
  installed.set(vsix, first);
  await cp(path.join(await first, 'extensions'), path.join(root, 'extensions'), {
    recursive: true,
  });
}

async function installOnce(vsix: string): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), 'kw-'));
  await installExtension(root, vsix);
  return root;
}

/** The one editor of this test process, with the packed extension; stopped by a root hook of Mocha. */
export function sharedEditor(): Promise<Editor> {
  shared ??= startEditor({ vsix: path.join(ROOT, 'kafka-workbench.vsix') });
  return shared;
}

/** Address of a window; `payload` is how the web client takes what are command-line options elsewhere. */
export function windowUrl(
  port: number,
  folder: string,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const query = new URLSearchParams({ folder });
  if (payload.length > 0) query.set('payload', JSON.stringify(payload));
  return `http://localhost:${port}/?${query.toString()}`;
}

async function newProfile(language: string | undefined): Promise<BrowserContext> {
  const profile = await (await sharedBrowser()).newContext({ viewport: WINDOW });
  // A language pack would set this; without one it says English whatever was asked for.
  if (language !== undefined)
    await profile.addInitScript(
      `Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', {
        get: () => ${JSON.stringify(language)},
        set: () => undefined,
      });`,
    );
  return profile;
}

async function newWorkspace(root: string): Promise<string> {
  const folder = path.join(root, 'workspace');
  await mkdir(folder);
  await writeFile(path.join(folder, 'hello.txt'), 'hello\n');
  return folder;
}

async function serve(root: string, options: StartEditorOptions) {
  const [port = 0] = await freePorts(1);
  const logFile = path.join(root, 'server.log');
  const log = openSync(logFile, 'w');
  const child = own(
    await spawnCodeServer({
      root,
      args: [
        ...['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`],
        ...['--disable-telemetry', '--disable-update-check'],
        ...(options.isTrusted === false ? [] : ['--disable-workspace-trust']),
        '--disable-getting-started-override',
        ...(options.language === undefined ? [] : ['--locale', options.language]),
        ...(options.args ?? []),
      ],
      stdio: ['ignore', log, log],
      ...(options.env && { env: options.env }),
    }),
  );
  child.unref();
  return { child, port, logFile };
}

async function untilHealthy(
  child: ChildProcess,
  port: number,
  log: () => Promise<string>,
): Promise<void> {
  const deadline = performance.now() + START_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    if (child.exitCode !== null) throw new Error(`code-server ended\n${await log()}`);
    if (performance.now() > deadline) throw new Error(`code-server is silent\n${await log()}`);
    await sleep(50);
  }
}
