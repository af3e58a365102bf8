// A checkout of its own for what builds: `dist` and the .vsix of this one are run by other tests meanwhile.
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { cacheDir } from '../../.ci/cache.mjs';

const root = path.join(import.meta.dirname, '../..');

/** What is fetched or made, and git's own. */
const left = new Set(['node_modules', '.git', '.cache', 'dist', 'out', 'kafka-workbench.vsix']);

export interface Checkout {
  readonly root: string;
  /** Has it use what is fetched already. */
  readonly env: NodeJS.ProcessEnv;
}

/** Copies the sources as they are now below a folder; the dependencies are those of this checkout. */
export async function checkoutBelow(folder: string): Promise<Checkout> {
  const copy = path.join(folder, 'checkout');
  const filter = (file: string): boolean => !left.has(path.relative(root, file));
  await cp(root, copy, { recursive: true, filter });
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  return { root: copy, env: { ...process.env, KAFKA_WORKBENCH_CACHE: cacheDir() } };
}
