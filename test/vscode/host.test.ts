import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { runHostTests } from '../support/vscode/hostTests.ts';

describe('inside the extension host', function () {
  this.timeout(150_000);

  it('activates, contributes and serves the tree as declared', async () => {
    const { failed, passed } = await runHostTests({
      vsix: path.join(import.meta.dirname, '../../kafka-workbench.vsix'),
      files: [path.join(import.meta.dirname, 'host/extension.host.ts')],
      settings: { 'kafkaWorkbench.embedded.port': 0 },
    });
    assert.deepEqual(failed, []);
    assert.equal(passed.length, 5);
  });
});
