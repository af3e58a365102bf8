import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { runHostTests } from '../support/vscode/hostTests.ts';

const VSIX = path.join(import.meta.dirname, '../../kafka-workbench.vsix');
const MAX_BYTES = 3_000_000;

describe('the packed extension', function () {
  this.timeout(180_000);

  it('[K5] is smaller than 3 MB', async () => {
    const { size } = await stat(VSIX);
    assert.ok(size > 0 && size < MAX_BYTES, `${size} bytes`);
  });

  it('passes its tests inside the extension host', async () => {
    const files = globSync(path.join(import.meta.dirname, 'host/*.host.ts')).sort();
    const { passed, failed } = await runHostTests({
      vsix: VSIX,
      files,
      settings: { 'kafkaWorkbench.embedded.port': 0 },
    });
    assert.deepEqual(failed, []);
    assert.ok(passed.length > 0);
  });
});
