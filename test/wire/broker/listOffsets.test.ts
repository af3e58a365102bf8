import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { RawClient } from './support/rawClient.ts';
import {
  batchOf,
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from './support/servers.ts';

const latest = -1n;
const earliest = -2n;
const maxTimestamp = -3n;
const earliestLocal = -4n;
const latestTiered = -5n;
const earliestPendingUpload = -6n;

for (const server of servers) {
  describe(`ListOffsets (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    const topic = freshName();
    const empty = freshName();
    const startMs = BigInt(Date.now() - 100_000);
    let client: RawClient;

    before(async () => {
      client = await connect();
      await createTopic(client, topic);
      await createTopic(client, empty);
      for (const times of [[0n, 10n, 20n], [90n, 30n], [40n]]) {
        const records = batchOf(
          times.map((time) => ({ timestamp: startMs + time, value: Buffer.from('x') })),
        );
        await client.call('produce', 9, {
          acks: -1,
          timeoutMs: 10_000,
          topicData: [{ name: topic, partitionData: [{ index: 0, records }] }],
        });
      }
    });
    beforeEach(async () => {
      client = await connect();
    });

    const ask = async (
      timestamp: bigint,
      { version = 11, name = topic, currentLeaderEpoch = -1, partitionIndex = 0 } = {},
    ): Promise<string> => {
      const { topics } = await client.call('listOffsets', version, {
        replicaId: -1,
        topics: [{ name, partitions: [{ partitionIndex, currentLeaderEpoch, timestamp }] }],
      });
      const found = topics[0]?.partitions[0];
      assert.ok(found);
      const { offset, leaderEpoch } = found;
      const time = found.timestamp < 0n ? found.timestamp : found.timestamp - startMs;
      return `${errorName(found.errorCode)} offset ${offset} time ${time} epoch ${leaderEpoch}`;
    };

    it('[A3] finds the ends', async () => {
      assert.equal(await ask(latest), 'NONE offset 6 time -1 epoch 0');
      assert.equal(await ask(earliest), 'NONE offset 0 time -1 epoch 0');
      assert.equal(await ask(earliestLocal), 'NONE offset 0 time -1 epoch 0');
    });

    it('[A3] finds the ends of a log that has nothing', async () => {
      assert.equal(await ask(latest, { name: empty }), 'NONE offset 0 time -1 epoch 0');
      assert.equal(await ask(earliest, { name: empty }), 'NONE offset 0 time -1 epoch 0');
      assert.equal(await ask(maxTimestamp, { name: empty }), 'NONE offset -1 time -1 epoch -1');
      assert.equal(await ask(5n, { name: empty }), 'NONE offset -1 time -1 epoch -1');
    });

    it('[A3] finds the first record at or after a time, inside a batch too', async () => {
      assert.equal(await ask(startMs), 'NONE offset 0 time 0 epoch 0');
      assert.equal(await ask(startMs + 1n), 'NONE offset 1 time 10 epoch 0');
      assert.equal(await ask(startMs + 20n), 'NONE offset 2 time 20 epoch 0');
      assert.equal(await ask(startMs + 25n), 'NONE offset 3 time 90 epoch 0');
      assert.equal(await ask(startMs + 91n), 'NONE offset -1 time -1 epoch -1');
    });

    it('[A3] finds the record with the largest timestamp', async () => {
      assert.equal(await ask(maxTimestamp), 'NONE offset 3 time 90 epoch 0');
    });

    it('[A3] has nothing tiered', async () => {
      assert.equal(await ask(latestTiered), 'NONE offset -1 time -1 epoch -1');
      assert.equal(await ask(earliestPendingUpload), 'NONE offset -1 time -1 epoch -1');
    });

    it('[A3] answers in every version, with epochs from 4 on', async () => {
      for (let version = 1; version <= 11; version++) {
        const epoch = version >= 4 ? 0 : -1;
        assert.equal(await ask(latest, { version }), `NONE offset 6 time -1 epoch ${epoch}`);
      }
    });

    const refusals: [string, bigint, object, string][] = [
      ['max timestamp before version 7', maxTimestamp, { version: 6 }, 'UNSUPPORTED_VERSION'],
      ['local start before version 8', earliestLocal, { version: 7 }, 'UNSUPPORTED_VERSION'],
      ['tiered end before version 9', latestTiered, { version: 8 }, 'UNSUPPORTED_VERSION'],
      ['a meaning that no version has', -7n, {}, 'UNSUPPORTED_VERSION'],
      [
        'a partition that is not there',
        latest,
        { partitionIndex: 4 },
        'UNKNOWN_TOPIC_OR_PARTITION',
      ],
      ['a topic that is not there', latest, { name: freshName() }, 'UNKNOWN_TOPIC_OR_PARTITION'],
      ['an epoch that has not been', latest, { currentLeaderEpoch: 4 }, 'UNKNOWN_LEADER_EPOCH'],
    ];
    for (const [what, timestamp, more, error] of refusals) {
      it(`[A3] refuses ${what}: ${error}`, async () => {
        assert.equal(await ask(timestamp, more), `${error} offset -1 time -1 epoch -1`);
      });
    }

    it('[A3] refuses a partition that is asked for twice', async () => {
      const twice = [0, 0].map((partitionIndex) => ({ partitionIndex, timestamp: latest }));
      const { topics } = await client.call('listOffsets', 7, {
        replicaId: -1,
        topics: [{ name: topic, partitions: twice }],
      });
      const errors = new Set(topics[0]?.partitions.map(({ errorCode }) => errorName(errorCode)));
      assert.deepEqual([...errors], ['INVALID_REQUEST']);
    });

    it('[A3] finds where records were deleted up to, and refuses to delete what is not there', async () => {
      const name = freshName();
      await createTopic(client, name);
      await client.call('produce', 9, {
        acks: -1,
        timeoutMs: 10_000,
        topicData: [{ name, partitionData: [{ index: 0, records: batchOf(['a', 'b', 'c']) }] }],
      });
      const deleteUpTo = async (offset: bigint): Promise<string> => {
        const { topics } = await client.call('deleteRecords', 2, {
          timeoutMs: 10_000,
          topics: [{ name, partitions: [{ partitionIndex: 0, offset }] }],
        });
        const result = topics[0]?.partitions[0];
        return `${errorName(result?.errorCode)} ${result?.lowWatermark}`;
      };
      assert.equal(await deleteUpTo(2n), 'NONE 2');
      assert.equal(await ask(earliest, { name }), 'NONE offset 2 time -1 epoch 0');
      assert.equal(await deleteUpTo(4n), 'OFFSET_OUT_OF_RANGE -1');
      assert.equal(await deleteUpTo(-1n), 'NONE 3');
      assert.equal(await ask(earliest, { name }), 'NONE offset 3 time -1 epoch 0');
    });

    it('[A3] tells where a leader epoch ends', async () => {
      const endOf = async (leaderEpoch: number, currentLeaderEpoch = -1): Promise<string> => {
        const { topics } = await client.call('offsetForLeaderEpoch', 4, {
          replicaId: -1,
          topics: [{ topic, partitions: [{ partition: 0, currentLeaderEpoch, leaderEpoch }] }],
        });
        const end = topics[0]?.partitions[0];
        return `${errorName(end?.errorCode)} epoch ${end?.leaderEpoch} end ${end?.endOffset}`;
      };
      assert.equal(await endOf(0), 'NONE epoch 0 end 6');
      assert.equal(await endOf(5), 'NONE epoch -1 end -1');
      assert.equal(await endOf(0, 9), 'UNKNOWN_LEADER_EPOCH epoch -1 end -1');
    });
  });
}
