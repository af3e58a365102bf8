// Sessions where there is room for few, the same to our broker and to Kafka.
import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { startCluster } from '../../../src/embedded.ts';
import { zeroUuid } from '../../../src/protocol/schema.ts';
import { startKafka } from '../../support/kafka/realKafka.ts';
import { RawClient, type RequestInput, type Response } from './support/rawClient.ts';
import { createTopic, errorName, freshName, patienceMs } from './support/servers.ts';

/** Kafka has eight caches, each with its part of the room. */
const slots = 8;
const configs = { 'max.incremental.fetch.session.cache.slots': String(slots) };

const starts = {
  embedded: () => startCluster({ configs }),
  'Kafka 4.4': () => startKafka({ config: configs }),
};

for (const [name, start] of Object.entries(starts))
  describe(`Fetch sessions where there is room for few (${name})`, function () {
    this.timeout(patienceMs);
    const ends: (() => unknown)[] = [];
    after(async () => {
      for (const end of ends.toReversed()) await end();
    });

    it('[A3] gives a follower room, also where it cannot be told of it', async () => {
      const server = await start();
      ends.push(() => server.stop());
      const client = await RawClient.open(server.bootstrap);
      ends.push(() => client.close());
      const topicId = await createTopic(client, freshName());
      const fetch = (
        topics: NonNullable<RequestInput<'fetch'>['topics']>,
        more: Pick<RequestInput<'fetch'>, 'sessionId' | 'sessionEpoch' | 'replicaState'>,
      ): Promise<Response<'fetch'>> =>
        client.call('fetch', 17, { maxWaitMs: 0, minBytes: 0, maxBytes: 1000, topics, ...more });
      const known = [{ topicId, partitions: [{ partition: 0, partitionMaxBytes: 1000 }] }];
      const sessions: number[] = [];
      for (let made = 0; made < slots; made++) {
        const { sessionId } = await fetch(known, { sessionEpoch: 0 });
        sessions.push(sessionId);
      }
      assert.equal(new Set(sessions.filter((id) => id > 0)).size, slots);
      const zeros = [{ topicId: zeroUuid, partitions: [{ partition: 0 }, { partition: 1 }] }];
      const lost = async (sessionEpoch: number): Promise<number> => {
        const answers: string[] = [];
        for (const sessionId of sessions) {
          const { errorCode } = await fetch([], { sessionId, sessionEpoch });
          answers.push(errorName(errorCode));
        }
        return answers.filter((error) => error === 'FETCH_SESSION_ID_NOT_FOUND').length;
      };

      const ofConsumer = await fetch(zeros, { sessionEpoch: 0 });
      assert.notEqual(errorName(ofConsumer.errorCode), 'NONE');
      assert.equal(await lost(1), 0);
      const replicaState = { replicaId: 7, replicaEpoch: -1n };
      const ofFollower = await fetch(zeros, { sessionEpoch: 0, replicaState });
      assert.notEqual(errorName(ofFollower.errorCode), 'NONE');
      assert.equal(await lost(2), 1);
    });
  });
