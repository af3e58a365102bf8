import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../../src/base/logger.ts';
import { BrokerConfig } from '../../../../../src/broker/config/brokerConfigs.ts';
import { AclStore } from '../../../../../src/broker/security/authorizer/aclStore.ts';
import { authorizerOf } from '../../../../../src/broker/security/authorizer/authorizerOf.ts';

const name = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer';

const authorizer = (superUsers: string, more: Readonly<Record<string, string>> = {}) => {
  const text = { 'authorizer.class.name': name, 'super.users': superUsers, ...more };
  const config = new BrokerConfig(text);
  return authorizerOf(config, () => new AclStore(), silentLogger);
};

describe('super.users', () => {
  const names: [text: string, principal: string, isSuper: boolean][] = [
    ['User:alice', 'User:alice', true],
    [' ; User:bob ;User:CN=a,O=b\\;', 'User:bob', true],
    ['User:CN=a,O=b', 'User:CN=a,O=b', true],
    ['User:alice', 'User:Alice', false],
    ['User:a:b', 'User:a:b', true],
    // Who shows a certificate without a name, and nobody at all.
    ['User:', 'User:', true],
    [':x', 'User:x', false],
    ['Group:x', 'User:x', false],
    // Java leaves this blank where it is.
    ['User:x\u00a0', 'User:x', false],
  ];
  for (const [text, principal, isSuper] of names)
    it(`[A9] are ${isSuper ? '' : 'not '}"${principal}" by "${text}"`, () => {
      const action = { operation: 8, resourceType: 2, resourceName: 'orders' };
      assert.equal(authorizer(text)?.isAllowed({ principal, host: '127.0.0.1' }, action), isSuper);
    });

  it('[A9] have a type and a name', () => {
    assert.throws(
      () => authorizer('User:a;alice'),
      /Invalid value .* for configuration super\.users/,
    );
  });

  it('[A9] are not looked at where nobody asks', () => {
    assert.equal(authorizer('alice', { 'authorizer.class.name': '' }), undefined);
  });
});

describe('allow.everyone.if.no.acl.found', () => {
  for (const [text, isAllowed] of [
    ['true', true],
    [' TRUE ', true],
    ['yes', false],
    ['', false],
  ] as const)
    // prettier-ignore
    it(`[A9] is ${isAllowed} where it says "${text}"`, () => {
      const action = { operation: 8, resourceType: 2, resourceName: 'orders' };
      const found = authorizer('', { 'allow.everyone.if.no.acl.found': text });
      assert.equal(found?.isAllowed({ principal: 'User:x', host: '127.0.0.1' }, action), isAllowed);
    });
});
