// SASL: what may be asked when, and tokens that are wrong in one way each.
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import type { ApiName } from '../../../src/protocol/apis.ts';
import type { RawClient } from '../../wire/broker/support/rawClient.ts';
import type { Run, Scenarios } from '../support/run.ts';
import { users } from '../support/sides.ts';

const [user = ''] = users;
const software = { clientSoftwareName: 'differential', clientSoftwareVersion: '1' };
const plainToken = `\0${user}\0${user}`;

async function begun(run: Run, mechanism: string): Promise<RawClient> {
  const client = await run.connectUnknown();
  await client.call('saslHandshake', 1, { mechanism });
  return client;
}

/** Tokens as they come for one mechanism, each on a connection of its own. */
async function each(
  run: Run,
  mechanism: string,
  tokens: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [label, token] of Object.entries(tokens)) {
    const client = await begun(run, mechanism);
    await authenticate(run, client, token, label);
    client.close();
  }
}

const authenticate = (run: Run, on: RawClient, token: string, label: string) =>
  run.closingOn(['saslAuthenticate', 2, { authBytes: Buffer.from(token) }], on, label);

const salt = Buffer.from('salt of this user');
const saltedPassword = pbkdf2Sync('secret', salt, 4096, 32, 'sha256');

async function scramUser(run: Run): Promise<string> {
  const name = run.fresh('scram=user');
  const upsertions = [{ name, mechanism: 1, iterations: 4096, salt, saltedPassword }];
  await run.prepare('alterUserScramCredentials', 0, { deletions: [], upsertions });
  const isThere = ({ results }: { results: readonly { errorCode: number }[] }): boolean =>
    results[0]?.errorCode === 0;
  await run.until(['describeUserScramCredentials', 0, { users: [{ name }] }], isThere);
  return name.replace('=', '=3D');
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** What a client says last. `parts` are as they stand in the message, and in what is signed. */
function finalOf(bare: string, server: string, parts: FinalParts): string {
  const { binding = 'biws', more = '', proofOf = (proof: Buffer) => proof } = parts;
  const [, nonce = ''] = /^r=([^,]+)/.exec(server) ?? [];
  const clientKey = hmac(saltedPassword, 'Client Key');
  const storedKey = createHash('sha256').update(clientKey).digest();
  const signature = hmac(storedKey, `${bare},${server},c=${binding},r=${nonce}`);
  const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)));
  return `c=${binding},r=${nonce}${more},p=${proofOf(proof).toString('base64')}`;
}

interface FinalParts {
  readonly binding?: string;
  /** Between nonce and proof, and not signed. */
  readonly more?: string;
  readonly proofOf?: (proof: Buffer) => Buffer;
}

/** The server's part of a nonce, and its proof, are of this time only. */
const withoutNonce = (text: string): string =>
  text.replace(/r=[^,]+/, 'r=<nonce>').replace(/^v=.+/, 'v=<proof>');

async function scramStep(run: Run, client: RawClient, token: string, label: string) {
  client.send('saslAuthenticate', 2, { authBytes: Buffer.from(token) });
  const answer = await run.answerOn('saslAuthenticate', 2, client);
  const text = Buffer.from(answer?.authBytes ?? []).toString();
  const shown = answer && { ...answer, authBytes: Buffer.from(withoutNonce(text)) };
  run.note('saslAuthenticate', 2, shown ?? 'closed', label);
  return text;
}

const now = Math.floor(Date.now() / 1000);
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwsOf = (claims: object): string => `${base64({ alg: 'none' })}.${base64(claims)}.`;

const any = 1;
const anyAcl = {
  resourceTypeFilter: any,
  patternTypeFilter: any,
  operation: any,
  permissionType: any,
};

const requests: readonly (readonly [ApiName, number, object])[] = [
  ['metadata', 4, { topics: [{ name: 'one' }, { name: 'other' }] }],
  ['metadata', 13, { topics: null }],
  ['saslHandshake', 1, { mechanism: 'PLAIN' }],
  ['apiVersions', 0, {}],
  ['apiVersions', 4, software],
  ['describeCluster', 1, {}],
  ['listGroups', 4, {}],
  ['findCoordinator', 3, {}],
  ['initProducerId', 4, {}],
  ['describeClientQuotas', 1, {}],
  ['createTopics', 7, {}],
  ['joinGroup', 6, { groupId: 'g' }],
  ['joinGroup', 9, { groupId: 'g' }],
  ['describeAcls', 3, {}],
  ['describeAcls', 3, anyAcl],
  ['heartbeat', 4, { groupId: 'g', generationId: 1, memberId: 'm' }],
];

