import type { Random } from './random.ts';

/** A UUID as Kafka prints it: 22 characters of URL-safe base64, no padding. */
export type Uuid = string;

/**
 * A random (version 4) UUID that, as Kafka's `Uuid.randomUuid`, never starts with a dash: it may become a command-line
 * argument.
 */
export function randomUuid(random: Random): Uuid {
  for (;;) {
    const text = version4(random).toString('base64url');
    if (!text.startsWith('-')) return text;
  }
}

/** A random (version 4) UUID as everybody else writes it, with dashes. [RFC 9562] */
export function randomUuidText(random: Random): string {
  const hex = version4(random).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function version4(random: Random): Buffer {
  const bytes = Buffer.from(random.bytes(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}
