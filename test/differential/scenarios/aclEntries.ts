// ACLs as such: made, shown, deleted, refused.
import {
  aclOf,
  type Creation,
  filterOf,
  operations,
  patterns,
  permissionTypes,
  resources,
} from '../support/aclRequests.ts';
import { grant } from '../support/aclRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';
import { users } from '../support/sides.ts';

const [owner = '', other = '', guest = ''] = users;

/** Entries whose names nobody else uses. */
function variety(name: string): Creation[] {
  return [
    aclOf(owner, 'read', name),
    aclOf(owner, 'read', name, { permission: 'deny' }),
    aclOf(owner, 'read', name, { host: '127.0.0.1' }),
    aclOf(owner, 'write', name, { pattern: 'prefixed' }),
    aclOf(owner, 'all', name.slice(0, -1), { pattern: 'prefixed' }),
    aclOf(other, 'describe', name, { resource: 'group' }),
    aclOf(owner, 'twoPhaseCommit', name, { resource: 'transactionalId' }),
    aclOf(owner, 'createTokens', `User:${name}`, { resource: 'user' }),
    aclOf(owner, 'read', name, { host: '10.0.0.0/8' }),
    aclOf(owner, 'read', name, { host: 'fd00::/8' }),
    aclOf(owner, 'alter', 'kafka-cluster', { resource: 'cluster' }),
  ];
}

async function shown(run: Run, principal: string, count: number): Promise<void> {
  await run.until(
    ['describeAcls', 3, filterOf(principal)],
    ({ resources: found }) => found.reduce((sum, { acls }) => sum + acls.length, 0) === count,
  );
}

export const aclEntryScenarios: Scenarios = {
  async 'ACLs are made, shown and deleted'(run) {
    const name = run.fresh('name');
    const all = variety(name);
    const own = all.filter(({ principal }) => principal === `User:${owner}`).length;
    for (const version of run.versions('createAcls')) {
      // Twice in a request, and once more than they are there.
      await run.ask('createAcls', version, { creations: [...all, ...all] });
      await run.ask('createAcls', version, { creations: all });
      await shown(run, `User:${owner}`, own);
      const filters = [
        filterOf(`User:${owner}`),
        filterOf(null, { resourceNameFilter: name }),
        filterOf(null, { resourceNameFilter: name, patternTypeFilter: patterns.literal }),
        filterOf(null, { resourceNameFilter: name, patternTypeFilter: patterns.prefixed }),
        filterOf(null, { resourceNameFilter: name, patternTypeFilter: patterns.match }),
        filterOf(null, {
          resourceTypeFilter: resources.topic,
          resourceNameFilter: `${name}-and-more`,
          patternTypeFilter: patterns.match,
        }),
        filterOf(`User:${owner}`, { operation: operations.read }),
        filterOf(`User:${owner}`, { permissionType: permissionTypes.deny }),
        filterOf(`User:${owner}`, { hostFilter: '127.0.0.1' }),
        filterOf(`User:${owner}`, { resourceTypeFilter: resources.user }),
        filterOf('User:nobody'),
      ];
      for (const each of run.versions('describeAcls'))
        for (const filter of filters) await run.ask('describeAcls', each, filter);
      await run.ask('deleteAcls', version, {
        filters: [
          filterOf(`User:${owner}`, { operation: operations.read }),
          filterOf(`User:${owner}`, { operation: operations.read, hostFilter: '*' }),
          filterOf(null, { resourceNameFilter: name, patternTypeFilter: patterns.match }),
          filterOf('User:nobody'),
        ],
      });
      await run.ask('deleteAcls', version, { filters: [filterOf(`User:${owner}`)] });
      await run.ask('deleteAcls', version, { filters: [filterOf(`User:${other}`)] });
      await shown(run, `User:${owner}`, 0);
      await shown(run, `User:${other}`, 0);
    }
  },

  async 'what is no ACL is refused, and keeps nothing else'(run) {
    const name = run.fresh('name');
    const right = aclOf(guest, 'read', name);
    const wrong: Record<string, Partial<Creation>> = {
      'no name': { resourceName: '' },
      'another cluster': { resourceType: resources.cluster },
      'no principal': { principal: 'nobody' },
      'an empty principal': { principal: '' },
      'a principal without a name': { principal: 'User:' },
      'no host': { host: '' },
      'a host that is none': { host: 'no such host' },
      'too many bits': { host: '10.0.0.0/33' },
      'bits of nothing': { host: 'x/8' },
      'no bits': { host: '10.0.0.0/' },
      'an unknown resource': { resourceType: 99 },
      'an unknown pattern': { resourcePatternType: 99 },
      'an unknown operation': { operation: 99 },
      'an unknown permission': { permissionType: 99 },
    };
    for (const [label, part] of Object.entries(wrong)) {
      const creations = [{ ...right, ...part }, aclOf(guest, 'describe', name)];
      await run.last('createAcls', { creations }, { label });
    }
    const anys: Record<string, Partial<Creation>> = {
      'any resource': { resourceType: resources.any },
      'any pattern': { resourcePatternType: patterns.any },
      'a pattern to match': { resourcePatternType: patterns.match },
      'any operation': { operation: operations.any },
      'any permission': { permissionType: permissionTypes.any },
    };
    for (const [label, part] of Object.entries(anys))
      await run.closing('createAcls', 3, { creations: [{ ...right, ...part }] }, label);
    await run.ask('deleteAcls', 3, { filters: [filterOf(`User:${guest}`)] });
    await shown(run, `User:${guest}`, 0);
  },

  async 'no more than ten thousand are made at once'(run) {
    const creations = Array.from({ length: 10_001 }, (_, i) => aclOf(guest, 'read', `t-${i}`));
    const { results } = await run.prepare('createAcls', 3, { creations });
    const errorCodes = new Set(results.map(({ errorCode }) => errorCode));
    run.note('createAcls', 3, { results: [...errorCodes].map((errorCode) => ({ errorCode })) });
    await run.last('describeAcls', filterOf(`User:${guest}`));
  },

  async 'numbers of nothing in filters'(run) {
    const none = 0;
    const parts = [
      { resourceTypeFilter: none },
      { patternTypeFilter: none },
      { operation: none },
      { permissionType: none },
      { resourceTypeFilter: 99 },
      { patternTypeFilter: 99 },
      { operation: 99 },
      { permissionType: 99 },
    ];
    for (const part of parts) {
      const label = JSON.stringify(part);
      await run.closing('describeAcls', 3, filterOf('User:nobody', part), label);
      const filters = [filterOf('User:nobody', part), filterOf('User:nobody')];
      await run.closing('deleteAcls', 3, { filters }, label);
    }
    const unknown = { ...aclOf(guest, 'read', 'a'), operation: none };
    await run.closing('createAcls', 3, { creations: [unknown] });
    await run.last('createAcls', { creations: [] });
    await run.last('deleteAcls', { filters: [] });
  },

  async 'who may not, neither sees nor changes ACLs'(run) {
    const on = await run.connectAs(guest);
    for (const version of run.versions('createAcls')) {
      const acl = aclOf(guest, 'read', 'a');
      await run.ask('createAcls', version, { creations: [acl, acl] }, { on });
      await run.ask('deleteAcls', version, { filters: [filterOf(null)] }, { on });
      await run.ask('describeAcls', version, filterOf(null), { on });
    }
    await grant(run, [aclOf(guest, 'alter', 'kafka-cluster', { resource: 'cluster' })]);
    const mine = filterOf(`User:${guest}`);
    await run.last('describeAcls', mine, { on });
    await run.last('deleteAcls', { filters: [mine] }, { on });
  },
};
