import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { distinguishedName } from '../../../../src/broker/security/distinguishedName.ts';

const cn = Buffer.from('550403', 'hex');

/** An element of DER, its length in four bytes wherever that is not a byte. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = Buffer.from([tag, 0x84, 0, 0, 0, 0]);
  long.writeUInt32BE(length, 2);
  return Buffer.concat([length < 128 ? Buffer.from([tag, length]) : long, content]);
}

const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text));

/** A name of one attribute. */
const name = (number: Buffer, value: Buffer): Buffer =>
  der(0x31, der(0x30, Buffer.concat([der(0x06, number), value])));

describe("The name in a certificate, as Java's X500Principal has it", () => {
  const spelled: [what: string, encoded: string, name: string][] = [
    [
      'has its parts from the last to the first, those of one kind too',
      '310a3008060355040b0c0161310a300806035504030c0178310a3008060355040b0c0162',
      'OU=b,CN=x,OU=a',
    ],
    [
      'joins what is of one level',
      '310b30090603550406130244453118300b060355040b0c0453686f70300906035504030c02c3a9',
      'OU=Shop+CN=é,C=DE',
    ],
    [
      'escapes what has a meaning, and blanks around a value',
      '3116301406035504030c0d202c3d2b3c3e233b225c200020',
      'CN=\\ \\,\\=\\+\\<\\>\\#\\;\\"\\\\ \\00\\ ',
    ],
    [
      'has numbers and bytes for what RFC 2253 has no word for',
      '3112301006092a864886f70d0109011603614062310a300806035504051301353111300f060a0992268993f22c6401010c01753111300f060a0992268993f22c640119160178310a300806038837050c0178',
      '2.999.5=#0c0178,DC=x,UID=u,2.5.4.5=#130135,1.2.840.113549.1.9.1=#1603614062',
    ],
    ['has bytes for what is no text', '310b3009060355040303020005', 'CN=#03020005'],
    ['is empty where there are no parts', '', ''],
  ];
  for (const [what, encoded, expected] of spelled)
    it(`[A9] ${what}`, () => {
      assert.equal(distinguishedName(Buffer.from(encoded, 'hex')), expected);
    });

  it('[A9] escapes blanks and carriage returns around a value, and none within', () => {
    const within = ' \r'.repeat(150_000);
    assert.equal(
      distinguishedName(name(cn, utf8(` \rx${within}y\r `))),
      `CN=\\ \\\rx${within}y\\\r\\ `,
    );
    assert.equal(distinguishedName(name(cn, utf8(' \r'))), 'CN=\\ \\\r');
  });

  it('[A9] has the bytes of a value alone, where its number is long too', () => {
    const long = Buffer.concat([
      Buffer.from([0x2a]),
      Buffer.alloc(4094, 0xff),
      Buffer.from([0x7f]),
    ]);
    const digits = (2n ** BigInt(4095 * 7) - 1n).toString();
    assert.equal(distinguishedName(name(long, utf8('x'))), `1.2.${digits}=#0c0178`);
  });

  it('[A9] cannot be read with a number that is longer than Java reads', () => {
    const longer = Buffer.concat([Buffer.alloc(4096, 0xff), Buffer.from([0x7f])]);
    assert.throws(() => distinguishedName(name(longer, utf8('x'))), /DerError: .*too long/);
  });

  it('[A9] cannot be read where bytes are missing', () => {
    assert.throws(() => distinguishedName(Buffer.from('310b3009', 'hex')), /DerError/);
    assert.throws(() => distinguishedName(name(cn, Buffer.alloc(0))), /DerError: .*no value/);
  });
});
