import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { seededRandom } from '../../../src/base/random.ts';
import { ConnectionError, DeadlineError, KafkaError } from '../../../src/client/kafkaError.ts';
import { backoffMs, isWorthRetrying } from '../../../src/client/retry.ts';
import { errorCodes, type ErrorName } from '../../../src/protocol/errors.ts';

const kafkaError = (name: ErrorName): KafkaError =>
  new KafkaError(errorCodes[name], { api: 'produce' });
const unreachable = (mayHaveBeenSent: boolean): ConnectionError =>
  new ConnectionError('gone', { address: 'a:1', mayHaveBeenSent });

describe('trying again', () => {
  it('helps with what passes, and not with what does not', () => {
    assert.equal(isWorthRetrying(kafkaError('NOT_LEADER_OR_FOLLOWER'), 20), true);
    assert.equal(isWorthRetrying(kafkaError('COORDINATOR_LOAD_IN_PROGRESS'), 20), true);
    assert.equal(isWorthRetrying(kafkaError('TOPIC_AUTHORIZATION_FAILED'), 1), false);
    assert.equal(isWorthRetrying(new DeadlineError('late'), 1), false);
    assert.equal(isWorthRetrying(new TypeError('ours'), 1), false);
  });

  it('ends early for a topic that is unknown and for a broker that is unreachable', () => {
    assert.equal(isWorthRetrying(kafkaError('UNKNOWN_TOPIC_OR_PARTITION'), 1), true);
    assert.equal(isWorthRetrying(kafkaError('UNKNOWN_TOPIC_OR_PARTITION'), 4), false);
    assert.equal(isWorthRetrying(unreachable(false), 2), true);
    assert.equal(isWorthRetrying(unreachable(false), 3), false);
  });

  it('never repeats what must not happen twice and may have happened', () => {
    assert.equal(isWorthRetrying(unreachable(true), 1, false), false);
    assert.equal(isWorthRetrying(unreachable(false), 1, false), true);
    assert.equal(isWorthRetrying(kafkaError('REQUEST_TIMED_OUT'), 1, false), false);
    assert.equal(isWorthRetrying(kafkaError('NOT_ENOUGH_REPLICAS_AFTER_APPEND'), 1, false), false);
    assert.equal(isWorthRetrying(kafkaError('NOT_ENOUGH_REPLICAS'), 1, false), true);
    assert.equal(isWorthRetrying(kafkaError('REQUEST_TIMED_OUT'), 1, true), true);
  });

  it('waits twice as long each time, up to a second, give or take a fifth', () => {
    const random = seededRandom(1);
    for (const [tries, exactMs] of [
      [1, 100],
      [2, 200],
      [4, 800],
      [5, 1000],
      [50, 1000],
    ] as const) {
      const delayMs = backoffMs(tries, random);
      assert.ok(delayMs >= exactMs * 0.8 && delayMs <= exactMs * 1.2, `${tries}: ${delayMs}`);
    }
  });
});
