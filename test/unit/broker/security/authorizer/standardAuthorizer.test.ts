import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Acl } from '../../../../../src/broker/security/authorizer/acl.ts';
import {
  type AclOperation,
  aclOperations,
  aclResources,
  patternTypes,
  permissions,
} from '../../../../../src/broker/security/authorizer/aclCodes.ts';
import { AclStore } from '../../../../../src/broker/security/authorizer/aclStore.ts';
import { StandardAuthorizer } from '../../../../../src/broker/security/authorizer/standardAuthorizer.ts';

type Words = readonly [
  permission: 'allow' | 'deny',
  operation: keyof typeof aclOperations,
  pattern: 'literal' | 'prefixed',
  name: string,
  principal?: string,
  host?: string,
];

function acl([permission, operation, pattern, resourceName, principal, host]: Words): Acl {
  return {
    resourceType: aclResources.topic,
    resourceName,
    patternType: patternTypes[pattern],
    principal: principal ?? 'User:alice',
    host: host ?? '*',
    operation: aclOperations[operation],
    permissionType: permissions[permission],
  };
}

function storeOf(acls: readonly Words[]): AclStore {
  const store = new AclStore();
  for (const [index, words] of acls.entries()) store.add(String(index), acl(words));
  return store;
}

const noRules = { superUsers: new Set<string>(), allowsWithoutAcls: false };

/** What alice may do with the topic `orders` from 10.0.0.7. */
function mayDo(acls: readonly Words[], operations: readonly AclOperation[], rules = noRules) {
  const store = storeOf(acls);
  const authorizer = new StandardAuthorizer(rules, () => store);
  const client = { principal: 'User:alice', host: '10.0.0.7' };
  return operations.filter((operation) =>
    authorizer.isAllowed(client, {
      operation: aclOperations[operation],
      resourceType: aclResources.topic,
      resourceName: 'orders',
    }),
  );
}

const read: readonly AclOperation[] = ['read'];

