// Topics that are deleted, and made again under the same name, while a session of fetches or a fetch that waits is on
// them.
import { apis } from '../../../src/protocol/apis.ts';
import { decodeResponse } from '../../../src/protocol/frames.ts';
import { createTopic } from '../../wire/broker/support/servers.ts';
import type { RawClient, RequestInput, Response } from '../../wire/broker/support/rawClient.ts';
import { batchOf, fetchFrom, int32Max, produce } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

/** Those in which sessions, epochs of records, and ids are new, and the last. */
const versionsOf = (run: Run): readonly number[] => [7, 11, 12, 13, 15, run.latest('fetch')];

function note(run: Run, version: number, response: Response<'fetch'>, label: string): number {
  const { sessionId, ...rest } = response;
  run.note('fetch', version, { ...rest, hasSession: sessionId > 0 }, label);
  return sessionId;
}

const fetch = async (
  run: Run,
  version: number,
  request: RequestInput<'fetch'>,
  label: string,
): Promise<number> => note(run, version, await run.prepare('fetch', version, request), label);

const emptyFetch = (sessionId: number, sessionEpoch: number): RequestInput<'fetch'> => ({
  maxWaitMs: 0,
  minBytes: 0,
  maxBytes: int32Max,
  sessionId,
  sessionEpoch,
  topics: [],
});

const forgetting = ({ name, id }: Topic, version: number) => ({
  forgottenTopicsData: [
    { ...(version >= 13 ? { topicId: id } : { topic: name }), partitions: [0] },
  ],
});

/** Resolves once the log is gone, also from the broker's own list. */
async function deleted(run: Run, { name }: Topic, on?: RawClient): Promise<void> {
  await run.prepare('deleteTopics', 5, { topicNames: [name], timeoutMs: 10_000 });
  const partitions = [0];
  await run.until(
    ['describeLogDirs', 1, { topics: [{ topic: name, partitions }] }],
    ({ results }) => results.every(({ topics }) => topics.length === 0),
    'deleted',
    on,
  );
}

async function madeAgain(run: Run, { name, partitions }: Topic): Promise<Topic> {
  const client = await run.connect();
  const again = { name, id: await createTopic(client, name, { partitions }), partitions };
  run.topics.push(again);
  return again;
}

async function sessionOn(run: Run, version: number, topic: Topic): Promise<number> {
  await produce(run, topic, batchOf(['a']));
  const id = await fetch(run, version, fetchFrom(topic, version, { sessionEpoch: 0 }), 'new');
  const moved = fetchFrom(topic, version, { sessionId: id, sessionEpoch: 1, fetchOffset: 1n });
  await fetch(run, version, moved, 'moved on');
  return id;
}

