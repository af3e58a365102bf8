import type { Random } from '../../base/random.ts';
import type { Steps } from '../../base/turns.ts';
import { memoryBounds } from '../memoryBounds.ts';
import type { PartitionRead } from './partitionFetch.ts';
import { FetchSession, type FetchSessionOptions } from './fetchSession.ts';

/**
 * What a session has to be unused, or to live, before it may be evicted. [MIN_INCREMENTAL_FETCH_SESSION_EVICTION_MS]
 */
const evictionMs = 120_000;
const { fetchSessionBytes: boundBytes } = memoryBounds;
/** The session id that stands for none. */
export const noSession = 0;
const sessionIds = 2 ** 31 - 2;

interface Slot {
  readonly session: FetchSession;
  lastUsedMs: number;
  /** As of the last use, which is when a session is weighed. */
  size: number;
  heapBytes: number;
  isEvictableByFollower: boolean;
  isEvictable: boolean;
}

/** What makes a session worth more than another: a follower's, then a larger one. [EvictableKey] */
type Weight = Pick<FetchSession, 'isPrivileged' | 'size' | 'id'>;

/** What makes a new session, with the reads of its first answer. */
interface NewSession extends Omit<FetchSessionOptions, 'id'> {
  readonly reads: readonly PartitionRead[];
}

/**
 * The sessions of a broker, as many as `max.incremental.fetch.session.cache.slots` allows, and as memory does: Kafka
 * bounds their number only. [FetchSessionCacheShard]
 */
export class FetchSessionCache {
  readonly #maxSessions: number;
  readonly #random: Random;
  readonly #slots = new Map<number, Slot>();
  #heapBytes = 0;

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

  /** The id of a new session; `noSession` where every slot is worth more, or there is no memory for it. */
  *create({ reads, ...options }: NewSession): Steps<number> {
    const { nowMs, isPrivileged } = options;
    const session = new FetchSession({ ...options, id: this.#newId() });
    yield* session.begin(reads);
    const { id, size, heapBytes } = session;
    if (this.#slots.has(id) || this.#heapBytes + heapBytes > boundBytes) return noSession;
    const weight = { isPrivileged, size, id: 0 };
    if (this.#slots.size >= this.#maxSessions && !this.#evict(weight, nowMs)) return noSession;
    const slot = { session, lastUsedMs: nowMs, size, heapBytes, isEvictable: false };
    this.#slots.set(id, { ...slot, isEvictableByFollower: !isPrivileged });
    this.#heapBytes += heapBytes;
    return id;
  }

  /** The session was used, and may have grown; false: it has grown beyond all bounds and is gone. */
  touch(session: FetchSession, nowMs: number): boolean {
    const slot = this.#slots.get(session.id);
    if (!slot) return false;
    this.#heapBytes += session.heapBytes - slot.heapBytes;
    slot.size = session.size;
    slot.heapBytes = session.heapBytes;
    slot.lastUsedMs = nowMs;
    slot.isEvictable = nowMs - session.createdMs > evictionMs;
    slot.isEvictableByFollower = !session.isPrivileged || slot.isEvictable;
    if (this.#heapBytes <= boundBytes) return true;
    this.remove(session.id);
    return false;
  }

  remove(id: number): void {
    const slot = this.#slots.get(id);
    if (!slot) return;
    this.#slots.delete(id);
    this.#heapBytes -= slot.heapBytes;
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