export const authenticationScenarios: Scenarios = {
  async 'what is asked between tokens is refused, then the connection closes'(run) {
    for (const [api, version, body] of requests) {
      const client = await begun(run, 'PLAIN');
      await run.closingOn([api, version, body], client, 'between');
      await authenticate(run, client, plainToken, 'after that');
    }
  },

  async 'versions are told once, and again after they were asked for wrongly'(run) {
    const client = await run.connectUnknown();
    const wrong = { clientSoftwareName: '-', clientSoftwareVersion: '1' };
    await run.closingOn(['apiVersions', 4, wrong], client, 'without a name');
    await run.closingOn(['apiVersions', 4, software], client, 'then');
    await run.closingOn(['apiVersions', 4, software], client, 'once more');
    const other = await run.connectUnknown();
    const elsewhere = { ...software, clusterId: 'elsewhere', nodeId: 7 };
    await run.closingOn(['apiVersions', 5, elsewhere], other, 'of another node');
    await run.closingOn(['metadata', 4, { topics: [] }], other, 'before tokens');
  },

  async 'mechanisms that are enabled, and others'(run) {
    for (const version of [0, 1])
      for (const mechanism of ['PLAIN', 'SCRAM-SHA-512', 'plain', '']) {
        const client = await run.connectUnknown();
        await run.closingOn(['saslHandshake', version, { mechanism }], client, mechanism);
        client.close();
      }
  },

  async 'PLAIN: tokens that are right, and wrong'(run) {
    for (const version of [0, 1, 2]) {
      const client = await begun(run, 'PLAIN');
      const authBytes = Buffer.from(plainToken);
      await run.closingOn(['saslAuthenticate', version, { authBytes }], client, 'right');
      await run.closingOn(['saslAuthenticate', version, { authBytes }], client, 'once more');
      await run.closingOn(['saslHandshake', 1, { mechanism: 'PLAIN' }], client, 'begun again');
    }
    await each(run, 'PLAIN', {
      empty: '',
      'no password': `\0${user}\0`,
      'five parts': `\0${user}\0${user}\0\0`,
      'as itself': `${user}\0${user}\0${user}`,
      'as somebody else': `x\0${user}\0${user}`,
    });
  },

  async 'SCRAM: first messages'(run) {
    const name = await scramUser(run);
    const firsts = {
      right: `n,,n=${name},r=abc`,
      'as itself, escaped': `n,a=${name},n=${name},r=abc`,
      'as itself, plainly': `n,a=${name.replace('=3D', '=')},n=${name},r=abc`,
      'as somebody else': `n,a=x,n=${name},r=abc`,
      'with no identity': `n,a=,n=${name},r=abc`,
      'with binding': `y,,n=${name},r=abc`,
      'with what is reserved': `n,,m=x,n=${name},r=abc`,
      'with an extension': `n,,n=${name},r=abc,k=v`,
      'with an extension by a number': `n,,n=${name},r=abc,k1=v`,
      'with an empty extension': `n,,n=${name},r=abc,k=`,
      'of a delegation token': `n,,n=${name},r=abc,tokenauth=TRUE`,
      'of something like a delegation token': `n,,n=${name},r=abc,TokenAuth=true`,
      'of no delegation token after all': `n,,n=${name},r=abc,tokenauth=true,tokenauth=false`,
      'of a delegation token after all': `n,,n=${name},r=abc,tokenauth=false,tokenauth=true`,
      'of nobody': 'n,,n=nobody,r=abc',
    };
    for (const [label, first] of Object.entries(firsts)) {
      const client = await begun(run, 'SCRAM-SHA-256');
      await scramStep(run, client, first, label);
      client.close();
    }
  },

  async 'SCRAM: last messages'(run) {
    const name = await scramUser(run);
    const bare = `n=${name},r=abc`;
    const finals: Readonly<Record<string, FinalParts>> = {
      right: {},
      'with another binding': { binding: 'AAAA' },
      'without a binding': { binding: '' },
      'with an extension': { more: ',k=v' },
      'with an extension by a number': { more: ',k1=v' },
      'with a proof that is too short': { proofOf: (proof) => proof.subarray(3) },
      'with no proof': { proofOf: () => Buffer.alloc(0) },
      'with another proof': { proofOf: () => Buffer.alloc(32) },
    };
    for (const [label, parts] of Object.entries(finals)) {
      const client = await begun(run, 'SCRAM-SHA-256');
      // What is reserved is not signed.
      const server = await scramStep(run, client, `n,,m=x,${bare}`, 'first');
      await scramStep(run, client, finalOf(bare, server, parts), label);
      client.close();
    }
  },

  async 'OAUTHBEARER: tokens that nobody signed'(run) {
    const bearer = (auth: string): string => `n,,\x01auth=${auth}\x01\x01`;
    const good = jwsOf({ sub: 'alice', exp: now + 3600 });
    await each(run, 'OAUTHBEARER', {
      'of another scheme': bearer(`Basic ${good}`),
      'without a scheme': bearer(good),
      'that does not say how it is signed': bearer(
        `Bearer ${base64({})}.${base64({ sub: 'alice', exp: now + 3600 })}.`,
      ),
      'that holds for longer than there are nanoseconds': bearer(
        `Bearer ${jwsOf({ sub: 'alice', exp: 1e12 })}`,
      ),
      'that is over': bearer(`Bearer ${jwsOf({ sub: 'alice', exp: now - 3600 })}`),
      'of somebody else': `n,a=bob,\x01auth=Bearer ${good}\x01\x01`,
    });
  },
};
