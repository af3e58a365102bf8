// Pages under docs/ that tests write, so that they cannot say what is not so.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import prettier from 'prettier';

const docs = path.join(import.meta.dirname, '../../docs');

/** Fails if `docs/<name>` says something else; with KAFKA_WORKBENCH_REWRITE set, rewrites it. */
export async function checkPage(name: string, text: string): Promise<void> {
  const file = path.join(docs, name);
  const page = await prettier.format(text, { parser: 'markdown', printWidth: 100 });
  if (process.env['KAFKA_WORKBENCH_REWRITE'] !== undefined) await writeFile(file, page);
  const kept = await readFile(file, 'utf8').catch(() => '');
  assert.equal(
    kept,
    page,
    `docs/${name} is out of date: run this test with KAFKA_WORKBENCH_REWRITE=1`,
  );
}
