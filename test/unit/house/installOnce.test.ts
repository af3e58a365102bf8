import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { installOnce } from '../../../.ci/installOnce.ts';

describe('installOnce', () => {
  let folder: string;
  const before = process.env['KAFKA_WORKBENCH_CACHE'];

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'cache-'));
    process.env['KAFKA_WORKBENCH_CACHE'] = folder;
  });
  afterEach(async () => {
    if (before === undefined) delete process.env['KAFKA_WORKBENCH_CACHE'];
    else process.env['KAFKA_WORKBENCH_CACHE'] = before;
    await rm(folder, { recursive: true });
  });

  it('installs once for callers that come together, and not again', async () => {
    let installs = 0;
    const install = async (draft: string) => {
      installs++;
      await writeFile(path.join(draft, 'it'), 'complete');
    };
    const places = await Promise.all([
      installOnce('thing', install),
      installOnce('thing', install),
    ]);
    assert.deepEqual(places, [path.join(folder, 'thing'), path.join(folder, 'thing')]);
    assert.equal(await readFile(path.join(folder, 'thing', 'it'), 'utf8'), 'complete');
    await installOnce('thing', install);
    assert.equal(installs, 1);
    assert.deepEqual(await readdir(folder), ['thing']);
  });

  it('leaves nothing under the final name when the install fails, and can be tried again', async () => {
    const failing = async (draft: string) => {
      await writeFile(path.join(draft, 'it'), 'half');
      throw new Error('no network');
    };
    await assert.rejects(installOnce('thing', failing), /no network/);
    assert.equal(existsSync(path.join(folder, 'thing')), false);
    await installOnce('thing', () => Promise.resolve());
    assert.deepEqual(await readdir(path.join(folder, 'thing')), []);
  });

  it('takes over the lock and removes the draft of a process that died', async () => {
    const deadPid = 2 ** 22 + 1; // beyond the largest pid of Linux
    await writeFile(path.join(folder, 'thing.lock'), String(deadPid));
    await writeFile(path.join(folder, `thing.${deadPid}.draft`), '');
    await installOnce('thing', () => Promise.resolve());
    assert.deepEqual(await readdir(folder), ['thing']);
  });
});
