// Mocha inside the real extension host, where `vscode` can be imported.
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { sharedBrowser } from './browser.ts';
import { startEditor, windowUrl } from './editor.ts';
import type { StartEditorOptions } from './editor.ts';
import type { HostResults } from './hostSuite.ts';

export interface HostTestOptions extends StartEditorOptions {
  readonly vsix: string;
  /** Absolute paths of the test files. */
  readonly files: readonly string[];
  /** Default 2 minutes. */
  readonly timeoutMs?: number;
  /** Done with the editor's page while the tests run. */
  readonly beside?: (page: Page) => Promise<void>;
}

// Below the repository, where the bundle finds Mocha.
const OUT = path.join(import.meta.dirname, '../../../out/host');

/**
 * Runs test files inside the extension host beside the installed extension.
 *
 * An extension host that is killed reports exit code 0, so a run only counts if the code is 0, the suite's own
 * end has left its results, and something passed. Anything else rejects with the last lines of the host.
 */
export async function runHostTests(options: HostTestOptions): Promise<HostResults> {
  await mkdir(OUT, { recursive: true });
  const results = path.join(OUT, `${process.pid}.json`);
  const bundle = path.join(OUT, `${process.pid}.cjs`);
  await rm(results, { force: true });
  await bundleSuite(options.files, bundle, results);
  // The payload that names the tests is only read with the smoke test driver, which turns toasts off.
  const args = ['--vscode-option', 'enable-smoke-test-driver', ...(options.args ?? [])];
  const editor = await startEditor({ ...options, args });
  try {
    const extension = await installedExtension(editor.root);
    const remote = (file: string) => `vscode-remote://localhost:${editor.port}${file}`;
    const url = windowUrl(editor.port, editor.workspace, [
      ['extensionDevelopmentPath', remote(extension)],
      ['extensionTestsPath', remote(bundle)],
    ]);
    const { code, log } = await untilExit(url, options);
    if (code !== 0 && !existsSync(results))
      throw new Error(`The extension host ended with ${code}\n${log}`);
    if (!existsSync(results)) throw new Error(`The extension host ended before its tests\n${log}`);
    const found = JSON.parse(await readFile(results, 'utf8')) as HostResults;
    if (found.passed.length + found.failed.length === 0) throw new Error('No test ran');
    return found;
  } finally {
    await editor.stop();
    await rm(results, { force: true });
    await rm(bundle, { force: true });
  }
}

async function bundleSuite(files: readonly string[], bundle: string, results: string) {
  const suite = path.join(import.meta.dirname, 'hostSuite.ts');
  const requires = files.map((file) => `require(${JSON.stringify(file)});`).join('\n');
  const contents = `const { runHostSuite } = require(${JSON.stringify(suite)});
    exports.run = () => runHostSuite(() => { ${requires} }, ${JSON.stringify(results)});`;
  await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'js' },
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
}

async function installedExtension(root: string): Promise<string> {
  const folder = path.join(root, 'extensions');
  const [name] = (await readdir(folder)).filter((entry) => !entry.endsWith('.json'));
  if (name === undefined) throw new Error('No extension is installed');
  return path.join(folder, name);
}

async function untilExit(url: string, { timeoutMs = 120_000, beside }: HostTestOptions) {
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  const lines: string[] = [];
  const exited = Promise.withResolvers<number | 'no answer in time'>();
  await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
    lines.push(args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg))).join(' '));
  });
  await page.exposeFunction('codeAutomationExit', (code: number) => {
    exited.resolve(code);
  });
  const limit = setTimeout(() => exited.resolve('no answer in time'), timeoutMs);
  try {
    await page.goto(url);
    await Promise.race([beside?.(page), exited.promise]);
    return { code: await exited.promise, log: lines.slice(-30).join('\n') };
  } finally {
    clearTimeout(limit);
    await context.close();
  }
}
