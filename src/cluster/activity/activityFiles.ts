import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as v from 'valibot';
import { mapBounded } from '../../client/outcome.ts';
import { activityEntry, type ActivityEntry, activityId } from './activityEntry.ts';
import type { ActivityStore } from './activityLog.ts';

const largestFile = 1024 * 1024;
const filesReadAtOnce = 16;
const claimed = '.claimed';
/** All windows have seen by then what they all see. */
const claimLastsMs = 24 * 3_600_000;

/** A file for each entry, written whole and renamed: windows that write at once lose nothing of each other. */
export class ActivityFiles implements ActivityStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The newest first, at most so many. What cannot be read, from another version, is left out. */
  async load(most: number): Promise<ActivityEntry[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = names
      .map((name) => path.basename(name, '.json'))
      .filter((id, i) => id !== names[i] && v.is(activityId, id))
      .sort()
      .reverse();
    await this.remove(ids.slice(most));
    await this.#forgetClaims(names);
    const found = await mapBounded(ids.slice(0, most), filesReadAtOnce, (id) => this.#read(id));
    return found.filter((entry) => entry !== undefined);
  }

  async save(entry: ActivityEntry): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const file = this.#fileOf(entry.id);
    await writeFile(`${file}.new`, JSON.stringify(entry), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  /** By a file that only one process can make. */
  async claim(name: string): Promise<boolean> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    try {
      await writeFile(path.join(this.#folder, `${name}${claimed}`), '', {
        flag: 'wx',
        mode: 0o600,
      });
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) await rm(this.#fileOf(id), { force: true });
  }

  async #forgetClaims(names: readonly string[]): Promise<void> {
    for (const name of names.filter((each) => each.endsWith(claimed))) {
      const file = path.join(this.#folder, name);
      const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: 0 }));
      // What cannot be removed now is the next one's to remove.
      if (mtimeMs < Date.now() - claimLastsMs) await rm(file).catch(() => undefined);
    }
  }

  #fileOf(id: string): string {
    return path.join(this.#folder, `${id}.json`);
  }

  async #read(id: string): Promise<ActivityEntry | undefined> {
    try {
      const file = this.#fileOf(id);
      if ((await stat(file)).size > largestFile) return undefined;
      const parsed = v.safeParse(activityEntry, JSON.parse(await readFile(file, 'utf8')));
      return parsed.success && parsed.output.id === id
        ? (parsed.output as ActivityEntry)
        : undefined;
    } catch {
      return undefined;
    }
  }
}
