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
    assert.equal(isWorthRetrying(kafkaError('NOT_LEADER_OR_FOLLOWER'), { tries: 20 }), true);
    assert.equal(isWorthRetrying(kafkaError('COORDINATOR_LOAD_IN_PROGRESS'), { tries: 20 }), true);
    assert.equal(isWorthRetrying(kafkaError('TOPIC_AUTHORIZATION_FAILED'), { tries: 1 }), false);
    assert.equal(isWorthRetrying(new DeadlineError('late'), { tries: 1 }), false);
    assert.equal(isWorthRetrying(new TypeError('ours'), { tries: 1 }), false);
  });

  it('ends early for a topic that is unknown and for a broker that is unreachable', () => {
    assert.equal(isWorthRetrying(kafkaError('UNKNOWN_TOPIC_OR_PARTITION'), { tries: 1 }), true);
    assert.equal(isWorthRetrying(kafkaError('UNKNOWN_TOPIC_OR_PARTITION'), { tries: 6 }), false);
    assert.equal(isWorthRetrying(unreachable(false), { tries: 5 }), true);
    assert.equal(isWorthRetrying(unreachable(false), { tries: 6 }), false);
  });

  it('goes on for a topic that is known to have been created a moment ago', () => {
    const unknown = kafkaError('UNKNOWN_TOPIC_OR_PARTITION');
    assert.equal(isWorthRetrying(unknown, { tries: 50, isAboutNews: true }), true);
  });

  it('never repeats what must not happen twice and may have happened', () => {
    assert.equal(isWorthRetrying(unreachable(true), { tries: 1, isRepeatable: false }), false);
    assert.equal(isWorthRetrying(unreachable(false), { tries: 1, isRepeatable: false }), true);
    assert.equal(
      isWorthRetrying(kafkaError('REQUEST_TIMED_OUT'), { tries: 1, isRepeatable: false }),
      false,
    );
    assert.equal(
      isWorthRetrying(kafkaError('NOT_ENOUGH_REPLICAS_AFTER_APPEND'), {
        tries: 1,
        isRepeatable: false,
      }),
      false,
    );
    assert.equal(
      isWorthRetrying(kafkaError('NOT_ENOUGH_REPLICAS'), { tries: 1, isRepeatable: false }),
      true,
    );
    assert.equal(
      isWorthRetrying(kafkaError('REQUEST_TIMED_OUT'), { tries: 1, isRepeatable: true }),
      true,
    );
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
