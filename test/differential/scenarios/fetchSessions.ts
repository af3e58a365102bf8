// Fetch sessions (KIP-227).
import { apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import { zeroUuid } from '../../../src/protocol/schema.ts';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { batchOf, fetchFrom, int32Max, produce, unknownTopicId } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

/** Sessions have random ids: what is compared is whether there is one. */
async function fetch(
  run: Run,
  version: number,
  request: RequestInput<'fetch'>,
  label = '',
): Promise<number> {
  const { sessionId, ...rest } = await run.prepare('fetch', version, request);
  run.note('fetch', version, { ...rest, hasSession: sessionId > 0 }, label);
  return sessionId;
}

const of = (topic: Topic, version: number) =>
  version >= 13 ? { topicId: topic.id } : { topic: topic.name };

const empty = (sessionId: number, sessionEpoch: number): RequestInput<'fetch'> => ({
  maxWaitMs: 0,
  minBytes: 0,
  maxBytes: int32Max,
  sessionId,
  sessionEpoch,
  topics: [],
});

const versionsWithSessions = [7, 11, 12, 13, 18];

export const fetchSessionScenarios: Scenarios = {
  async 'a session is made, goes on, changes and ends'(run) {
    for (const version of versionsWithSessions) {
      const topic = await run.topic({ partitions: 2 });
      await produce(run, topic, batchOf(['a']));
      const id = await fetch(run, version, fetchFrom(topic, version, { sessionEpoch: 0 }), 'new');
      await fetch(run, version, empty(id, 1), 'nothing new');
      const seen = fetchFrom(topic, version, { sessionId: id, sessionEpoch: 2, fetchOffset: 1n });
      await fetch(run, version, seen, 'position moved');
      await fetch(run, version, empty(id, 3), 'at the end');
      await produce(run, topic, batchOf(['b']));
      await fetch(run, version, empty(id, 4), 'a record more');
      const added = fetchFrom(topic, version, { sessionId: id, sessionEpoch: 5, partition: 1 });
      await fetch(run, version, added, 'a partition more');
      const forgotten = {
        ...empty(id, 6),
        forgottenTopicsData: [{ ...of(topic, version), partitions: [0] }],
      };
      await fetch(run, version, forgotten, 'a partition forgotten');
      await produce(run, topic, batchOf(['c']));
      await fetch(run, version, empty(id, 7), 'not of the forgotten one');
      await fetch(run, version, empty(id, -1), 'ended');
      await fetch(run, version, empty(id, 8), 'gone');
    }
  },

  async 'epochs and ids that are not right'(run) {
    for (const version of versionsWithSessions) {
      const topic = await run.topic();
      const id = await fetch(run, version, fetchFrom(topic, version, { sessionEpoch: 0 }), 'new');
      await fetch(run, version, empty(id, 5), 'an epoch ahead');
      await fetch(run, version, empty(id, 1), 'the right epoch');
      await fetch(run, version, empty(id, 1), 'an epoch twice');
      await fetch(run, version, empty(id === 1 ? 2 : 1, 1), 'an unknown id');
      await fetch(run, version, empty(0, 3), 'no id and an epoch');
      await fetch(
        run,
        version,
        fetchFrom(topic, version, { sessionId: id, sessionEpoch: 0 }),
        'anew',
      );
    }
  },

  async 'what is unknown in a session'(run) {
    for (const version of versionsWithSessions) {
      const topic = await run.topic();
      const ghost = { name: run.fresh('ghost'), id: unknownTopicId };
      const id = await fetch(run, version, fetchFrom(ghost, version, { sessionEpoch: 0 }), 'new');
      await fetch(run, version, empty(id, 1), 'still unknown');
      await fetch(
        run,
        version,
        fetchFrom(topic, version, { sessionId: id, sessionEpoch: 2, fetchOffset: 9n }),
        'out of range',
      );
      await fetch(run, version, empty(id, 3), 'still out of range');
    }
  },

  async 'a partition that is named twice'(run) {
    for (const version of versionsWithSessions) {
      const topic = await run.topic({ partitions: 2 });
      await produce(run, topic, batchOf(['a']));
      await produce(run, topic, batchOf(['b']));
      const twice = (sessionId: number, sessionEpoch: number, offsets: readonly bigint[]) => ({
        ...empty(sessionId, sessionEpoch),
        topics: offsets.map((fetchOffset) => ({
          ...of(topic, version),
          partitions: [0, 1, 0].map((partition) => ({
            partition,
            fetchOffset,
            partitionMaxBytes: 1000,
          })),
        })),
      });
      const id = await fetch(run, version, twice(0, 0, [0n, 1n]), 'new');
      await fetch(run, version, empty(id, 1), 'nothing new');
      await fetch(run, version, twice(id, 2, [1n, 0n]), 'gone on with');
      const forgotten = { ...of(topic, version), partitions: [1, 1] };
      const both = { ...twice(id, 3, [1n]), forgottenTopicsData: [forgotten, forgotten] };
      await fetch(run, version, both, 'named and forgotten');
      await fetch(run, version, empty(id, 4), 'after that');
    }
  },

  async 'topics whose id is zero'(run) {
    for (const version of versionsWithSessions.filter((each) => each >= 13)) {
      const topic = await run.topic();
      const zeros = (sessionId: number, sessionEpoch: number, asked: readonly number[]) => ({
        ...empty(sessionId, sessionEpoch),
        topics: [{ topicId: zeroUuid, partitions: asked.map((partition) => ({ partition })) }],
      });
      await fetch(run, version, zeros(0, 0, [0, 1]), 'two in a new session');
      const id = await fetch(run, version, zeros(0, 0, [0]), 'one');
      await fetch(run, version, empty(id, 1), 'still one');
      await fetch(run, version, zeros(id, 2, [1]), 'one more');
      await fetch(run, version, fetchFrom(topic, version, { sessionId: id, sessionEpoch: 3 }));
      const forgottenTopicsData = [{ topicId: zeroUuid, partitions: [0] }];
      await fetch(run, version, { ...empty(id, 4), forgottenTopicsData }, 'one less');
      await fetch(run, version, empty(id, 5), 'one again');
    }
  },

  async 'topics whose id is zero, asked for by a follower'(run) {
    const topic = await run.topic();
    for (const version of versionsWithSessions.filter((each) => each >= 13))
      for (const replicaId of [1, 7]) {
        const who = version < 15 ? { replicaId } : { replicaState: { replicaId } };
        const zeros = (sessionId: number, sessionEpoch: number, asked: readonly number[]) => ({
          ...empty(sessionId, sessionEpoch),
          ...who,
          topics: [
            ...(sessionEpoch === 0 ? [{ topicId: topic.id, partitions: [{ partition: 0 }] }] : []),
            { topicId: zeroUuid, partitions: asked.map((partition) => ({ partition })) },
          ],
        });
        await fetch(run, version, zeros(0, 0, [0, 1]), 'two in a new session');
        await fetch(run, version, zeros(0, -1, [0, 1]), 'two without one');
        const id = await fetch(run, version, zeros(0, 0, [0]), 'one');
        await fetch(run, version, zeros(id, 1, [1]), 'one more');
        await fetch(run, version, empty(id, 1), 'the same epoch again');
        const forgottenTopicsData = [{ topicId: zeroUuid, partitions: [0] }];
        await fetch(run, version, { ...empty(id, 2), ...who, forgottenTopicsData }, 'one less');
        await fetch(run, version, { ...empty(id, 3), ...who }, 'one again');
        await fetch(run, version, zeros(id, -1, [0, 1]), 'two to end it');
      }
  },

  async 'topics whose id is zero, beside one that is waited for'(run) {
    const topic = await run.topic();
    const version = run.latest('fetch');
    const zeros = { topicId: zeroUuid, partitions: [{ partition: 0 }, { partition: 1 }] };
    const waited = fetchFrom(topic, version, { maxWaitMs: 100 });
    await run.closing('fetch', version, { ...waited, topics: [...(waited.topics ?? []), zeros] });
  },

  async 'names and ids in one session'(run) {
    const topic = await run.topic();
    await produce(run, topic, batchOf(['a']));
    const named = await fetch(run, 12, fetchFrom(topic, 12, { sessionEpoch: 0 }), 'by name');
    await fetch(run, 13, fetchFrom(topic, 13, { sessionId: named, sessionEpoch: 1 }), 'then by id');
    const byId = await fetch(run, 13, fetchFrom(topic, 13, { sessionEpoch: 0 }), 'by id');
    await fetch(
      run,
      12,
      fetchFrom(topic, 12, { sessionId: byId, sessionEpoch: 1 }),
      'then by name',
    );
  },

  async 'a session that is emptied while a fetch of it waits'(run) {
    for (const version of [7, 13]) {
      const topic = await run.topic();
      const id = await fetch(run, version, fetchFrom(topic, version, { sessionEpoch: 0 }), 'new');
      const [waiting, other] = [await run.connect(), await run.connect()];
      waiting.send('fetch', version, { ...empty(id, 1), maxWaitMs: 1000, minBytes: 1 });
      // The epoch is taken once the fetch is there.
      const forgottenTopicsData = [{ ...of(topic, version), partitions: [0] }];
      const request = { ...empty(id, 2), forgottenTopicsData };
      await run.until(['fetch', version, request], ({ errorCode }) => errorCode === 0, '', other);
      const frame = await waiting.nextFrame();
      if (!frame) throw new Error('the connection closed instead of an answer');
      const { sessionId, ...rest } = decodeResponse(apis.fetch, version, frame).body;
      run.note('fetch', version, { ...rest, hasSession: sessionId > 0 }, 'waiting');
      await fetch(run, version, empty(id, 3), 'gone');
    }
  },
};
