import type { Random } from '../../base/random.ts';

/** `<prefix>-<uuid>`, as Kafka makes member ids from the client id or the group instance id. */
export function newMemberId(prefix: string, random: Random): string {
  const bytes = random.bytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Buffer.from(bytes).toString('hex');
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ];
  return `${prefix}-${parts.join('-')}`;
}
