/** One element of ASN.1 in DER: its tag byte and what is in it. */
export interface DerElement {
  readonly tag: number;
  /** As it stands, tag and length too. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

export const derTags = {
  integer: 0x02,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  tagged0: 0xa0,
} as const;

/** The bytes are not what their format says. */
export class DerError extends Error {
  override name = 'DerError';
}

/** Elements one after the other. Every length is checked against what is there. */
export function readDer(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let position = 0; position < bytes.length;) {
    const tag = bytes[position] ?? 0;
    const { length, start } = readLength(bytes, position + 1);
    const end = start + length;
    if (end > bytes.length) throw new DerError('an element is longer than what holds it');
    const whole = bytes.subarray(position, end);
    elements.push({ tag, whole, content: bytes.subarray(start, end) });
    position = end;
  }
  return elements;
}

function readLength(bytes: Buffer, position: number): { length: number; start: number } {
  const first = bytes[position];
  if (first === undefined) throw new DerError('it ends within an element');
  if (first < 0x80) return { length: first, start: position + 1 };
  const size = first & 0x7f;
  const start = position + 1 + size;
  if (size === 0 || size > 4 || start > bytes.length) throw new DerError('a length cannot be read');
  return { length: bytes.readUIntBE(position + 1, size), start };
}

/** The element at an index of a sequence's content, which has to have the tag. */
export function derAt(elements: readonly DerElement[], index: number, tag: number): Buffer {
  const element = elements[index];
  if (element?.tag !== tag) throw new DerError('an element is not the one expected');
  return element.content;
}

/** A small number. */
export function derNumber(content: Buffer): number {
  if (content.length < 1 || content.length > 4) throw new DerError('a number is out of bounds');
  return content.readUIntBE(0, content.length);
}
