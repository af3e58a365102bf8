// Fetch sessions [KIP-227], the same requests to our broker and to Kafka.
import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { RawClient, RequestInput, Response } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

type Topics = RequestInput<'fetch'>['topics'];
type Forgotten = RequestInput<'fetch'>['forgottenTopicsData'];

interface Asked {
  readonly id?: number;
  readonly epoch: number;
  readonly topics?: Topics;
  readonly forget?: Forgotten;
  readonly version?: number;
  readonly maxWaitMs?: number;
}

const partitionMaxBytes = 1_000_000;

/** Partitions and what is new of them, without what differs from run to run. */
function toldBy(response: Response<'fetch'>): string[] {
  return response.responses.flatMap(({ partitions }) =>
    partitions.map(
      ({ partitionIndex, errorCode, highWatermark, records }) =>
        `${partitionIndex} ${errorName(errorCode)} hw=${highWatermark} ${records?.length ? 'records' : 'nothing'}`,
    ),
  );
}

for (const server of servers) {
  describe(`Fetch sessions (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;
    let topic: string;
    let topicId: string;

    before(async () => {
      client = await connect();
    });
    beforeEach(async () => {
      topic = freshName('session');
      topicId = await createTopic(client, topic, { partitions: 3 });
    });

    const fetch = (asked: Asked): Promise<Response<'fetch'>> => {
      const { id = 0, epoch, topics = [], forget = [], version = 17, maxWaitMs = 0 } = asked;
      return client.call('fetch', version, {
        maxWaitMs,
        minBytes: 1,
        maxBytes: 10_000_000,
        sessionId: id,
        sessionEpoch: epoch,
        topics,
        forgottenTopicsData: forget,
      });
    };
    const of = (...partitions: (number | [number, bigint])[]): Topics => [
      {
        topicId,
        partitions: partitions.map((each) => {
          const [partition, fetchOffset] = typeof each === 'number' ? [each, 0n] : each;
          return { partition, fetchOffset, partitionMaxBytes };
        }),
      },
    ];
    const begin = async (topics: Topics = of(0, 1, 2)): Promise<number> => {
      const { errorCode, sessionId } = await fetch({ epoch: 0, topics });
      assert.equal(errorName(errorCode), 'NONE');
      assert.notEqual(sessionId, 0);
      return sessionId;
    };
    const produce = async (index: number, value = 'v'): Promise<void> => {
      const { responses } = await client.call('produce', 9, {
        acks: -1,
        timeoutMs: 10_000,
        topicData: [{ name: topic, partitionData: [{ index, records: batchOf([value]) }] }],
      });
      assert.equal(errorName(responses[0]?.partitionResponses[0]?.errorCode), 'NONE');
    };

    it('[A3] answers in full to a fetch that wants a session, and gives it', async () => {
      await produce(1);
      const answer = await fetch({ epoch: 0, topics: of(0, 1, 2) });
      assert.notEqual(answer.sessionId, 0);
      assert.deepEqual(toldBy(answer), [
        '0 NONE hw=0 nothing',
        '1 NONE hw=1 records',
        '2 NONE hw=0 nothing',
      ]);
    });

    it('[A3] gives no session to who wants none', async () => {
      const answer = await fetch({ epoch: -1, topics: of(0) });
      assert.equal(answer.sessionId, 0);
      assert.deepEqual(toldBy(answer), ['0 NONE hw=0 nothing']);
    });

    it('[A3] tells what is new since, and nothing else', async () => {
      const id = await begin();
      assert.deepEqual(toldBy(await fetch({ id, epoch: 1 })), []);
      await produce(2);
      const second = await fetch({ id, epoch: 2 });
      assert.equal(second.sessionId, id);
      assert.deepEqual(toldBy(second), ['2 NONE hw=1 records']);
      const third = await fetch({ id, epoch: 3, topics: of([2, 1n]) });
      assert.deepEqual(toldBy(third), []);
    });

    it('[A3] gives records again to who does not move on', async () => {
      await produce(0);
      const id = await begin();
      assert.deepEqual(toldBy(await fetch({ id, epoch: 1 })), ['0 NONE hw=1 records']);
      assert.deepEqual(toldBy(await fetch({ id, epoch: 2 })), ['0 NONE hw=1 records']);
    });

    it('[A3] takes in partitions that are added, and leaves out those that are forgotten', async () => {
      const id = await begin(of(0));
      await produce(0);
      await produce(1);
      const added = await fetch({ id, epoch: 1, topics: of(1) });
      assert.deepEqual(toldBy(added).sort(), ['0 NONE hw=1 records', '1 NONE hw=1 records']);
      const forgot = await fetch({ id, epoch: 2, forget: [{ topicId, partitions: [0, 2] }] });
      assert.deepEqual(toldBy(forgot), ['1 NONE hw=1 records']);
    });

    it('[A3] ends a session that has no partition left', async () => {
      const id = await begin(of(0, 1));
      const answer = await fetch({ id, epoch: 1, forget: [{ topicId, partitions: [0, 1] }] });
      assert.equal(answer.sessionId, 0);
      const gone = await fetch({ id, epoch: 2 });
      assert.equal(errorName(gone.errorCode), 'FETCH_SESSION_ID_NOT_FOUND');
    });

    it('[A3] puts a partition that gave records behind the others', async () => {
      const id = await begin();
      for (const index of [0, 1, 2]) await produce(index);
      const order = async (epoch: number): Promise<(number | undefined)[]> => {
        const { responses } = await fetch({ id, epoch });
        return responses.flatMap(({ partitions }) =>
          partitions.map(({ partitionIndex }) => partitionIndex),
        );
      };
      assert.deepEqual(await order(1), [0, 1, 2]);
      await fetch({ id, epoch: 2, topics: of([1, 1n]), forget: [] });
      assert.deepEqual(await order(3), [0, 2]);
      await fetch({ id, epoch: 4, topics: of(1, [0, 1n], [2, 1n]) });
      await produce(0);
      await produce(2);
      assert.deepEqual(await order(5), [0, 2, 1]);
    });

    it('[A3] has an epoch for each fetch, and no other', async () => {
      const id = await begin();
      for (const epoch of [2, 7]) {
        const answer = await fetch({ id, epoch });
        assert.equal(errorName(answer.errorCode), 'INVALID_FETCH_SESSION_EPOCH');
        assert.equal(answer.sessionId, 0);
        assert.deepEqual(toldBy(answer), []);
      }
      assert.equal(errorName((await fetch({ id, epoch: 1 })).errorCode), 'NONE');
    });

    it('[A3] does not know a session that it never gave', async () => {
      const answer = await fetch({ id: 12_345, epoch: 3 });
      assert.equal(errorName(answer.errorCode), 'FETCH_SESSION_ID_NOT_FOUND');
      assert.equal(answer.sessionId, 0);
    });

    for (const epoch of [0, -1]) {
      it(`[A3] closes the session that a full fetch names, here with epoch ${epoch}`, async () => {
        const id = await begin();
        const answer = await fetch({ id, epoch, topics: of(0) });
        assert.equal(answer.sessionId === 0, epoch === -1);
        assert.notEqual(answer.sessionId, id);
        const gone = await fetch({ id, epoch: 1 });
        assert.equal(errorName(gone.errorCode), 'FETCH_SESSION_ID_NOT_FOUND');
      });
    }

    it('[A3] does not mix names and ids in one session', async () => {
      const id = await begin();
      const older = await fetch({ id, epoch: 1, version: 12 });
      assert.equal(errorName(older.errorCode), 'FETCH_SESSION_TOPIC_ID_ERROR');
      const partitions = [{ partition: 0, fetchOffset: 0n, partitionMaxBytes }];
      const named = await fetch({ epoch: 0, version: 12, topics: [{ topic, partitions }] });
      const newer = await fetch({ id: named.sessionId, epoch: 1 });
      assert.equal(errorName(newer.errorCode), 'FETCH_SESSION_TOPIC_ID_ERROR');
      assert.equal(
        errorName((await fetch({ id: named.sessionId, epoch: 1, version: 12 })).errorCode),
        'NONE',
      );
    });

    it('[A3] tells of an error each time, and of the partition when the error is gone', async () => {
      await produce(0);
      const id = await begin(of([0, 1n], [1, 5n]));
      const failing = ['1 OFFSET_OUT_OF_RANGE hw=-1 nothing'];
      assert.deepEqual(toldBy(await fetch({ id, epoch: 1 })), failing);
      assert.deepEqual(toldBy(await fetch({ id, epoch: 2 })), failing);
      const mended = await fetch({ id, epoch: 3, topics: of([1, 0n]) });
      assert.deepEqual(toldBy(mended), ['1 NONE hw=0 nothing']);
      assert.deepEqual(toldBy(await fetch({ id, epoch: 4 })), []);
    });

    it('[A3] tells of partitions that are not there last, each time', async () => {
      await produce(1);
      const answer = await fetch({ epoch: 0, topics: of(9, 1) });
      assert.deepEqual(toldBy(answer), [
        '1 NONE hw=1 records',
        '9 UNKNOWN_TOPIC_OR_PARTITION hw=-1 nothing',
      ]);
      const next = await fetch({ id: answer.sessionId, epoch: 1, topics: of([1, 1n]) });
      assert.deepEqual(toldBy(next), ['9 UNKNOWN_TOPIC_OR_PARTITION hw=-1 nothing']);
    });

    it('[A3] tells of a log start that moved', async () => {
      await produce(0);
      const id = await begin(of([0, 1n]));
      const partitions = [{ partitionIndex: 0, offset: 1n }];
      await client.call('deleteRecords', 2, {
        timeoutMs: 10_000,
        topics: [{ name: topic, partitions }],
      });
      assert.deepEqual(toldBy(await fetch({ id, epoch: 1 })), ['0 NONE hw=1 nothing']);
    });

    it('[A3] notices that a topic was deleted, and made anew', async () => {
      const id = await begin(of([0, 0n]));
      await client.call('deleteTopics', 6, { topics: [{ name: topic }], timeoutMs: 10_000 });
      let answer = await fetch({ id, epoch: 1 });
      for (let epoch = 2; toldBy(answer).length === 0; epoch++) answer = await fetch({ id, epoch });
      assert.match(toldBy(answer).join(), /^0 (UNKNOWN_TOPIC_OR_PARTITION|NOT_LEADER_OR_FOLLOWER)/);
      assert.notEqual(await createTopic(client, topic), topicId);
      const other = await begin([
        { topicId, partitions: [{ partition: 0, fetchOffset: 0n, partitionMaxBytes }] },
      ]);
      const unknown = await fetch({ id: other, epoch: 1 });
      assert.deepEqual(toldBy(unknown), ['0 UNKNOWN_TOPIC_ID hw=-1 nothing']);
    });

    it('[A3] takes the id of a topic that was made anew for another topic', async () => {
      const id = await begin(of([0, 0n]));
      await client.call('deleteTopics', 6, { topics: [{ name: topic }], timeoutMs: 10_000 });
      for (let epoch = 1; ; epoch++) {
        await createTopic(client, topic).catch(() => undefined);
        const told = toldBy(await fetch({ id, epoch })).join();
        if (told === '0 INCONSISTENT_TOPIC_ID hw=-1 nothing') break;
        assert.ok(epoch < 500, told);
      }
    });

    it('[A3] counts the last of two words on one partition', async () => {
      await produce(0);
      const answer = await fetch({ epoch: 0, topics: of([0, 0n], 1, [0, 1n]) });
      assert.deepEqual(toldBy(answer), ['0 NONE hw=1 nothing', '1 NONE hw=0 nothing']);
    });

    it('[A3] answers one of two fetches that came with the same epoch', async () => {
      const id = await begin();
      const other = await connect();
      const asked = { maxWaitMs: 0, minBytes: 1, sessionId: id, sessionEpoch: 1 };
      const answers = await Promise.all([
        client.call('fetch', 17, asked),
        other.call('fetch', 17, asked),
      ]);
      const errors = answers.map(({ errorCode }) => errorName(errorCode)).sort();
      assert.deepEqual(errors, ['INVALID_FETCH_SESSION_EPOCH', 'NONE']);
    });
  });
}
