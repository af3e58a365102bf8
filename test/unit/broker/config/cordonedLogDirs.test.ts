import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { startCluster } from '../../../../src/embedded.ts';

const cordoned = 'cordoned.log.dirs';

describe('The log directory of a broker that starts', () => {
  it('[C7] is the only one that can be cordoned', async () => {
    for (const list of ['/nowhere', '*,*', '*,/nowhere'])
      await assert.rejects(
        startCluster({ configs: { [cordoned]: list } }),
        /cordoned\.log\.dirs: .+ is none of log\.dirs/,
        list,
      );
    const cluster = await startCluster({ configs: { [cordoned]: '*' } });
    await cluster.stop();
  });
});
