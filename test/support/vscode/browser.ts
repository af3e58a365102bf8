import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const CANDIDATES = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const QUIET = [
  '--no-sandbox', // CI runs as root
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

let shared: Promise<Browser> | undefined;

// Under Mocha, a root hook: an open browser would keep the process alive.
const { after } = globalThis as { after?: (hook: () => Promise<void>) => void };
after?.(async () => (await shared)?.close());

/** The one browser of this test process: `CHROMIUM`, or the first that is installed. */
export function sharedBrowser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

/** One more, of other processes: a window of it does not hide those of the shared one. Whoever asks closes it. */
export function launch(): Promise<Browser> {
  const executablePath = [...CANDIDATES, chromium.executablePath()].find((file) =>
    existsSync(file),
  );
  if (executablePath === undefined)
    throw new Error('No Chromium found: install it, or name one in CHROMIUM');
  return chromium.launch({ executablePath, args: QUIET });
}
