// OAUTHBEARER and authenticating again: our broker and Kafka 4.4 with the same configs, asked the same.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import {
  type AuthorizationServer,
  audience,
  issuer,
  lasting,
  unsecured,
} from '../../support/oauth.ts';
import {
  type OAuthCluster,
  oauthClusters,
  type OAuthListener,
  sharedAuthorizationServer,
  longSessionMs,
  shortSessionMs,
  user,
} from '../../support/oauthClusters.ts';
import { RawClient, type Response } from './support/rawClient.ts';
import { errorName, patienceMs } from './support/servers.ts';

const bearer = (token: string, pairs = ''): Buffer =>
  Buffer.from(`n,,\x01auth=Bearer ${token}\x01${pairs}\x01`);

const invalid =
  'Authentication failed during authentication due to invalid credentials with SASL mechanism OAUTHBEARER';

for (const { name, start } of oauthClusters)
  describe(`OAUTHBEARER (${name})`, function () {
    this.timeout(patienceMs);
    let cluster: OAuthCluster;
    let issued: AuthorizationServer;
    const open: RawClient[] = [];

    before(async () => {
      issued = await sharedAuthorizationServer();
      cluster = await start();
    });
    after(async () => {
      for (const client of open) client.close();
      await cluster.stop();
    });

    async function connect(listener: OAuthListener): Promise<RawClient> {
      const client = await RawClient.open(cluster.at(listener));
      open.push(client);
      return client;
    }

    async function begin(client: RawClient, mechanism = 'OAUTHBEARER'): Promise<string> {
      return errorName((await client.call('saslHandshake', 1, { mechanism })).errorCode);
    }

    const send = (client: RawClient, authBytes: Buffer): Promise<Response<'saslAuthenticate'>> =>
      client.call('saslAuthenticate', 2, { authBytes });

    /** What a client is told that says this first: nothing at all, `in`, or why not. */
    async function told(listener: OAuthListener, first: Buffer): Promise<string> {
      const client = await connect(listener);
      await begin(client);
      const answer = await send(client, first);
      if (answer.errorCode !== 0) {
        assert.equal(errorName(answer.errorCode), 'SASL_AUTHENTICATION_FAILED');
        assert.equal(await client.nextFrame(), undefined);
        return answer.errorMessage ?? '';
      }
      const json = Buffer.from(answer.authBytes).toString();
      if (json === '') {
        await client.call('metadata', 12, { topics: [] });
        return 'in';
      }
      // Who does not acknowledge may try again; who does is refused with the same.
      const refused = await send(client, Buffer.from([1]));
      assert.deepEqual([errorName(refused.errorCode), refused.errorMessage], ['SASL_AUTHENTICATION_FAILED', json]); // prettier-ignore
      assert.equal(await client.nextFrame(), undefined);
      return json;
    }

    const minute = (): { iat: number; exp: number } => lasting(60);
    const good = (): Record<string, unknown> => ({ ...minute(), sub: 'alice', scope: ['read'] });
    const bad = '{"status":"invalid_token"}';
    const unscoped = '{"status":"insufficient_scope", "scope":"[read]"}';
    const seconds = (): number => Math.floor(Date.now() / 1000);

    const grammar: [string, () => Buffer, string][] = [
      ['the least there can be', () => bearer(unsecured(good())), 'in'],
      [
        'extensions',
        () => bearer(unsecured(good()), 'logicalCluster=lkc-1\x01other=a b\tc\x01'),
        'in',
      ],
      [
        'blanks and small letters before the token',
        () => Buffer.from(`n,,\x01auth=bearer   ${unsecured(good())}\x01\x01`),
        'in',
      ],
      [
        'the identity of the token',
        () => Buffer.from(`n,a=alice,\x01auth=Bearer ${unsecured(good())}\x01\x01`),
        'in',
      ],
      [
        'another identity',
        () => Buffer.from(`n,a=bob,\x01auth=Bearer ${unsecured(good())}\x01\x01`),
        "Authentication failed: Client requested an authorization id (bob) that is different from the token's principal name (alice)",
      ],
      [
        'auth twice, of which the last counts',
        () => bearer('x.y.', `auth=Bearer ${unsecured(good())}\x01`),
        'in',
      ],
      ['nothing', () => Buffer.alloc(0), invalid],
      ['an acknowledgement of nothing', () => Buffer.from([1]), invalid],
      ['no token', () => Buffer.from('n,,\x01\x01'), invalid],
      ['no end', () => Buffer.from(`n,,\x01auth=Bearer ${unsecured(good())}\x01`), invalid],
      ['something after the end', () => bearer(unsecured(good()), '\x01x=y\x01'), invalid],
      ['channel binding', () => Buffer.from(`y,,\x01auth=Bearer a\x01\x01`), invalid],
      ['an empty identity', () => Buffer.from(`n,a=,\x01auth=Bearer a\x01\x01`), invalid],
      ['an extension without a value', () => bearer(unsecured(good()), 'x=\x01'), invalid],
      ['an extension with a digit', () => bearer(unsecured(good()), 'x1=y\x01'), invalid],
      ['a token with blanks', () => bearer('a b'), invalid],
    ];
    for (const [what, first, answer] of grammar)
      it(`[A9] takes, or does not take, a first message with ${what}`, async () => {
        assert.equal(await told('UNSECURED', first()), answer);
      });

    const tokens: [string, () => string, string][] = [
      ['one scope as a text', () => unsecured({ ...good(), scope: 'read' }), 'in'],
      ['scopes in one text', () => unsecured({ ...good(), scope: 'read write' }), unscoped],
      ['another scope', () => unsecured({ ...good(), scope: ['write'] }), unscoped],
      ['no scope', () => unsecured({ ...minute(), sub: 'alice' }), unscoped],
      ['a scope that is a number', () => unsecured({ ...good(), scope: 1 }), bad],
      ['no end', () => unsecured({ sub: 'alice', scope: ['read'] }), bad],
      ['an end in words', () => unsecured({ ...good(), exp: 'tomorrow' }), bad],
      ['no name', () => unsecured({ ...minute(), scope: ['read'] }), bad],
      ['a blank name', () => unsecured({ ...good(), sub: ' ' }), bad],
      ['a name that is a number', () => unsecured({ ...good(), sub: 7 }), bad],
      ['an end that is long past', () => unsecured({ ...good(), exp: seconds() - 60, iat: seconds() - 120 }), bad], // prettier-ignore
      ['an end just past, within the skew', () => unsecured({ ...good(), exp: seconds() - 1, iat: seconds() - 9 }), 'short'], // prettier-ignore
      ['an issue in the future', () => unsecured({ ...good(), iat: seconds() + 30 }), bad],
      ['an end before its issue', () => unsecured({ ...good(), iat: seconds() + 2, exp: seconds() + 1 }), bad], // prettier-ignore
      ['another algorithm', () => unsecured(good(), { alg: 'RS256' }), bad],
      ['a signature', () => `${unsecured(good())}c2ln`, bad],
      ['two parts', () => unsecured(good()).slice(0, -1), bad],
      ['four parts', () => `${unsecured(good())}.a`, bad],
      ['no JSON', () => 'bm9wZQ.bm9wZQ.', bad],
      ['no Base64URL', () => 'a+b/c.a+b/c.', bad],
      ['a list for claims', () => unsecured([]), bad],
    ];
    for (const [what, token, answer] of tokens)
      it(`[A9] takes, or does not take, an unsecured token with ${what}`, async () => {
        if (answer !== 'short') {
          assert.equal(await told('UNSECURED', bearer(token())), answer);
          return;
        }
        // It is let in for no time at all.
        const client = await connect('UNSECURED');
        await begin(client);
        const { errorCode, sessionLifetimeMs } = await send(client, bearer(token()));
        assert.deepEqual([errorName(errorCode), sessionLifetimeMs], ['NONE', 0n]);
      });

    it('[A9] looks at a long token, and closes before it has read one that is too long', async () => {
      const long = unsecured({ ...good(), filling: 'x'.repeat(300_000) });
      assert.equal(await told('UNSECURED', bearer(long)), 'in');
      const client = await connect('UNSECURED');
      await begin(client);
      client.send('saslAuthenticate', 2, { authBytes: bearer('a'.repeat(600_000)) });
      assert.equal(await client.nextFrame(), undefined);
    });

    it('[A9] takes a good token after a bad one on the same connection', async () => {
      const client = await connect('UNSECURED');
      await begin(client);
      const first = await send(client, bearer(unsecured({})));
      assert.equal(Buffer.from(first.authBytes).toString(), bad);
      const second = await send(client, bearer(unsecured(good())));
      assert.deepEqual([second.errorCode, second.authBytes.length], [0, 0]);
      await client.call('metadata', 12, { topics: [] });
    });

    it('[A9] lets a session live for as long as the token', async () => {
      const client = await connect('UNSECURED');
      await begin(client);
      const { sessionLifetimeMs } = await send(client, bearer(unsecured(good())));
      assert.ok(sessionLifetimeMs > 0n && sessionLifetimeMs <= 60_000n, `${sessionLifetimeMs}`);
    });

    const whole = (): Record<string, unknown> => ({ ...minute(), sub: 'orders' });
    const signed: [string, () => Promise<string>, string][] = [
      ['that holds', () => issued.sign(whole()), 'in'],
      ['with scopes', () => issued.sign({ ...whole(), scope: ['a', 'b'] }), 'in'],
      ['with a scope twice', () => issued.sign({ ...whole(), scope: ['a', 'a'] }), bad],
      ['with an empty scope', () => issued.sign({ ...whole(), scope: '' }), bad],
      ['that somebody else signed', () => issued.signStrangely(whole()), bad],
      ['of a key that is not there', () => issued.sign(whole(), { kid: 'nowhere' }), bad],
      ['that nobody signed', () => Promise.resolve(unsecured(good())), bad],
      ['that was changed', async () => changed(await issued.sign(whole())), bad],
      ['without an end', () => issued.sign({ iat: seconds(), sub: 'orders' }), bad],
      ['without an issue', () => issued.sign({ exp: seconds() + 60, sub: 'orders' }), bad],
      ['without a name', () => issued.sign(minute()), bad],
      ['that is over', () => issued.sign({ ...whole(), iat: 1, exp: seconds() - 60 }), bad],
      ['that is not valid yet', () => issued.sign({ ...whole(), nbf: seconds() + 50 }), bad],
      ['that ends before its issue', () => issued.sign({ ...whole(), iat: seconds() + 90 }), bad],
      [
        'for an audience, where none is expected',
        () => issued.sign({ ...whole(), aud: 'x' }),
        'in',
      ],
      ['that is no token', () => Promise.resolve('a.b.c'), bad],
    ];
    for (const [what, token, answer] of signed)
      it(`[A9] takes, or does not take, a signed token ${what}`, async () => {
        assert.equal(await told('SIGNED', bearer(await token())), answer);
      });

    const expected = { iss: issuer, aud: audience };
    const addressed: [string, () => Record<string, unknown>, string][] = [
      ['of the issuer for the audience', () => expected, 'in'],
      ['for several audiences', () => ({ ...expected, aud: ['x', audience] }), 'in'],
      ['for another audience', () => ({ ...expected, aud: 'x' }), bad],
      ['for no audience', () => ({ iss: issuer }), bad],
      ['of another issuer', () => ({ ...expected, iss: 'https://else.example' }), bad],
      ['of no issuer', () => ({ aud: audience }), bad],
    ];
    for (const [what, claims, answer] of addressed)
      it(`[A9] takes, or does not take, a token ${what}`, async () => {
        const token = await issued.sign({ ...whole(), ...claims() });
        assert.equal(await told('ISSUED', bearer(token)), answer);
      });

    it('[A9] fetches the keys anew for a token with a new one', async () => {
      await issued.rotate();
      const first = bearer(await issued.sign({ ...whole(), ...expected }));
      let answer = await told('ISSUED', first);
      // Kafka refuses the first and fetches meanwhile.
      for (let attempt = 0; attempt < 100 && answer !== 'in'; attempt++)
        answer = await told('ISSUED', first);
      assert.equal(answer, 'in');
    });

    const plain = (username: string, password: string): Buffer =>
      Buffer.from(`\0${username}\0${password}`);
    const alice = plain(user.username, user.password);

    async function admitted(listener: 'SHORT' | 'LONG'): Promise<RawClient> {
      const client = await connect(listener);
      await begin(client, 'PLAIN');
      const { sessionLifetimeMs } = await send(client, alice);
      const expectedMs = listener === 'SHORT' ? shortSessionMs : longSessionMs;
      assert.equal(sessionLifetimeMs, BigInt(expectedMs));
      return client;
    }

    it('[A9] lets a client authenticate again, but not twice within a second', async () => {
      let hurried: string | undefined;
      // On a machine that is busy more than a second may pass in between.
      for (let attempt = 0; attempt < 10 && hurried !== 'ILLEGAL_SASL_STATE'; attempt++) {
        const client = await admitted('LONG');
        assert.equal(await begin(client, 'PLAIN'), 'NONE');
        const again = await send(client, alice);
        assert.deepEqual([again.errorCode, again.sessionLifetimeMs], [0, BigInt(longSessionMs)]);
        hurried = await begin(client, 'PLAIN');
        const { errorCode } = await send(client, alice);
        assert.equal(errorName(errorCode), hurried);
        await client.call('metadata', 12, { topics: [] });
      }
      assert.equal(hurried, 'ILLEGAL_SASL_STATE');
    });

    it('[A9] serves nothing between a handshake and the token that follows', async () => {
      const client = await admitted('LONG');
      await begin(client, 'PLAIN');
      client.send('metadata', 12, { topics: [] });
      // Kafka answers with an error before it closes; the client is as far as with none.
      for (let frames = 0; (await client.nextFrame()) !== undefined; frames++)
        assert.ok(frames < 1);
    });

    it('[A9] does not let a client become somebody else', async () => {
      const client = await admitted('LONG');
      await begin(client, 'PLAIN');
      const { errorCode, errorMessage } = await send(client, plain('bob', 'bobs'));
      assert.deepEqual([errorName(errorCode), errorMessage], ['SASL_AUTHENTICATION_FAILED', 'Cannot change principals during re-authentication from User.alice: User.bob']); // prettier-ignore
      assert.equal(await client.nextFrame(), undefined);
    });

    it('[A9] does not let a client take another mechanism, and closes at its first token', async () => {
      const client = await admitted('LONG');
      assert.equal(await begin(client, 'OAUTHBEARER'), 'NONE');
      client.send('saslAuthenticate', 2, { authBytes: bearer(unsecured(good())) });
      assert.equal(await client.nextFrame(), undefined);
    });

    it('[A9] ends the connection of who asks on after the end of the session', async () => {
      const client = await admitted('SHORT');
      await new Promise((resolve) => setTimeout(resolve, shortSessionMs + 200));
      client.send('metadata', 12, { topics: [] });
      assert.equal(await client.nextFrame(), undefined);
    });

    it('[A9] lets who is over authenticate again first', async () => {
      const client = await admitted('SHORT');
      await new Promise((resolve) => setTimeout(resolve, shortSessionMs + 200));
      assert.equal(await begin(client, 'PLAIN'), 'NONE');
      assert.equal((await send(client, alice)).errorCode, 0);
      await client.call('metadata', 12, { topics: [] });
    });
  });

