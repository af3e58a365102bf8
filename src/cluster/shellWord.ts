/** A word of bash that stands for these bytes; none may be zero. */
export function shellWord(word: string | Uint8Array): string {
  const bytes = Buffer.from(word);
  const text = bytes.toString();
  if (/^[\w./:=,@+-]+$/.test(text)) return text;
  // What prints is quoted as it is; control characters and bytes that are no text need bash's own escapes.
  if (isText(bytes) && !/[\u0000-\u001f\u007f]/.test(text)) {
    return `'${text.replaceAll("'", "'\\''")}'`;
  }
  const escaped = Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return `$'${escaped.join('')}'`;
}

export function isText(bytes: Uint8Array): boolean {
  return Buffer.from(Buffer.from(bytes).toString()).equals(bytes);
}
