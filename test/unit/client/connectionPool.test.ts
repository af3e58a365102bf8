import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { systemClock } from '../../../src/base/clock.ts';
import { systemRandom } from '../../../src/base/random.ts';
import { ConnectionPool } from '../../../src/client/connectionPool.ts';
import { ConnectionError } from '../../../src/client/kafkaError.ts';
import { plaintext } from '../../../src/client/security.ts';

describe('a pool of connections', () => {
  it('has an error for each who waits: where one gives up, the other may go on', async () => {
    const pool = new ConnectionPool({
      ...{ clientId: 'test', security: plaintext, connectTimeoutMs: 60_000 },
      ...{ clock: systemClock, random: systemRandom },
    });
    const nowhere = { host: '127.0.0.1', port: 99_999 };
    const [first, second] = await Promise.all(
      ['main', 'main'].map((lane) => pool.get(nowhere, lane).catch((error: unknown) => error)),
    );
    pool.dispose();
    assert.ok(first instanceof ConnectionError && second instanceof ConnectionError);
    assert.equal(first.message, second.message);
    assert.notEqual(first, second);
  });
});
