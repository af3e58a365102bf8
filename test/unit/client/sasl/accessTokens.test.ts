import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Disposable, toDisposable } from '../../../../src/base/disposable.ts';
import { SecurityError } from '../../../../src/client/kafkaError.ts';
import { AccessTokens } from '../../../../src/client/sasl/accessTokens.ts';
import type { ClientCredentials } from '../../../../src/client/security.ts';
import { ManualClock } from '../../../support/manualClock.ts';
import { until } from '../../../support/until.ts';

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly location?: string;
}

/** The pauses between attempts are over at once; the limit of a request is never reached. */
class PauselessClock extends ManualClock {
  override setTimer(delayMs: number, fire: () => void): Disposable {
    if (delayMs > 1000) return super.setTimer(delayMs, fire);
    const immediate = setImmediate(fire);
    return toDisposable(() => clearImmediate(immediate));
  }
}

describe('the tokens of a client', () => {
  let server: Server;
  let source: ClientCredentials;
  let answers: Answer[];
  let asked: number;
  let clock: ManualClock;
  let tokens: AccessTokens;

  beforeEach(async () => {
    asked = 0;
    server = createServer((_request, response) => {
      const { status = 200, body = '', location } = answers[asked++] ?? { status: 404 };
      response.writeHead(status, location === undefined ? {} : { location }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const tokenUrl = `http://127.0.0.1:${port}/token`;
    source = { kind: 'clientCredentials', tokenUrl, clientId: 'a', clientSecret: 's3cret' };
    clock = new PauselessClock();
    tokens = new AccessTokens(clock);
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const issued = (token: string, expiresIn?: number): Answer => ({
    body: JSON.stringify({ access_token: token, expires_in: expiresIn }),
  });
  const busy: Answer = { status: 503, body: 'later' };

  const get = (): Promise<string> => tokens.get(source);

  it('are one until four fifths of its life [B2]', async () => {
    answers = [issued('one', 1000), issued('two', 1000)];
    assert.deepEqual(await Promise.all([get(), get()]), ['one', 'one']);
    clock.advance(780_000);
    assert.equal(await get(), 'one');
    clock.advance(20_000);
    assert.equal(await get(), 'two');
    assert.equal(asked, 2);
  });

  it('live as long as they say themselves, where that is shorter [B2]', async () => {
    const claims = Buffer.from(JSON.stringify({ exp: clock.nowMs() / 1000 + 100 }));
    answers = [issued(`h.${claims.toString('base64url')}.s`, 1000), issued('two')];
    await get();
    clock.advance(81_000);
    assert.equal(await get(), 'two');
  });

  it('are asked for again where a broker does not take one [B2]', async () => {
    answers = [issued('one', 1000), issued('two', 1000)];
    await get();
    tokens.forget();
    assert.equal(await get(), 'two');
  });

  it('are asked for three times where the endpoint is busy [B2]', async () => {
    answers = [busy, busy, issued('one', 1000)];
    assert.equal(await get(), 'one');
    answers = [busy, busy, busy, busy];
    asked = 0;
    tokens.forget();
    await assert.rejects(get(), /issues no token to a: it answers 503/);
    assert.equal(asked, 3);
  });

  it('are used to their end while the endpoint is busy [B2]', async () => {
    answers = [issued('one', 1000), busy, busy, busy, busy, busy, busy];
    await get();
    clock.advance(900_000);
    assert.equal(await get(), 'one');
    clock.advance(100_000);
    await assert.rejects(get(), SecurityError);
  });

  const unusable: [string, Answer, RegExp][] = [
    [
      'a refusal',
      { status: 400, body: '{"error":"invalid_scope"}' },
      /no token to a: invalid_scope/,
    ],
    ['a page', { body: '<html>' }, /has no access_token/],
    ['an empty token', { body: '{"access_token":" "}' }, /has no access_token/],
    ['a redirection', { status: 302, location: 'http://127.0.0.1:1/' }, /it answers 302/],
  ];
  for (const [what, answer, words] of unusable)
    it(`are not there where ${what} comes, which is said at once and without the secret [B2] [B4]`, async () => {
      answers = [answer];
      await assert.rejects(get(), (error) => {
        assert.ok(error instanceof SecurityError);
        assert.match(error.message, words);
        assert.doesNotMatch(`${error.message}${error.hint}`, /s3cret/);
        return true;
      });
      assert.equal(asked, 1);
    });

  it('are not waited for any more once their client is gone [B2]', async () => {
    let isCut = false;
    server.removeAllListeners('request');
    server.on('request', (request) => {
      request.on('close', () => (isCut = true));
      tokens.dispose();
    });
    await assert.rejects(get(), { name: 'AbortError' });
    await until(
      () => isCut,
      () => 'the exchange goes on',
    );
    await assert.rejects(get(), { name: 'AbortError' });
  });

  it('are not taken out of an answer without end [B2]', async () => {
    const long = { body: 'x'.repeat(300_000) };
    answers = [long, long, long];
    await assert.rejects(get(), /more than 262144 bytes/);
  });
});
