import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { run } from '../../support/process.ts';

const STAGES = path.join(import.meta.dirname, '../../support/stages.mjs');

describe('the runner of test stages', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'stages-'))));
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs one stage per entry: the text of its only test file, or nothing for a stage without any. */
  async function stagesOf(tests: Record<string, string>, limitMinutes = 1, more = {}) {
    const stages: string[] = [];
    for (const [name, text] of Object.entries(tests)) {
      await mkdir(path.join(folder, name));
      if (text) await writeFile(path.join(folder, name, 'a.test.mjs'), text);
      const glob = path.join(folder, name, '*.test.mjs');
      stages.push(`suite('${name}', ${limitMinutes}, '${glob}', ${JSON.stringify(more)})`);
    }
    const script = `import { runStages, suite } from ${JSON.stringify(STAGES)};
      await runStages([${stages.join()}], []);`;
    const { code, stdout } = await run(process.execPath, ['--input-type=module', '-e', script]);
    return { code, closing: stdout.trimEnd().split('\n').at(-1), stdout };
  }

  it('adds up its stages and closes with the count', async () => {
    const { code, closing } = await stagesOf({
      one: `it('a', () => {}); it('b', () => {});`,
      two: `it('c', () => {});`,
    });
    assert.deepEqual({ code, closing }, { code: 0, closing: '3 passed, 0 failed' });
  });

  it('runs the later stages after a failure', async () => {
    const { code, closing } = await stagesOf({
      one: `it('a', () => { throw new Error('no'); });`,
      two: `it('b', () => {});`,
    });
    assert.deepEqual({ code, closing }, { code: 1, closing: '1 passed, 1 failed' });
  });

  for (const [trouble, text, said] of [
    ['has no test file', '', 'no test matches'],
    ['has a file without a test', 'export {};', 'no test ran'],
    ['ends its process', `it('a', () => process.exit(0));`, 'no test ran'],
    ['crashes its process', `it('a', () => process.abort());`, 'ended with SIGABRT'],
    ['does not load', `import './missing.mjs';`, 'ended with code 1'],
  ] as const)
    it(`counts a stage that ${trouble} as failed`, async () => {
      const { code, closing, stdout } = await stagesOf({ one: text });
      assert.deepEqual({ code, closing }, { code: 1, closing: '0 passed, 1 failed' });
      assert.ok(stdout.includes(said), stdout);
    });

  it('names at the end what failed, and why', async () => {
    const { stdout } = await stagesOf({ one: `it('a', () => { throw new Error('no\\nway'); });` });
    assert.ok(stdout.includes('FAILED one: 1 failed\n  a: no way\n0 passed, 1 failed'), stdout);
  });

  /** Fails in its first run only. */
  const failsOnce = (mark: string) => `import { existsSync, writeFileSync } from 'node:fs';
    it('a', () => {
      if (existsSync('${mark}')) return;
      writeFileSync('${mark}', '');
      throw new Error('not yet');
    });
    it('b', () => {});`;

  it('runs a failed file of a repeatable stage once more, and says which test was unsteady', async () => {
    const tests = { one: failsOnce(path.join(folder, 'mark')) };
    const { code, closing, stdout } = await stagesOf(tests, 1, { repeatable: true });
    assert.deepEqual({ code, closing }, { code: 0, closing: '2 passed, 0 failed' });
    assert.ok(stdout.includes('UNSTEADY  a: not yet'), stdout);
  });

  it('fails what fails twice, and any other stage at once', async () => {
    const broken = { one: `it('a', () => { throw new Error('no'); }); it('b', () => {});` };
    const twice = await stagesOf(broken, 1, { repeatable: true });
    assert.deepEqual([twice.code, twice.closing], [1, '1 passed, 1 failed']);
    const once = await stagesOf({ two: failsOnce(path.join(folder, 'mark')) });
    assert.deepEqual([once.code, once.closing], [1, '1 passed, 1 failed']);
  });

  it('cuts off a stage that never ends', async () => {
    const { code, closing, stdout } = await stagesOf(
      { one: `setInterval(() => {}, 1000); it('a', () => {});` },
      0.03,
    );
    assert.deepEqual({ code, closing }, { code: 1, closing: '1 passed, 1 failed' });
    assert.match(stdout, /cut off after 0.03 min/);
  });
});
