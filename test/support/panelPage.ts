// A built panel in a browser, under the content security policy that it has in the editor, with a host that a
// test writes. Needs dist/webview, and a Chromium.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Language } from '../../src/base/l10n.ts';
import { Channel, type Handlers, type Methods } from '../../src/shared/channel.ts';
import { panelHtml } from '../../src/ui/panels/panelHtml.ts';
import { EDITOR_STYLES, wearTheme } from './themes.ts';
import { sharedBrowser } from './vscode/browser.ts';

const DIST = path.join(import.meta.dirname, '../../dist/webview');
const ORIGIN = 'http://panel.test';
const EDITOR_SHEET = 'editor.css';

/** What the editor gives a page: a way to its host, and a state that outlives it. */
const EDITOR_API = `globalThis.acquireVsCodeApi = () => {
  let state = globalThis.initialState;
  return {
    postMessage: (message) => globalThis.toHost(message),
    getState: () => state,
    setState: (next) => void globalThis.keepState((state = next)),
  };
};`;

export interface PanelPageOptions<Served extends Methods, Called extends Methods> {
  readonly name: 'tail' | 'produce' | 'offsets' | 'lag';
  /** What the host serves, and how. */
  readonly serves: Served;
  readonly handlers: Handlers<Served>;
  /** What the page serves. */
  readonly calls: Called;
  /** What the page speaks. Default: English. */
  readonly language?: Language;
  /** What an earlier page kept. */
  readonly state?: unknown;
  /** Runs in the page before its own scripts. */
  readonly script?: string;
}

export interface PanelPage<Served extends Methods, Called extends Methods> {
  readonly page: Page;
  readonly host: Channel<Served, Called>;
  /** What the page kept last. */
  readonly state: () => unknown;
  /** Policy violations, exceptions, messages that break the contract: a sound page has none. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const LIMIT_MS = 30_000;

export async function openPanel<Served extends Methods, Called extends Methods>(
  options: PanelPageOptions<Served, Called>,
): Promise<PanelPage<Served, Called>> {
  const browser = await sharedBrowser();
  const page = await browser.newPage({ viewport: { width: 1100, height: 700 } });
  // Below Mocha's limit for panels, so that a failure says what was waited for.
  page.setDefaultTimeout(LIMIT_MS);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  let kept: unknown = options.state;
  let receive: (message: unknown) => void = () => undefined;
  await page.exposeFunction('toHost', (message: unknown) => receive(message));
  await page.exposeFunction('keepState', (state: unknown) => (kept = state));
  const host = new Channel({
    ...options,
    transport: {
      // A page that is closed gets no more messages, as in the editor.
      send: (message) => void page.evaluate(post, message).catch(() => undefined),
      listen: (listener) => {
        receive = listener;
        return () => undefined;
      },
    },
    onInvalid: (problem) => problems.push(problem),
  });
  await page.addInitScript(`globalThis.initialState = ${JSON.stringify(options.state)};`);
  await page.addInitScript(EDITOR_API);
  if (options.script !== undefined) await page.addInitScript(options.script);
  await serve(page, options.name, options.language ?? { tag: 'en', words: {} });
  await page.goto(`${ORIGIN}/`);
  await wearTheme(page, 'dark');
  return {
    page,
    host,
    state: () => kept,
    problems,
    close: async () => {
      host.dispose();
      await page.close();
    },
  };
}

/** Runs in the page. */
function post(message: unknown): void {
  (globalThis as unknown as { postMessage: (message: unknown, to: string) => void }).postMessage(
    message,
    '*',
  );
}

async function serve(page: Page, name: string, language: Language): Promise<void> {
  const html = panelHtml({
    language,
    title: name,
    cspSource: ORIGIN,
    nonce: 'nonce',
    scriptUri: `${ORIGIN}/${name}.js`,
    styleUri: `${ORIGIN}/${name}.css`,
  }).replace('<link', `<link rel="stylesheet" href="${ORIGIN}/${EDITOR_SHEET}">\n<link`);
  await page.route(`${ORIGIN}/**`, async (route) => {
    const file = new URL(route.request().url()).pathname.slice(1);
    if (file === '') await route.fulfill({ body: html, contentType: 'text/html' });
    else if (file === EDITOR_SHEET)
      await route.fulfill({ body: EDITOR_STYLES, contentType: 'text/css' });
    else if (file.startsWith(`${name}.`) && !file.endsWith('.map')) {
      const body = await readFile(path.join(DIST, file), 'utf8');
      const contentType = file.endsWith('.css') ? 'text/css' : 'text/javascript';
      await route.fulfill({ body, contentType });
    } else await route.fulfill({ status: 404, body: '' });
  });
}
