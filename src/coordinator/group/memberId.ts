import type { Random } from '../../base/random.ts';
import { randomUuidText } from '../../base/uuid.ts';

/** `<prefix>-<uuid>`, as Kafka makes member ids from the client id or the group instance id. */
export function newMemberId(prefix: string, random: Random): string {
  return `${prefix}-${randomUuidText(random)}`;
}
