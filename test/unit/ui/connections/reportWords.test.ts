import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { reportWords } from '../../../../src/ui/connections/reportWords.ts';

const report = { clusterId: 'abc', brokerCount: 3, release: '4.4', unreachable: [] };

describe('the words for a trial connection', () => {
  it('name the cluster, its version and its brokers [B1]', () => {
    assert.deepEqual(reportWords('prod', report), {
      message: 'prod answers: cluster abc, Kafka 4.4, 3 brokers, all reachable.',
      isGood: true,
    });
  });

  it('name the brokers that cannot be reached, and what decides their addresses [B1]', () => {
    const unreachable = ['broker 2 at inside:9092: no such host'];
    const { message, isGood } = reportWords('prod', { ...report, release: undefined, unreachable });
    assert.equal(isGood, false);
    assert.match(message, /does not say its version/);
    assert.match(message, /broker 2 at inside:9092: no such host\. .*advertised\.listeners/);
  });
});
