import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import type { RawClient, RequestInput } from '../broker/support/rawClient.ts';
import {
  connections,
  createTopic,
  errorName,
  freshName,
  patienceMs,
  servers,
} from '../broker/support/servers.ts';
import { patiently, RawProducer, type Protocol, versions } from './support/rawProducer.ts';

for (const server of servers) {
  describe(`Offsets in transactions (${server.name})`, function () {
    this.timeout(patienceMs);
    const connect = connections(server);
    let client: RawClient;
    let topic: string;
    let topicId: string;
    let groupId: string;

    before(async () => {
      client = await connect();
    });

    beforeEach(async () => {
      topic = freshName();
      groupId = freshName('group');
      topicId = await createTopic(client, topic);
      await patiently(
        () => client.call('findCoordinator', 4, { keyType: 0, coordinatorKeys: [groupId] }),
        ({ coordinators }) => coordinators[0]?.errorCode ?? -1,
      );
      // Until the group's coordinator has loaded.
      await patiently(
        () => client.call('offsetFetch', 8, { groups: [{ groupId, topics: null }] }),
        ({ groups }) => groups[0]?.errorCode ?? -1,
      );
    });

    const start = (protocol: Protocol = 'v2'): Promise<RawProducer> =>
      RawProducer.start(client, freshName('txn'), protocol);

    /** Makes the group part of the transaction, where the producer has to say so. */
    const join = async (producer: RawProducer): Promise<void> => {
      if (producer.protocol === 'v2') return;
      const { transactionalId, producerId, producerEpoch } = producer;
      const { errorCode } = await patiently(
        () =>
          client.call('addOffsetsToTxn', 3, {
            transactionalId,
            producerId,
            producerEpoch,
            groupId,
          }),
        (answer) => answer.errorCode,
      );
      assert.equal(errorName(errorCode), 'NONE');
    };

    const commitOffset = async (
      producer: RawProducer,
      committedOffset: bigint,
      more: RequestInput<'txnOffsetCommit'> = {},
      version: number = versions[producer.protocol].txnOffsetCommit,
    ): Promise<string> => {
      const { transactionalId, producerId, producerEpoch } = producer;
      const partitions = [{ partitionIndex: 0, committedOffset, committedMetadata: 'm' }];
      const answer = await patiently(
        () =>
          client.call('txnOffsetCommit', version, {
            transactionalId,
            groupId,
            producerId,
            producerEpoch,
            topics: [{ name: topic, topicId, partitions }],
            ...more,
          }),
        ({ topics }) => topics[0]?.partitions[0]?.errorCode ?? -1,
      );
      return errorName(answer.topics[0]?.partitions[0]?.errorCode);
    };

    const fetched = async (requireStable: boolean, all = false): Promise<string> => {
      const topics = all ? null : [{ name: topic, partitionIndexes: [0] }];
      const { groups } = await client.call('offsetFetch', 8, {
        groups: [{ groupId, topics }],
        requireStable,
      });
      const partition = groups[0]?.topics[0]?.partitions[0];
      if (!partition) return 'nothing';
      const { errorCode, committedOffset } = partition;
      return errorCode === 0 ? String(committedOffset) : errorName(errorCode);
    };

    for (const protocol of Object.keys(versions) as Protocol[]) {
      it(`[A6] count once the transaction is committed, and not if it is aborted (${protocol})`, async () => {
        const producer = await start(protocol);
        await join(producer);
        assert.equal(await commitOffset(producer, 5n), 'NONE');
        assert.equal(await fetched(false), '-1');
        assert.equal(await fetched(true), 'UNSTABLE_OFFSET_COMMIT');
        assert.equal(await producer.commit(), 'NONE');
        await producer.settled();
        assert.equal(await fetched(true), '5');
        assert.equal(await fetched(true, true), '5');

        await join(producer);
        assert.equal(await commitOffset(producer, 9n), 'NONE');
        assert.equal(await fetched(false), '5');
        assert.equal(await fetched(true, true), 'UNSTABLE_OFFSET_COMMIT');
        assert.equal(await producer.abort(), 'NONE');
        await producer.settled();
        assert.equal(await fetched(true), '5');
      });
    }

    it('[A6] leave the later of two commits, in and out of the transaction, as it is', async () => {
      const producer = await start();
      assert.equal(await commitOffset(producer, 5n), 'NONE');
      const partitions = [{ partitionIndex: 0, committedOffset: 7n }];
      await client.call('offsetCommit', 8, { groupId, topics: [{ name: topic, partitions }] });
      await producer.commit();
      await producer.settled();
      assert.equal(await fetched(true), '7');
    });

    it('[A6] are refused to a producer that was fenced, or that did not say that it would', async () => {
      const old = await start('v1');
      assert.equal(await commitOffset(old, 1n), 'TRANSACTION_ABORTABLE');
      assert.equal(await commitOffset(old, 1n, {}, 3), 'INVALID_TXN_STATE');
      await join(old);
      const next = new RawProducer(client, old.transactionalId, 'v1');
      await next.init();
      assert.equal(await commitOffset(old, 1n), 'INVALID_PRODUCER_EPOCH');
      await join(next);
      assert.equal(await commitOffset(next, 2n), 'NONE');
      await next.commit();
      await next.settled();
      assert.equal(await fetched(true), '2');
    });

    it('[A6] are held to the group’s members and generation, where the producer names them (KIP-447)', async () => {
      const producer = await start();
      const unknown = { generationIdOrMemberEpoch: 3, memberId: 'nobody' };
      assert.equal(await commitOffset(producer, 1n, unknown), 'ILLEGAL_GENERATION');
      assert.equal(await commitOffset(producer, 1n, unknown, 6), 'GROUP_ID_NOT_FOUND');

      const join9 = (memberId: string) =>
        client.call('joinGroup', 9, {
          groupId,
          sessionTimeoutMs: 10_000,
          rebalanceTimeoutMs: 10_000,
          memberId,
          protocolType: 'consumer',
          protocols: [{ name: 'range', metadata: Buffer.alloc(0) }],
        });
      const { memberId } = await join9('');
      const joined = await join9(memberId);
      await client.call('syncGroup', 5, {
        groupId,
        memberId,
        generationId: joined.generationId,
        protocolType: 'consumer',
        protocolName: 'range',
        assignments: [],
      });
      const member = { generationIdOrMemberEpoch: joined.generationId, memberId };
      assert.equal(await commitOffset(producer, 1n, unknown), 'UNKNOWN_MEMBER_ID');
      const stale = { ...member, generationIdOrMemberEpoch: joined.generationId - 1 };
      assert.equal(await commitOffset(producer, 1n, stale), 'ILLEGAL_GENERATION');
      assert.equal(await commitOffset(producer, 1n, member), 'NONE');
      // A producer from before KIP-447 says nothing of members.
      assert.equal(await commitOffset(producer, 2n), 'NONE');
      await producer.commit();
      await producer.settled();
      assert.equal(await fetched(true), '2');
    });

    it('[A6] name topics that are there, by name or by id, and short metadata', async () => {
      const producer = await start();
      const partitions = [{ partitionIndex: 0, committedOffset: 1n, committedMetadata: null }];
      const unknown = { topics: [{ name: 'no-such-topic', partitions }] };
      assert.equal(await commitOffset(producer, 1n, unknown), 'UNKNOWN_TOPIC_OR_PARTITION');
      const noId = { topics: [{ topicId: 'b3JkZXJzb3JkZXJzb3JkZQ', partitions }] };
      assert.equal(await commitOffset(producer, 1n, noId, 6), 'UNKNOWN_TOPIC_ID');
      const [partition] = partitions;
      const long = { ...partition, committedMetadata: 'x'.repeat(4097) };
      const wordy = { topics: [{ name: topic, partitions: [long] }] };
      assert.equal(await commitOffset(producer, 1n, wordy), 'OFFSET_METADATA_TOO_LARGE');
      assert.equal(await commitOffset(producer, 1n, { groupId: '' }), 'INVALID_GROUP_ID');
      assert.equal(await commitOffset(producer, 3n, {}, 6), 'NONE');
      await producer.commit();
      await producer.settled();
      assert.equal(await fetched(true), '3');
    });

    it('[A6] are gone for good when the group is deleted or the offset is', async () => {
      const producer = await start();
      assert.equal(await commitOffset(producer, 4n), 'NONE');
      const { topics } = await client.call('offsetDelete', 0, {
        groupId,
        topics: [{ name: topic, partitions: [{ partitionIndex: 0 }] }],
      });
      assert.equal(errorName(topics[0]?.partitions[0]?.errorCode), 'NONE');
      assert.equal(await fetched(true), '-1');
      assert.equal(await commitOffset(producer, 5n), 'NONE');
      const { results } = await client.call('deleteGroups', 2, { groupsNames: [groupId] });
      assert.equal(errorName(results[0]?.errorCode), 'NONE');
      await producer.commit();
      await producer.settled();
      assert.equal(await fetched(true), '-1');
    });
  });
}
