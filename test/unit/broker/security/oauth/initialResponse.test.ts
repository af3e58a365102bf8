import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { parseInitialResponse } from '../../../../../src/broker/security/oauth/initialResponse.ts';

const parse = (text: string): ReturnType<typeof parseInitialResponse> =>
  parseInitialResponse(Buffer.from(text));

describe('The first message of OAUTHBEARER', () => {
  it('[A9] is taken apart into token, identity and extensions', () => {
    assert.deepEqual(parse('n,a=al=2Cice,\x01k=v=w\x01auth=Bearer a.b.c==\x01x=y\x01\x01'), {
      token: 'a.b.c==',
      authorizationId: 'al=2Cice',
      extensions: new Map([
        ['k', 'v=w'],
        ['x', 'y'],
      ]),
    });
  });

  it('[A9] is nothing at every length that it is cut to', () => {
    const whole = 'n,a=alice,\x01auth=Bearer a.b.c\x01x=y\x01\x01';
    for (let length = 0; length < whole.length; length++)
      assert.equal(parse(whole.slice(0, length)), undefined, String(length));
  });

  // Any of these took minutes, or the whole stack, if what is tried grew faster than the text.
  const many = 200_000;
  const hostile: [string, string][] = [
    ['an identity of escapes that end wrongly', `n,a=${'=2C'.repeat(many)}=,\x01`],
    ['an identity of separators', `n,a=${'\x01'.repeat(many)}=,\x01\x01`],
    ['pairs without end', `n,,\x01${'a=b\x01'.repeat(many)}`],
    ['separators without pairs', `n,,${'\x01'.repeat(many)}`],
    ['blanks before no token', `n,,\x01auth=Bearer${' '.repeat(many)}\x01\x01`],
    ['equals signs within a token', `n,,\x01auth=Bearer a${'='.repeat(many)}a\x01\x01`],
    ['letters without a value', `n,,\x01${'a'.repeat(many)}\x01\x01`],
  ];
  for (const [what, text] of hostile)
    it(`[A9] is refused at once with ${what}`, () => {
      assert.equal(parse(text), undefined);
    });
});
