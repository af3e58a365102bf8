import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../../src/base/logger.ts';
import { BrokerConfig } from '../../../../../src/broker/config/brokerConfigs.ts';
import { AclStore } from '../../../../../src/broker/security/authorizer/aclStore.ts';
import { authorizerOf } from '../../../../../src/broker/security/authorizer/authorizerOf.ts';

const authorizer = (superUsers: string) => {
  const name = 'org.apache.kafka.metadata.authorizer.StandardAuthorizer';
  const config = new BrokerConfig({ 'authorizer.class.name': name, 'super.users': superUsers });
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
});
