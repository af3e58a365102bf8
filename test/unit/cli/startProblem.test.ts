import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startProblem } from '../../../src/cli/startProblem.ts';
import { dataDirectoryProblem } from '../../../src/broker/control/lockFile.ts';
import { FileSystemError } from '../../../src/storage/fileSystem.ts';
import { storageFailure } from '../../../src/storage/logTrouble.ts';

const words = { port: '--port', host: '--host', configs: '--set' };

describe('why a cluster does not start', () => {
  it('[A15] is the full disk, where one is behind it, and that some space is to be freed', async () => {
    const full = new FileSystemError(
      'ENOSPC',
      '/data/clock.json',
      'write /data/clock.json: ENOSPC',
    );
    for (const error of [full, storageFailure('/data/controller', full)]) {
      const said = await startProblem(error, words);
      assert.match(said, /^the disk is full, .*Free some space.*\/data\//);
    }
  });

  it('[A15] is the full disk also where the directory cannot be taken', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
    });
    assert.match(
      await startProblem(dataDirectoryProblem('/data', full), words),
      /^the data directory \/data is on a full disk: ENOSPC.*\. Free some space there, or choose another/,
    );
  });

  it('is what the error says, where nothing is known of it', async () => {
    assert.equal(await startProblem(new Error('no such luck'), words), 'no such luck');
  });
});
