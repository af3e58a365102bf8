import { decodeUtf8 } from '../../base/javaUtf8.ts';
import { derAt, type DerElement, DerError, derTags, readDer } from '../../base/keyStore/der.ts';

/** As X.509 numbers the attributes that RFC 2253 has a keyword for. Others go by their number. [AVAKeyword] */
const keywords: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'STREET',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '0.9.2342.19200300.100.1.1': 'UID',
  '0.9.2342.19200300.100.1.25': 'DC',
};

/** UTF8String, PrintableString, T61String, IA5String, GeneralString, BMPString. [AVA.isDerString] */
const stringTags: ReadonlySet<number> = new Set([0x0c, 0x13, 0x14, 0x16, 0x1b, 0x1e]);

/**
 * Java reads no longer one, and writing it out takes time with the square of its length.
 * [ObjectIdentifier.checkOidSize]
 */
const longestOidBytes = 4096;

/**
 * Who a certificate (in DER) is of, the last part first, letter for letter as Java's X500Principal.getName() has it: it
 * is what ACLs, rules and super users name. Node's own reading loses the order of parts, and which are of one level.
 * Throws a DerError. [RFC 2253, sun.security.x509.X500Name]
 */
export function subjectName(certificate: Buffer): string {
  const signed = derAt(readDer(certificate), 0, derTags.sequence);
  const fields = readDer(derAt(readDer(signed), 0, derTags.sequence));
  // The version is left out where it is the first; before the subject are number, algorithm, issuer and validity.
  const first = fields[0]?.tag === derTags.tagged0 ? 1 : 0;
  return distinguishedName(derAt(fields, first + 4, derTags.sequence));
}

/** Of what is in a sequence of levels, each of which is a set of attributes. */
export function distinguishedName(levels: Buffer): string {
  return readDer(levels)
    .map(({ content }) => readDer(content).map(attribute).join('+'))
    .reverse()
    .join(',');
}

function attribute({ content }: DerElement): string {
  const parts = readDer(content);
  const number = oidText(derAt(parts, 0, derTags.oid));
  const [, value] = parts;
  if (value === undefined) throw new DerError('an attribute has no value');
  const keyword = keywords[number];
  if (keyword !== undefined && stringTags.has(value.tag))
    return `${keyword}=${escaped(decodeUtf8(value.content))}`;
  return `${keyword ?? number}=#${value.whole.toString('hex')}`;
}

/**
 * Java takes blanks and carriage returns around a value for blanks. They are counted, as a pattern tries each blank
 * within.
 */
function escaped(value: string): string {
  let lead = 0;
  while (isBlank(value[lead])) lead++;
  let end = value.length;
  while (end > lead && isBlank(value[end - 1])) end--;
  const text = value
    .slice(lead, end)
    .replace(/[,=+<>#;"\\]/g, '\\$&')
    .replaceAll('\0', '\\00');
  return escapedBlanks(value.slice(0, lead)) + text + escapedBlanks(value.slice(end));
}

const isBlank = (letter: string | undefined): boolean => letter === ' ' || letter === '\r';

const escapedBlanks = (blanks: string): string => blanks.replace(/[^]/g, '\\$&');

/** Digits of seven bits; the first number holds two. */
function oidText(content: Buffer): string {
  if (content.length > longestOidBytes) throw new DerError('an object identifier is too long');
  const numbers: bigint[] = [];
  let number = 0n;
  for (const byte of content) {
    number = (number << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0n;
  }
  const [both = 0n, ...others] = numbers;
  const root = both < 80n ? both / 40n : 2n;
  return [root, both - root * 40n, ...others].join('.');
}
