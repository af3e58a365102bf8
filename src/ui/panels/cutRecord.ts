/** A record as a page can show it: of a large payload the first part, and how much there is. */
import { isUtf8 } from 'node:buffer';
import type {
  CutPayload,
  DecodedPayload,
  RecordDetails,
} from '../../shared/contracts/recordDetails.ts';

interface Limits {
  /** What is longer is cut. */
  readonly most: number;
  /** So much of what is no text is left, which nobody reads on in. */
  readonly binary: number;
}

/** More than this would stop the window while it is carried over and laid out. */
const bytesMax = 1024 * 1024;
const payloadLimits: Limits = { most: bytesMax, binary: 64 * 1024 };
/** A header is a line among others. */
const headerLimits: Limits = { most: 64 * 1024, binary: 4 * 1024 };
/** Of those that come after as much as a payload may have. */
const laterHeaderLimits: Limits = { most: 1024, binary: 256 };

/** The payloads that are cut name what is whole of them; the others are as they were. */
export function cutRecord(record: RecordDetails): RecordDetails {
  const key = cutPayload(record.key, record.decodedKey, payloadLimits);
  const value = cutPayload(record.value, record.decodedValue, payloadLimits);
  return {
    ...record,
    ...(key && { key: key.first, decodedKey: key.decoded, cutKey: key.cut }),
    ...(value && { value: value.first, decodedValue: value.decoded, cutValue: value.cut }),
    headers: cutHeaders(record.headers),
  };
}

type Header = RecordDetails['headers'][number];

function cutHeaders(headers: readonly Header[]): Header[] {
  let carried = 0;
  return headers.map((header) => {
    const cut = cutHeader(header, carried < bytesMax ? headerLimits : laterHeaderLimits);
    carried += (cut.key?.length ?? 0) + (cut.value?.length ?? 0);
    return cut;
  });
}

function cutHeader(header: Header, limits: Limits): Header {
  const key = cutPayload(header.key, undefined, limits);
  const value = cutPayload(header.value, header.decoded, limits);
  return {
    ...header,
    ...(key && { key: key.first, cutKey: key.cut }),
    ...(value && { value: value.first, decoded: value.decoded, cutValue: value.cut }),
  };
}

interface FirstPart {
  readonly first: string;
  readonly decoded: DecodedPayload;
  readonly cut: CutPayload;
}

function cutPayload(
  payload: string | null,
  decoded: DecodedPayload,
  { most, binary }: Limits,
): FirstPart | undefined {
  if (payload === null) return undefined;
  const isLong = decoded && 'text' in decoded && decoded.text.length > most;
  if (!isLong && Buffer.byteLength(payload, 'base64') <= most) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  const isText = isUtf8(bytes);
  const first = isText
    ? bytes.subarray(0, wholeCharacters(bytes, most))
    : bytes.subarray(0, binary);
  return {
    first: first.toString('base64'),
    decoded: isLong ? { ...decoded, text: decoded.text.slice(0, most) } : decoded,
    cut: { bytes: bytes.length, isText, isJson: isText && isWithinBrackets(bytes) },
  };
}

/** As an object or array is. To parse all of it would hold every other panel up for a second. */
function isWithinBrackets(bytes: Buffer): boolean {
  const begin = bytes.subarray(0, 100).toString('latin1').trimStart()[0] ?? '';
  const end = bytes.subarray(-100).toString('latin1').trimEnd().at(-1) ?? '';
  return begin + end === '{}' || begin + end === '[]';
}

/** At most so many bytes, and no part of a character. */
function wholeCharacters(bytes: Buffer, most: number): number {
  if (bytes.length <= most) return bytes.length;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
