import type { Steps } from '../../base/turns.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { fetchOf, finalEpoch, type FetchSession, initialEpoch, nextEpoch } from './fetchSession.ts';
import { type FetchSessionCache, noSession } from './fetchSessionCache.ts';
import type { PartitionFetch, PartitionRead } from './partitionFetch.ts';

/** A fetch as the client sent it. */
export interface FetchAsked {
  readonly sessionId: number;
  readonly sessionEpoch: number;
  readonly usesTopicIds: boolean;
  readonly isReplica: boolean;
  /** No partition twice. */
  readonly fetches: readonly PartitionFetch[];
  /** Keys of partitions that the session is to forget. */
  readonly forgotten: readonly string[];
}

interface Conclusion {
  readonly error: ErrorName;
  readonly sessionId: number;
  readonly reads: readonly PartitionRead[];
}

/** What is to be read for a fetch, and what its answer says of it. */
export interface FetchContext {
  readonly fetches: readonly PartitionFetch[];
  conclude(reads: readonly PartitionRead[]): Conclusion | Steps<Conclusion>;
  /** The answer of a client that is throttled: nothing, and the session goes on. */
  concludeThrottled(): Conclusion;
}

interface Surroundings {
  readonly sessions: FetchSessionCache;
  readonly nowMs: () => number;
  readonly nameOf: (topicId: string) => string | undefined;
}

/** Finds out what a fetch means with the session that it names. [FetchManager.newContext] */
export function fetchContext(
  asked: FetchAsked,
  around: Surroundings,
): FetchContext | Steps<FetchContext> {
  const { sessions } = around;
  const { sessionId, sessionEpoch: epoch, fetches } = asked;
  if (epoch === initialEpoch || epoch === finalEpoch) {
    sessions.remove(sessionId);
    return epoch === finalEpoch ? sessionless(fetches) : full(asked, around);
  }
  const session = sessions.get(sessionId);
  if (!session) return failed('FETCH_SESSION_ID_NOT_FOUND');
  if (session.epoch !== epoch) return failed('INVALID_FETCH_SESSION_EPOCH');
  if (session.usesTopicIds !== asked.usesTopicIds) return failed('FETCH_SESSION_TOPIC_ID_ERROR');
  // First of all: no other fetch of this epoch is to come in between.
  session.epoch = nextEpoch(epoch);
  return goneOnWith(session, asked, around);
}

function* goneOnWith(
  session: FetchSession,
  { sessionEpoch, fetches: news, forgotten }: FetchAsked,
  { sessions, nowMs, nameOf }: Surroundings,
): Steps<FetchContext> {
  // Most fetches of a session say nothing.
  if (news.length + forgotten.length > 0) yield* session.update(news, forgotten);
  if (session.size === 0) {
    sessions.remove(session.id);
    // A fetch of it that still waits is answered: no other came after it.
    session.epoch = sessionEpoch;
    return sessionless(news);
  }
  if (!sessions.touch(session, nowMs())) return failed('FETCH_SESSION_ID_NOT_FOUND');
  const fetches: PartitionFetch[] = [];
  for (const partition of session.partitions()) {
    fetches.push(fetchOf(partition, nameOf));
    yield;
  }
  return incremental(session, fetches);
}

function failed(error: ErrorName): FetchContext {
  const conclusion = { error, sessionId: noSession, reads: [] };
  return { fetches: [], conclude: () => conclusion, concludeThrottled: () => empty };
}

const empty: Conclusion = { error: 'NONE', sessionId: noSession, reads: [] };

function sessionless(fetches: readonly PartitionFetch[]): FetchContext {
  return {
    fetches,
    conclude: (reads) => ({ ...empty, reads }),
    concludeThrottled: () => empty,
  };
}

function full(
  { fetches, isReplica: isPrivileged, usesTopicIds }: FetchAsked,
  { sessions, nowMs }: Surroundings,
): FetchContext {
  return {
    fetches,
    *conclude(reads) {
      const options = { isPrivileged, usesTopicIds, nowMs: nowMs(), reads };
      return { error: 'NONE', sessionId: yield* sessions.create(options), reads };
    },
    concludeThrottled: () => empty,
  };
}

/** Another fetch of the same session meanwhile leaves this one without an answer of its own. */
function incremental(session: FetchSession, fetches: readonly PartitionFetch[]): FetchContext {
  const { id: sessionId, epoch } = session;
  const conclusion = (reads: readonly PartitionRead[]): Conclusion =>
    session.epoch === epoch
      ? { error: 'NONE', sessionId, reads }
      : { error: 'INVALID_FETCH_SESSION_EPOCH', sessionId, reads: [] };
  return {
    fetches,
    *conclude(reads) {
      const news: PartitionRead[] = [];
      for (const read of session.epoch === epoch ? reads : []) {
        if (session.isNews(read)) news.push(read);
        yield;
      }
      return conclusion(news);
    },
    concludeThrottled: () => conclusion([]),
  };
}
