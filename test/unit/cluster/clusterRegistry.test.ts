import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../src/base/logger.ts';
import type { NewFacts } from '../../../src/cluster/activity/change.ts';
import { type ChangeLog, unlogged } from '../../../src/cluster/activity/changeLog.ts';
import { ClusterRegistry, type NewProfile } from '../../../src/cluster/clusterRegistry.ts';
import type { ClusterProfile } from '../../../src/cluster/model.ts';
import { secretKey } from '../../../src/cluster/connections/profileSecrets.ts';

interface TestRegistry {
  readonly registry: ClusterRegistry;
  readonly saved: () => readonly ClusterProfile[];
  readonly secrets: Map<string, string>;
}

function newRegistry(changes: ChangeLog = unlogged): TestRegistry {
  let saved: readonly ClusterProfile[] = [];
  const secrets = new Map<string, string>();
  const registry = new ClusterRegistry({
    profiles: {
      load: () => saved,
      save: (profiles) => {
        saved = profiles;
        return Promise.resolve();
      },
    },
    secrets: {
      get: (key) => Promise.resolve(secrets.get(key)),
      set: (key, secret) => Promise.resolve(void secrets.set(key, secret)),
      delete: (key) => Promise.resolve(void secrets.delete(key)),
    },
    changes,
    logger: silentLogger,
  });
  return { registry, saved: () => saved, secrets };
}

const staging: NewProfile = { name: 'staging', bootstrap: ['kafka:9093'], readOnly: true };
const secure: NewProfile = {
  ...staging,
  security: {
    protocol: 'SASL_SSL',
    tls: { checkHostName: true },
    sasl: { mechanism: 'SCRAM-SHA-512', username: 'alice' },
  },
};

describe('the registry of clusters', () => {
  it('adds, edits and removes a connection, and tells each time [B1]', async () => {
    const { registry, saved } = newRegistry();
    let changes = 0;
    registry.onDidChange(() => changes++);
    const { id } = await registry.add(staging);
    await registry.edit(id, { ...staging, readOnly: false });
    assert.deepEqual(saved(), [{ ...staging, id, kind: 'remote', readOnly: false }]);
    await registry.remove(id);
    assert.deepEqual(saved(), []);
    assert.equal(changes, 3);
  });

  it('keeps secrets in the secret store, and nothing of them in the profile [B3]', async () => {
    const { registry, saved, secrets } = newRegistry();
    const { id } = await registry.add(secure, { password: 'wonderland' });
    assert.deepEqual(await registry.secrets(id), { password: 'wonderland' });
    assert.ok(!JSON.stringify(saved()).includes('wonderland'));
    assert.deepEqual([...secrets.keys()], [secretKey(id)]);
  });

  it('keeps a secret over an edit that does not give it anew [B3]', async () => {
    const { registry } = newRegistry();
    const { id } = await registry.add(secure, { password: 'wonderland' });
    await registry.edit(id, { ...secure, name: 'stage' });
    assert.deepEqual(await registry.secrets(id), { password: 'wonderland' });
    await registry.edit(id, secure, { secrets: { password: 'looking-glass' } });
    assert.deepEqual(await registry.secrets(id), { password: 'looking-glass' });
    await registry.edit(id, secure, { secrets: {} });
    assert.deepEqual(await registry.secrets(id), {});
  });

  it('forgets a secret that the connection has no more use for [B3]', async () => {
    const { registry, secrets } = newRegistry();
    const { id } = await registry.add(secure, { password: 'wonderland' });
    await registry.edit(id, staging);
    assert.equal(secrets.size, 0);
  });

  it('keeps no secret that the connection has no use for [B3]', async () => {
    const { registry, secrets } = newRegistry();
    await registry.add(staging, { password: 'wonderland', privateKey: 'PEM' });
    assert.equal(secrets.size, 0);
  });

  it('forgets the secrets of a connection that is removed [B3]', async () => {
    const { registry, secrets } = newRegistry();
    const { id } = await registry.add(secure, { password: 'wonderland' });
    await registry.remove(id);
    assert.equal(secrets.size, 0);
  });

  it('says that a password is missing, before anything is sent [B3]', async () => {
    const { registry } = newRegistry();
    const { id } = await registry.add(secure);
    await assert.rejects(registry.session(id)?.connect() ?? Promise.resolve(), {
      message: 'the password of alice is not on this machine',
    });
  });

  it('makes a new session after an edit, and none after a removal [B1]', async () => {
    const { registry } = newRegistry();
    const { id } = await registry.add(staging);
    const before = registry.session(id);
    assert.equal(registry.session(id), before);
    await registry.edit(id, { ...staging, bootstrap: ['kafka:9094'] });
    const after = registry.session(id);
    assert.notEqual(after, before);
    assert.deepEqual(after?.profile.bootstrap, ['kafka:9094']);
    await registry.remove(id);
    assert.equal(registry.session(id), undefined);
  });

  const refused: [string, Partial<NewProfile>, RegExp][] = [
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

  it('tells the list of changes what a connection was, without its secrets, and takes it back from there [B1] [B3]', async () => {
    const told: NewFacts[] = [];
    const changes: ChangeLog = {
      run: (request, work) =>
        unlogged.run(request, ({ signal }) => work({ signal, note: (facts) => told.push(facts) })),
    };
    const { registry, saved } = newRegistry(changes);
    const added = await registry.add(secure, { password: 'wonderland' });
    await registry.edit(added.id, { ...secure, name: 'stage' });
    await registry.edit(added.id, { ...secure, name: 'stage' }, { secrets: { password: 'glass' } });
    await registry.remove(added.id);
    const [, edited, sameAgain, removed] = told.map(({ undo }) => undo);
    const left = { ...added, name: 'stage' };
    assert.deepEqual(edited, { kind: 'connection', before: added, left });
    assert.equal(sameAgain, undefined);
    assert.deepEqual(removed, { kind: 'connection', before: left });
    assert.doesNotMatch(JSON.stringify(told), /wonderland|glass/);
    const undoes = { id: '000000000000001-x', title: 'Remove' };
    await registry.restore(left, undoes);
    assert.deepEqual(saved(), [left]);
    assert.deepEqual(await registry.secrets(added.id), {});
    await assert.rejects(registry.restore(left, undoes), /stage is there already/);
  });
});
