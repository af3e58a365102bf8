import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../src/base/logger.ts';
import { ClusterRegistry, secretKey } from '../../../src/cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../../../src/cluster/model.ts';

function newRegistry(): {
  registry: ClusterRegistry;
  saved: () => readonly ClusterProfile[];
  deletedSecrets: string[];
} {
  let saved: readonly ClusterProfile[] = [];
  const deletedSecrets: string[] = [];
  const registry = new ClusterRegistry({
    profiles: {
      load: () => saved,
      save: (profiles) => {
        saved = profiles;
        return Promise.resolve();
      },
    },
    secrets: {
      get: () => Promise.resolve(undefined),
      set: () => Promise.resolve(),
      delete: (key) => {
        deletedSecrets.push(key);
        return Promise.resolve();
      },
    },
    logger: silentLogger,
  });
  return { registry, saved: () => saved, deletedSecrets };
}

const staging = { name: 'staging', bootstrap: ['kafka:9093'], readOnly: true };

describe('the registry of clusters', () => {
  it('adds, edits and removes a connection, and tells each time [B1]', async () => {
    const { registry, saved } = newRegistry();
    let changes = 0;
    registry.onDidChange(() => changes++);
    const { id } = await registry.add(staging);
    await registry.edit(id, { readOnly: false });
    assert.deepEqual(saved(), [{ ...staging, id, kind: 'remote', readOnly: false }]);
    await registry.remove(id);
    assert.deepEqual(saved(), []);
    assert.equal(changes, 3);
  });

  it('forgets the secrets of a connection that is removed [B3]', async () => {
    const { registry, deletedSecrets } = newRegistry();
    const { id } = await registry.add(staging);
    await registry.remove(id);
    assert.deepEqual(deletedSecrets, [secretKey(id)]);
  });

  it('makes a new session after an edit, and none after a removal [B1]', async () => {
    const { registry } = newRegistry();
    const { id } = await registry.add(staging);
    const before = registry.session(id);
    assert.equal(registry.session(id), before);
    await registry.edit(id, { bootstrap: ['kafka:9094'] });
    const after = registry.session(id);
    assert.notEqual(after, before);
    assert.deepEqual(after?.profile.bootstrap, ['kafka:9094']);
    await registry.remove(id);
    assert.equal(registry.session(id), undefined);
  });

  const refused: [string, Partial<typeof staging>, RegExp][] = [
    ['without a name', { name: ' ' }, /needs a name/],
    ['under a name that is taken', {}, /named staging already/],
    ['without an address', { name: 'b', bootstrap: [] }, /needs an address/],
    ['with an address that cannot be read', { name: 'b', bootstrap: ['kafka'] }, /host:port/],
  ];
  for (const [what, change, words] of refused) {
    it(`refuses a connection ${what}, and keeps nothing of it [B1]`, async () => {
      const { registry, saved } = newRegistry();
      await registry.add(staging);
      await assert.rejects(registry.add({ ...staging, ...change }), words);
      assert.equal(saved().length, 1);
    });
  }
});
