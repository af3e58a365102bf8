// Runs inside the extension host: the entry that `extensionTestsPath` names, bundled with the tests.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

export interface HostResults {
  readonly node: string;
  readonly passed: readonly string[];
  readonly failed: readonly { readonly title: string; readonly message: string }[];
}

/** Runs the suites that `load` defines and leaves their results in `file`: the proof that the end was reached. */
export async function runHostSuite(load: () => void, file: string): Promise<void> {
  const mocha = new Mocha({ ui: 'bdd', timeout: 20_000, color: false, forbidPending: true });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  load();
  const passed: string[] = [];
  const failed: { title: string; message: string }[] = [];
  await new Promise<void>((resolve) => {
    mocha
      .run(() => {
        resolve();
      })
      .on('pass', (test) => passed.push(test.fullTitle()))
      .on('fail', (test, error: Error) =>
        failed.push({ title: test.fullTitle(), message: error.stack ?? error.message }),
      );
  });
  const results: HostResults = { node: process.version, passed, failed };
  writeFileSync(file, JSON.stringify(results));
  if (failed.length > 0) throw new Error(`${failed.length} tests failed`);
}
