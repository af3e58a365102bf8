import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { askVersions } from '../../../src/client/apiVersions.ts';
import { version } from '../../../src/version.ts';

describe('asking a broker for its versions', () => {
  it('says who asks, with the version of the product (KIP-511)', async () => {
    const asked: object[] = [];
    await askVersions((body) => {
      asked.push(body);
      return Promise.reject(new Error('enough'));
    }).catch(() => undefined);
    assert.deepEqual(asked, [
      { clientSoftwareName: 'kafka-workbench', clientSoftwareVersion: version },
    ]);
  });
});
