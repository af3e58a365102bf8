import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { batches, batchHeaderBytes } from '../../../src/protocol/records/recordBatch.ts';

const XERIAL_MARK = Buffer.from('82534e4150505900', 'hex');

/** How the batches of a partition are compressed in its log: `lz4`, or `snappy (xerial)`. One way only. */
export async function codecOnDisk(dataDir: string, folder: string): Promise<string> {
  const [log] = globSync(`**/${folder}/00000000000000000000.log`, { cwd: dataDir });
  assert.ok(log, `there is no log of ${folder}`);
  const seen = new Set<string>();
  for (const { header, bytes } of batches(await readFile(path.join(dataDir, log)))) {
    const records = bytes.subarray(batchHeaderBytes);
    const isFramed = records.subarray(0, XERIAL_MARK.length).equals(XERIAL_MARK);
    const framing = header.compression === 'snappy' ? ` (${isFramed ? 'xerial' : 'raw'})` : '';
    seen.add(header.compression + framing);
  }
  return [...seen].join(' and ');
}
