import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';
import {
  addressLimitsProblem,
  connectionsProblem,
  hostLimits,
} from '../../../../src/broker/config/connectionRules.ts';
import { startCluster } from '../../../../src/embedded.ts';

function problemOf(most: string, overrides: string): string | undefined {
  return addressLimitsProblem((name) => (name.endsWith('.overrides') ? overrides : most));
}

describe('Limits on the connections of addresses', () => {
  it('[C7] have the number behind the last colon', () => {
    assert.deepEqual(hostLimits(' a:1 ,::1:20,,'), [
      { host: 'a', most: 1 },
      { host: '::1', most: 20 },
    ]);
    assert.deepEqual(hostLimits(''), []);
  });

  it('[C7] may be none only where some address has another', () => {
    assert.equal(problemOf('0', 'localhost:5'), undefined);
    assert.match(problemOf('0', '') ?? '', /may only be 0 where .*overrides is set/);
  });

  it('[C7] are of hosts, and numbers', () => {
    for (const overrides of ['a', 'a:b', 'a:1,,b:2'])
      assert.match(problemOf('5', overrides) ?? '', /must be HOST:NUMBER/, overrides);
    assert.match(problemOf('5', 'a b:1') ?? '', /a b is no host/);
  });

  it('[C7] keep a broker from its start where they make no sense', async () => {
    const configs = { 'max.connections.per.ip': '0' };
    await assert.rejects(startCluster({ configs }), /may only be 0 where/);
  });
});

describe('Limits on the connections of a listener', () => {
  it('[C7] are of a name that may have colons', () => {
    const now = new BrokerConfig({ listeners: 'A:B://:9092' });
    const problem = (name: string): string | undefined => {
      const broker = new Map([[`listener.name.${name}.max.connections`, '0']]);
      return connectionsProblem(
        now,
        now.withDynamic(() => ({ broker, cluster: new Map() })),
      );
    };
    assert.match(problem('a:b') ?? '', /max\.connections must be at least 1/);
    assert.equal(problem('a'), undefined);
  });
});
