import type { Random } from './random.ts';

/** A UUID as Kafka prints it: 22 characters of URL-safe base64, no padding. */
export type Uuid = string;

/** A random (version 4) UUID that, as Kafka's `Uuid.randomUuid`, never starts with a dash: it may become a command-line argument. */
export function randomUuid(random: Random): Uuid {
  for (;;) {
    const bytes = random.bytes(16);
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
    const text = Buffer.from(bytes).toString('base64url');
    if (!text.startsWith('-')) return text;
  }
}
