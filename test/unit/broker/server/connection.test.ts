import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { Socket } from 'node:net';
import { describe, it } from 'mocha';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Session } from '../../../../src/broker/security/session.ts';
import { Connection } from '../../../../src/broker/server/connection.ts';

describe('a connection that is throttled', () => {
  it('keeps nothing of the times that it was mute', async () => {
    let signal: AbortSignal | undefined;
    let requests = 20;
    const connection = new Connection({
      socket: new Socket(),
      frames: {
        next: () => Promise.resolve(requests-- > 0 ? Buffer.alloc(1) : undefined),
        release: () => undefined,
        close: () => undefined,
      },
      session: new Session({ listener: 'PLAINTEXT', sasl: undefined }),
      answer: (_frame, peer) => {
        ({ signal } = peer);
        peer.mute(1);
        return Promise.resolve(undefined);
      },
      maxIdleMs: 0,
      logger: silentLogger,
    });
    await connection.run();
    assert.ok(signal);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
