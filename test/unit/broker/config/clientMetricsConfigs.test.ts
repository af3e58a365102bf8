import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { clientMetricsProblem } from '../../../../src/broker/config/clientMetricsConfigs.ts';

describe('a subscription to metrics of clients', () => {
  const problem = (patterns: readonly string[]) =>
    clientMetricsProblem('s', new Map([['match', patterns.join(',')]]));

  it('[A2] takes no more patterns than a request has time to compile', () => {
    const pattern = 'client_id=x{1000}x{900}';
    assert.equal(problem(Array<string>(32).fill(pattern)), undefined);
    assert.deepEqual(problem(Array<string>(33).fill(pattern)), {
      error: 'INVALID_CONFIG',
      message: 'match has 33 patterns, and 32 are allowed',
    });
  });
});
