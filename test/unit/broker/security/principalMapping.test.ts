import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { principalMapping } from '../../../../src/broker/security/principalMapping.ts';

const service = 'CN=Orders,OU=Shop,O=Example,C=DE';

describe('A name in a certificate', () => {
  const mapped: [rules: string, name: string, user: string][] = [
    ['DEFAULT', service, service],
    ['RULE:^CN=(.*?),OU=Shop.*$/$1/', service, 'Orders'],
    ['RULE:^CN=(.*?),OU=Shop.*$/$1/L', service, 'orders'],
    ['RULE:^CN=(.*?),.*$/$1@x/U', service, 'ORDERS@X'],
    ['RULE:^CN=(.*?),OU=(.*?),O=(.*?),C=(.*)$/$2.$1/', service, 'Shop.Orders'],
    // The first that fits counts.
    ['RULE:^CN=nobody$/x/ , RULE:^.*O=Example.*$/example/,DEFAULT', service, 'example'],
    ['RULE:^CN=nobody$/x/,DEFAULT', service, service],
    // A slash in a pattern, and a group that there is not.
    ['RULE:^CN=(\\w+)\\/(\\w+)$/$1-$2-$3/', 'CN=a/b', 'a-b-$3'],
    ['RULE:CN=.*/\\$1/', 'CN=a', '$1'],
    // Java puts it in once more, for the nothing at the end.
    ['RULE:.*/x/', service, 'xx'],
  ];
  for (const [rules, name, user] of mapped)
    it(`[A9] becomes ${user} by ${rules}`, () => {
      assert.equal(principalMapping(rules)(name), user);
    });

  it('[A9] is nobody where no rule fits', () => {
    assert.throws(() => principalMapping('RULE:^CN=x$/y/')(service), /no rule of ssl\.principal/);
  });

  it('[A9] is nobody where a group is named by a number that is no int', () => {
    for (const digits of ['2147483648', '9'.repeat(400)]) {
      const nameOf = principalMapping(`RULE:CN=(.*)/$${digits}/`);
      assert.throws(() => nameOf('CN=kafka'), /names no group/);
    }
    assert.equal(principalMapping('RULE:CN=(.*)/$1147483647/')('CN=kafka'), 'kafka147483647');
  });

  it('[A9] is nobody by two groups that there are not, the second of which Java escapes in the wrong place', () => {
    for (const replacement of ['$7$8', '$1$7$8'])
      assert.throws(() => principalMapping(`RULE:CN=(.*)/${replacement}/`)('CN=kafka'), /group/);
    assert.equal(principalMapping('RULE:CN=(.*)$/$7.$1/')('CN=kafka'), '$7.kafka');
    assert.equal(principalMapping('RULE:CN=(.*)$/$7$1$1/')('CN=kafka'), '$7kafkakafka');
  });

  it('[A9] is nobody where a pattern without groups is filled with one', () => {
    const nameOf = principalMapping('RULE:^CN=.*$/$1/');
    assert.throws(() => nameOf(service), /number of groups/);
  });

  it('[A9] is not looked for in blanks without end', () => {
    const blanks = ' '.repeat(100_000);
    assert.equal(principalMapping(`${blanks}DEFAULT${blanks},${blanks}`)(service), service);
    assert.throws(() => principalMapping(`${blanks}x`), /is neither DEFAULT nor RULE/);
  });

  for (const rules of ['NONSENSE', 'RULE:a/b', 'RULE:(/x/', 'RULE:a/b/X', 'RULE:(?=a)a/b/'])
    it(`[A9] cannot be looked at by ${rules}, which is said at the start`, () => {
      assert.throws(() => principalMapping(rules), /^BrokerConfigError: ssl\.principal\.mapping/);
    });
});
