import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makeDirectory } from '../../../src/base/makeDirectory.ts';

describe('a directory that is made', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(path.join(tmpdir(), 'make-'));
  });
  afterEach(() => rm(root, { recursive: true }));

  it('is made with those above it, and tells the first of them', async () => {
    assert.equal(await makeDirectory(path.join(root, 'a/b/c')), path.join(root, 'a'));
    assert.equal(await makeDirectory(path.join(root, 'a/b/d')), path.join(root, 'a/b/d'));
    assert.equal(await makeDirectory(path.join(root, 'a/b')), undefined);
  });

  it('is made, whenever somebody else makes the one above it', async () => {
    for (let round = 0; round < 60; round++) {
      const above = path.join(root, `${round}/x/y`);
      const others = async (): Promise<void> => {
        for (let waits = 0; waits < round % 6; waits++) await stat(root);
        await mkdir(above, { recursive: true });
      };
      await Promise.all([makeDirectory(path.join(above, 'z')), others()]);
      assert.ok((await stat(path.join(above, 'z'))).isDirectory());
    }
  });

  it('fails below a file, and where the file system has no directories made', async () => {
    await writeFile(path.join(root, 'file'), '');
    await assert.rejects(makeDirectory(path.join(root, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeDirectory(path.join(root, 'file/a')), { code: 'ENOTDIR' });
    if (process.platform === 'linux') await assert.rejects(makeDirectory('/proc/a/b'));
  });
});