describe('the authorizer', () => {
  const cases: Record<string, { acls: readonly Words[]; may: boolean }> = {
    'nothing allows': { acls: [], may: false },
    'its name allows': { acls: [['allow', 'read', 'literal', 'orders']], may: true },
    'another name allows': { acls: [['allow', 'read', 'literal', 'order']], may: false },
    'a beginning allows': { acls: [['allow', 'read', 'prefixed', 'ord']], may: true },
    'a beginning that is longer allows': {
      acls: [['allow', 'read', 'prefixed', 'orders-']],
      may: false,
    },
    'the wildcard allows': { acls: [['allow', 'all', 'literal', '*']], may: true },
    'another operation is allowed': { acls: [['allow', 'write', 'literal', 'orders']], may: false },
    'somebody else is allowed': {
      acls: [['allow', 'read', 'literal', 'orders', 'User:bob']],
      may: false,
    },
    'everybody is allowed': {
      acls: [['allow', 'read', 'literal', 'orders', 'User:*']],
      may: true,
    },
    'it is allowed from here': {
      acls: [['allow', 'read', 'literal', 'orders', 'User:alice', '10.0.0.0/24']],
      may: true,
    },
    'it is allowed from elsewhere': {
      acls: [['allow', 'read', 'literal', 'orders', 'User:alice', '10.0.1.0/24']],
      may: false,
    },
    'the name allows and a beginning denies': {
      acls: [
        ['allow', 'read', 'literal', 'orders'],
        ['deny', 'read', 'prefixed', 'o'],
      ],
      may: false,
    },
    'the wildcard allows and everybody is denied': {
      acls: [
        ['allow', 'read', 'literal', '*'],
        ['deny', 'all', 'literal', 'orders', 'User:*'],
      ],
      may: false,
    },
    'the name allows and somebody else is denied': {
      acls: [
        ['allow', 'read', 'literal', 'orders'],
        ['deny', 'read', 'literal', 'orders', 'User:bob'],
      ],
      may: true,
    },
  };
  for (const [title, { acls, may }] of Object.entries(cases))
    it(`[A9] ${may ? 'lets' : 'does not let'} a client read where ${title}`, () => {
      assert.deepEqual(mayDo(acls, read), may ? read : []);
    });

  it('[A9] has what is allowed bring DESCRIBE and DESCRIBE_CONFIGS, and a denial deny nothing else', () => {
    const asked: readonly AclOperation[] = ['describe', 'describeConfigs'];
    for (const operation of ['read', 'write', 'delete', 'alter'] as const) {
      assert.deepEqual(mayDo([['allow', operation, 'literal', 'orders']], asked), ['describe']);
    }
    assert.deepEqual(mayDo([['allow', 'alterConfigs', 'literal', 'orders']], asked), [
      'describeConfigs',
    ]);
    assert.deepEqual(mayDo([['allow', 'create', 'literal', 'orders']], asked), []);
    const denied: Words[] = [
      ['allow', 'all', 'literal', 'orders'],
      ['deny', 'read', 'literal', 'orders'],
    ];
    assert.deepEqual(mayDo(denied, [...asked, 'read', 'write']), [...asked, 'write']);
  });

  it('[A9] lets super users do everything, and everybody what no ACL is about if it is told so', () => {
    const denied: Words[] = [['deny', 'all', 'literal', '*']];
    const superUsers = new Set(['User:alice']);
    assert.deepEqual(mayDo(denied, read, { ...noRules, superUsers }), read);
    const open = { ...noRules, allowsWithoutAcls: true };
    assert.deepEqual(mayDo([], read, open), read);
    assert.deepEqual(mayDo([['allow', 'write', 'literal', 'invoices']], read, open), read);
    assert.deepEqual(mayDo([['allow', 'write', 'literal', 'orders']], read, open), []);
  });

  it('[A9] knows whether there may be a topic that a producer can write to', () => {
    const mayWriteSome = (...acls: Words[]): boolean => {
      const store = storeOf(acls);
      const client = { principal: 'User:alice', host: '10.0.0.7' };
      const authorizer = new StandardAuthorizer(noRules, () => store);
      return authorizer.isAllowedOnSome(client, aclOperations.write, aclResources.topic);
    };
    const one: Words = ['allow', 'write', 'literal', 'orders'];
    assert.equal(mayWriteSome(one), true);
    assert.equal(mayWriteSome(['allow', 'read', 'literal', 'orders']), false);
    assert.equal(mayWriteSome(one, ['deny', 'write', 'literal', 'orders']), false);
    assert.equal(mayWriteSome(one, ['deny', 'write', 'prefixed', 'or']), false);
    assert.equal(mayWriteSome(one, ['deny', 'write', 'prefixed', 'orders-']), true);
    assert.equal(mayWriteSome(one, ['deny', 'all', 'literal', '*']), false);
  });

  it('[A9] looks at no more than the ACLs of a name and of its beginnings, however many there are', () => {
    const store = new AclStore();
    for (let i = 0; i < 5000; i++) {
      store.add(`literal-${i}`, acl(['allow', 'read', 'literal', `orders-${i}`, `User:${i}`]));
      store.add(`prefixed-${i}`, acl(['allow', 'read', 'prefixed', `team-${i}-`, `User:${i}`]));
      store.add(`principal-${i}`, acl(['allow', 'read', 'literal', 'shared', `User:${i}`]));
    }
    const found = [...store.matching(aclResources.topic, 'team-4999-orders')];
    assert.deepEqual(found.map((pattern) => [...pattern.keys()]), [['User:4999']]); // prettier-ignore
    const [shared] = [...store.matching(aclResources.topic, 'shared')];
    assert.equal(shared?.get('User:77')?.size, 1);
    assert.equal(store.size, 15_000);
  });

  it('[A9] forgets what is removed, to the last trace', () => {
    const store = storeOf([
      ['allow', 'read', 'literal', 'orders'],
      ['allow', 'read', 'prefixed', 'ord'],
    ]);
    assert.equal(store.has(acl(['allow', 'read', 'literal', 'orders'])), true);
    for (const [id] of [...store.entries()]) store.remove(id);
    store.remove('unknown');
    assert.equal(store.has(acl(['allow', 'read', 'literal', 'orders'])), false);
    assert.deepEqual([...store.matching(aclResources.topic, 'orders')], []);
    assert.deepEqual([store.size, store.textLength], [0, 0]);
  });
});
