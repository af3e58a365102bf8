import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, exportJWK, generateKeyPair, type JWTVerifyGetKey } from 'jose';
import { after, before, describe, it } from 'mocha';
import { deferred } from '../../../../../src/base/deferred.ts';
import { openJwks } from '../../../../../src/broker/security/oauth/jwks.ts';
import { ManualClock } from '../../../../support/manualClock.ts';
import { MemoryFileSystem } from '../../../../support/memoryFileSystem.ts';

const refreshMs = 60_000;

describe('the keys of tokens', () => {
  let server: Server;
  let answered: string;
  /** The requests that nobody has answered yet. */
  const waiting: ServerResponse[] = [];
  let arrived = deferred<undefined>();
  const clock = new ManualClock();
  const failures: string[] = [];
  let keys: JWTVerifyGetKey;

  before(async () => {
    const { publicKey } = await generateKeyPair('ES256');
    const jwk = await exportJWK(publicKey);
    const published = (kid: string): string => JSON.stringify({ keys: [{ ...jwk, kid }] });
    answered = published('one');
    let isFirst = true;
    server = createServer((_request, response) => {
      if (isFirst) response.end(answered);
      else waiting.push(response);
      isFirst = false;
      arrived.resolve(undefined);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    keys = await openJwks({
      url: `http://127.0.0.1:${port}/jwks`,
      refreshMs,
      backoffMs: 1000,
      fileSystem: new MemoryFileSystem(),
      clock,
      onFailure: (reason) => failures.push(reason),
    });
    answered = published('two');
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const keyOf = (kid: string) =>
    keys({ alg: 'ES256', kid }, { payload: '', signature: '' }) as Promise<unknown>;

  it('serve while they are read anew, however long that takes', async () => {
    arrived = deferred<undefined>();
    clock.advance(refreshMs);
    assert.ok(await keyOf('one'));
    await arrived.promise;
    assert.ok(await keyOf('one'));
    const unknown = keyOf('two');
    assert.equal(waiting.length, 1);
    waiting.pop()?.end(answered);
    assert.ok(await unknown);
    await assert.rejects(keyOf('one'), errors.JWKSNoMatchingKey);
    assert.deepEqual(failures, []);
  });
});
