import type { Random } from '../../base/random.ts';
import { FetchSession, type FetchSessionOptions } from './fetchSession.ts';

/** What a session has to be unused, or to live, before it may be evicted. [MIN_INCREMENTAL_FETCH_SESSION_EVICTION_MS] */
const evictionMs = 120_000;
/** Partitions in all sessions together; ours, as Kafka bounds the sessions only. */
const maxPartitions = 250_000;
/** The session id that stands for none. */
export const noSession = 0;
const sessionIds = 2 ** 31 - 2;

interface Slot {
  readonly session: FetchSession;
  lastUsedMs: number;
  /** As of the last use, which is when a session is weighed. */
  size: number;
  isEvictableByFollower: boolean;
  isEvictable: boolean;
}

/** What makes a session worth more than another: a follower's, then a larger one. [EvictableKey] */
type Weight = Pick<FetchSession, 'isPrivileged' | 'size' | 'id'>;

/** The sessions of a broker, as many as `max.incremental.fetch.session.cache.slots` allows. [FetchSessionCacheShard] */
export class FetchSessionCache {
  readonly #maxSessions: number;
  readonly #random: Random;
  readonly #slots = new Map<number, Slot>();
  #partitionCount = 0;

  constructor(maxSessions: number, random: Random) {
    this.#maxSessions = maxSessions;
    this.#random = random;
  }

  get size(): number {
    return this.#slots.size;
  }

  get(id: number): FetchSession | undefined {
    return this.#slots.get(id)?.session;
  }

  /** The id of a new session; `noSession` where every slot is worth more. */
  create(options: Omit<FetchSessionOptions, 'id'>): number {
    const { nowMs, isPrivileged, reads } = options;
    if (this.#partitionCount + reads.length > maxPartitions) return noSession;
    const weight = { isPrivileged, size: reads.length, id: 0 };
    if (this.#slots.size >= this.#maxSessions && !this.#evict(weight, nowMs)) return noSession;
    const session = new FetchSession({ ...options, id: this.#newId() });
    const { id, size } = session;
    const slot = { session, lastUsedMs: nowMs, size, isEvictable: false };
    this.#slots.set(id, { ...slot, isEvictableByFollower: !isPrivileged });
    this.#partitionCount += size;
    return id;
  }

  /** The session was used, and may have grown; false: it has grown beyond all bounds and is gone. */
  touch(session: FetchSession, nowMs: number): boolean {
    const slot = this.#slots.get(session.id);
    if (!slot) return false;
    this.#partitionCount += session.size - slot.size;
    slot.size = session.size;
    slot.lastUsedMs = nowMs;
    slot.isEvictable = nowMs - session.createdMs > evictionMs;
    slot.isEvictableByFollower = !session.isPrivileged || slot.isEvictable;
    if (this.#partitionCount <= maxPartitions) return true;
    this.remove(session.id);
    return false;
  }

  remove(id: number): void {
    const slot = this.#slots.get(id);
    if (!slot) return;
    this.#slots.delete(id);
    this.#partitionCount -= slot.size;
  }

  /** Makes room: the one that was longest unused, if for long enough, else the least one that is worth less. */
  #evict(candidate: Weight, nowMs: number): boolean {
    let oldest: Slot | undefined;
    let least: Slot | undefined;
    for (const slot of this.#slots.values()) {
      if (!oldest || slot.lastUsedMs < oldest.lastUsedMs) oldest = slot;
      const isOpen = candidate.isPrivileged ? slot.isEvictableByFollower : slot.isEvictable;
      if (isOpen && (!least || compare(weightOf(slot), weightOf(least)) < 0)) least = slot;
    }
    if (oldest && nowMs - oldest.lastUsedMs > evictionMs) {
      this.remove(oldest.session.id);
      return true;
    }
    if (!least || compare(candidate, weightOf(least)) < 0) return false;
    this.remove(least.session.id);
    return true;
  }

  #newId(): number {
    for (;;) {
      const id = 1 + this.#random.below(sessionIds);
      if (!this.#slots.has(id)) return id;
    }
  }
}

function weightOf({ session, size }: Slot): Weight {
  return { isPrivileged: session.isPrivileged, size, id: session.id };
}

function compare(a: Weight, b: Weight): number {
  return (
    Number(a.isPrivileged) - Number(b.isPrivileged) || a.size - b.size || Math.sign(a.id - b.id)
  );
}