describe('A broker that is to take tokens (embedded)', () => {
  const secured = (configs: Record<string, string>): Record<string, string> => ({
    listeners: 'SASL_PLAINTEXT://127.0.0.1:0',
    'listener.name.sasl_plaintext.sasl.enabled.mechanisms': 'OAUTHBEARER',
    'listener.name.sasl_plaintext.oauthbearer.sasl.server.callback.handler.class':
      'org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler',
    ...Object.fromEntries(
      Object.entries(configs).map(([name, value]) => [`listener.name.sasl_plaintext.sasl.oauthbearer.${name}`, value]), // prettier-ignore
    ),
  });
  const unaddressed = { 'allow.unverified.audience': 'true', 'allow.unverified.issuer': 'true' };
  const nowhere = { 'jwks.endpoint.url': 'http://127.0.0.1:1/jwks' };
  const wrong: [string, Record<string, string>, RegExp][] = [
    ['without keys', unaddressed, /jwks\.endpoint\.url is missing/],
    ['with keys that are not there', { ...unaddressed, ...nowhere }, /cannot be read: .*ECONNREFUSED/], // prettier-ignore
    ['with a file that is not there', { ...unaddressed, 'jwks.endpoint.url': 'file:///no/where' }, /there is no file/], // prettier-ignore
    ['for an audience that nobody names', nowhere, /expected\.audience is missing: set it, or set sasl\.oauthbearer\.allow\.unverified\.audience/], // prettier-ignore
    ['of an issuer whom nobody names', { ...nowhere, 'expected.audience': 'a' }, /expected\.issuer is missing/], // prettier-ignore
  ];
  for (const [what, configs, words] of wrong)
    it(`[A9] does not start ${what}, and says what to do`, async () => {
      await assert.rejects(startCluster({ configs: secured(configs) }), words);
    });
});

/** With another name in it and the old signature. */
function changed(token: string): string {
  const [header = '', , signature = ''] = token.split('.');
  const payload = Buffer.from(JSON.stringify({ ...lasting(60), sub: 'admin' }));
  return `${header}.${payload.toString('base64url')}.${signature}`;
}