export const recreatedTopicScenarios: Scenarios = {
  async 'a session knows a topic that was deleted by name, and more of it by the id alone'(run) {
    for (const version of versionsOf(run).filter((each) => each >= 13)) {
      const [topic, other] = [await run.topic({ partitions: 3 }), await run.topic()];
      const asking = (sessionEpoch: number, partitions: readonly number[], sessionId = 0) => ({
        ...emptyFetch(sessionId, sessionEpoch),
        topics: [other, topic, other].map(({ id: topicId }, i) => ({
          topicId,
          partitions: partitions.map((partition) => ({ partition: i === 2 ? 7 : partition })),
        })),
      });
      const id = await fetch(run, version, asking(0, [1, 2]), 'new');
      await deleted(run, topic);
      await fetch(run, version, asking(1, [0, 2], id), 'more of it');
      await fetch(run, version, emptyFetch(id, 2), 'all of it');
      const named = [topic, other, topic].map(({ id: topicId }, i) => ({
        topicId,
        partitions: [{ partition: 5 + i }],
      }));
      await fetch(run, version, { ...emptyFetch(0, -1), topics: named }, 'ids that are not there');
    }
  },

  async 'a session goes on over a topic that was deleted'(run) {
    for (const version of versionsOf(run)) {
      const [topic, other] = [await run.topic(), await run.topic()];
      const id = await sessionOn(run, version, topic);
      const added = fetchFrom(other, version, { sessionId: id, sessionEpoch: 2 });
      await fetch(run, version, added, 'another one');
      await deleted(run, topic);
      await fetch(run, version, emptyFetch(id, 3), 'gone');
      await fetch(run, version, emptyFetch(id, 4), 'still gone');
      await produce(run, other, batchOf(['b']));
      await fetch(run, version, emptyFetch(id, 5), 'and a record of the other');
      const asked = fetchFrom(topic, version, { sessionId: id, sessionEpoch: 6 });
      await fetch(run, version, asked, 'asked for again');
      await fetch(
        run,
        version,
        { ...emptyFetch(id, 7), ...forgetting(topic, version) },
        'forgotten',
      );
      await fetch(run, version, emptyFetch(id, 8), 'after that');
      await fetch(
        run,
        version,
        fetchFrom(topic, version, { sessionId: id, sessionEpoch: 0 }),
        'anew',
      );
    }
  },

  async 'a session goes on over a topic that was made again'(run) {
    for (const version of versionsOf(run)) {
      const topic = await run.topic();
      const id = await sessionOn(run, version, topic);
      await deleted(run, topic);
      const again = await madeAgain(run, topic);
      await fetch(run, version, emptyFetch(id, 2), 'made again');
      await produce(run, again, batchOf(['b', 'c']));
      await fetch(run, version, emptyFetch(id, 3), 'with records');
      const asked = fetchFrom(again, version, { sessionId: id, sessionEpoch: 4 });
      await fetch(run, version, asked, 'asked for');
      await fetch(run, version, emptyFetch(id, 5), 'nothing new');
      await fetch(
        run,
        version,
        { ...emptyFetch(id, 6), ...forgetting(topic, version) },
        'forgotten',
      );
      await fetch(run, version, emptyFetch(id, 7), 'after that');
      const both = fetchFrom(again, version, { sessionId: id, sessionEpoch: 0 });
      const topics = [...(both.topics ?? []), ...(fetchFrom(topic, version).topics ?? [])];
      await fetch(run, version, { ...both, topics }, 'both anew');
      await fetch(run, version, { ...emptyFetch(id, -1), topics }, 'both at the end');
    }
  },

  async 'a session meets a topic only after it was gone and is back'(run) {
    for (const version of versionsOf(run)) {
      const topic = await run.topic();
      const id = await sessionOn(run, version, topic);
      await deleted(run, topic);
      await fetch(run, version, emptyFetch(id, 2), 'gone');
      const again = await madeAgain(run, topic);
      await fetch(run, version, emptyFetch(id, 3), 'back');
      await produce(run, again, batchOf(['b', 'c']));
      await fetch(run, version, emptyFetch(id, 4), 'with records');
      const replaced = {
        ...fetchFrom(again, version, { sessionId: id, sessionEpoch: 5 }),
        ...forgetting(topic, version),
      };
      await fetch(run, version, replaced, 'in place of the other');
      await fetch(run, version, emptyFetch(id, 6), 'nothing new');
    }
  },

  async 'a topic is deleted under a fetch that waits'(run) {
    for (const version of [4, ...versionsOf(run)]) {
      const topic = await run.topic();
      await produce(run, topic, batchOf(['a']));
      const waiting = await run.connect();
      const request = fetchFrom(topic, version, { fetchOffset: 1n, maxWaitMs: 2000 });
      waiting.send('fetch', version, request);
      await deleted(run, topic);
      const frame = await waiting.nextFrame();
      if (!frame) throw new Error('the connection closed instead of an answer');
      note(run, version, decodeResponse(apis.fetch, version, frame).body, 'waiting');
    }
  },
};
