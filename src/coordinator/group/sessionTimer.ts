import type { ClassicGroup } from './classicGroup.ts';

/** The timer that waits for a member, or for one that was given an id, to be heard of. */
export const heartbeatKey = ({ groupId }: ClassicGroup, memberId: string): string =>
  `heartbeat ${groupId.length} ${groupId} ${memberId}`;
