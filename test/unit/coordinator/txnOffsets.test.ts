import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { inTurns } from '../../../src/base/turns.ts';
import { seededRandom } from '../../../src/base/random.ts';
import { errorCodes } from '../../../src/protocol/errors.ts';
import { nameOf, Scenario, settle } from './support/scenario.ts';

const seed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 2 ** 31);
const schedules = Number(process.env['KAFKA_WORKBENCH_SCHEDULES'] ?? 20);

const groupId = 'group';
const client = {
  apiVersion: 5,
  clientId: 'client',
  clientHost: '/127.0.0.1',
  signal: new AbortController().signal,
  inTurns,
};

/** TxnOffsetCommit of a producer whose transaction was verified. */
async function commit(
  scenario: Scenario,
  producerId: bigint,
  offset: bigint,
  partition = 0,
): Promise<string> {
  const partitions = [
    {
      partitionIndex: partition,
      committedOffset: offset,
      committedLeaderEpoch: -1,
      committedMetadata: '',
    },
  ];
  const request = {
    transactionalId: 'txn',
    groupId,
    producerId,
    producerEpoch: 0,
    generationIdOrMemberEpoch: -1,
    memberId: '',
    groupInstanceId: null,
    topics: [{ name: 'orders', topicId: '', partitions }],
  };
  const verified = () => Promise.resolve({ errorCode: errorCodes.NONE });
  const { topics } = await scenario.coordinator.offsets.commitInTransaction(
    request,
    client,
    verified,
  );
  return nameOf(topics?.[0]?.partitions?.[0]?.errorCode ?? -1);
}

async function end(scenario: Scenario, producerId: bigint, isCommit: boolean): Promise<string> {
  const partition = scenario.coordinator.partitionFor(groupId);
  const marker = { producerId, producerEpoch: 1, coordinatorEpoch: 0, transactionVersion: 2 };
  return nameOf(
    await scenario.coordinator.offsets.completeTransaction(partition, { ...marker, isCommit }),
  );
}

async function plainCommit(scenario: Scenario, offset: bigint, partition = 0): Promise<string> {
  const partitions = [{ partitionIndex: partition, committedOffset: offset }];
  const { topics } = await scenario.call('offsetCommit', 8, {
    groupId,
    topics: [{ name: 'orders', partitions }],
  });
  return nameOf(topics[0]?.partitions[0]?.errorCode ?? -1);
}

/** The three partitions' offsets; `?` where an open transaction may change one. */
async function offsetsOf(scenario: Scenario, requireStable = true): Promise<string[]> {
  const { groups } = await scenario.call('offsetFetch', 8, {
    groups: [{ groupId, topics: [{ name: 'orders', partitionIndexes: [0, 1, 2] }] }],
    requireStable,
  });
  return (groups[0]?.topics[0]?.partitions ?? []).map(({ errorCode, committedOffset }) =>
    errorCode === 0 ? String(committedOffset) : '?',
  );
}

describe('offsets of transactions', () => {
  it('[A6] are read again as pending, with the markers that ended others', async () => {
    const scenario = await Scenario.start();
    await commit(scenario, 1n, 10n, 0);
    await commit(scenario, 2n, 20n, 1);
    await commit(scenario, 3n, 30n, 2);
    await end(scenario, 2n, true);
    await end(scenario, 3n, false);
    assert.deepEqual(await offsetsOf(scenario), ['?', '20', '-1']);
    const restarted = await scenario.restart();
    assert.deepEqual(await offsetsOf(restarted), ['?', '20', '-1']);
    assert.equal(await end(restarted, 1n, true), 'NONE');
    assert.deepEqual(await offsetsOf(restarted), ['10', '20', '-1']);
  });

  it('[A6] that the log refuses are forgotten, and what was decided after them is to be tried again', async () => {
    const scenario = await Scenario.start();
    scenario.writer.hold();
    const refused = commit(scenario, 1n, 10n);
    await settle();
    const behind = plainCommit(scenario, 5n, 1);
    await settle();
    scenario.writer.failHeld(errorCodes.INVALID_TXN_STATE);
    assert.equal(await refused, 'INVALID_TXN_STATE');
    assert.equal(await behind, 'COORDINATOR_NOT_AVAILABLE');
    assert.deepEqual(await offsetsOf(scenario), ['-1', '-1', '-1']);
    assert.equal(await plainCommit(scenario, 5n, 1), 'NONE');
    assert.deepEqual(await offsetsOf(scenario), ['-1', '5', '-1']);
  });

  it('[A6] go to the log one decision at a time, as a batch is of one producer', async () => {
    const scenario = await Scenario.start();
    scenario.writer.hold();
    const answers: Promise<string>[] = [];
    for (const decide of [
      () => plainCommit(scenario, 1n, 0),
      () => plainCommit(scenario, 2n, 1),
      () => plainCommit(scenario, 3n, 2),
      () => commit(scenario, 1n, 10n, 0),
      () => commit(scenario, 2n, 20n, 1),
      () => end(scenario, 1n, true),
      () => plainCommit(scenario, 4n, 0),
    ]) {
      answers.push(decide());
      await settle();
    }
    scenario.writer.release();
    for (const answer of answers) assert.equal(await answer, 'NONE');
    assert.deepEqual(scenario.writer.batches, [1, 2, 1, 1, 1, 1]);
    assert.deepEqual(await offsetsOf(scenario), ['4', '?', '3']);
  });

  it('[A6] keep their group from expiring', async () => {
    const scenario = await Scenario.start();
    await plainCommit(scenario, 1n, 1);
    await commit(scenario, 1n, 10n, 1);
    await scenario.pass(30 * 24 * 3_600_000);
    await scenario.coordinator.cleanExpired();
    assert.deepEqual(await offsetsOf(scenario, false), ['-1', '1', '-1']);
    await end(scenario, 1n, false);
    await scenario.coordinator.cleanExpired();
    assert.equal(await scenario.stateOf(groupId), 'Dead');
  });

  it(`[A4] [A6] are what the log says, over random schedules (KAFKA_WORKBENCH_SEED=${seed})`, async () => {
    for (let schedule = 0; schedule < schedules; schedule++) {
      const random = seededRandom(seed + schedule);
      const scenario = await Scenario.start();
      let isHolding = false;
      for (let step = 0; step < 60; step++) {
        const producerId = BigInt(random.below(3));
        const [offset, partition] = [BigInt(step), random.below(3)];
        const choice = random.below(10);
        if (choice < 4) void commit(scenario, producerId, offset, partition);
        else if (choice < 6) void end(scenario, producerId, random.below(2) === 0);
        else if (choice < 8) void plainCommit(scenario, offset, partition);
        else if (!isHolding) {
          scenario.writer.hold();
          isHolding = true;
        } else {
          if (random.below(2) === 0) scenario.writer.release();
          else scenario.writer.failHeld(errorCodes.NOT_ENOUGH_REPLICAS);
          isHolding = false;
        }
        await settle();
        if (isHolding) continue;
        const read = await scenario.restart();
        const where = `seed ${seed + schedule}, step ${step}`;
        assert.deepEqual(await offsetsOf(read), await offsetsOf(scenario), where);
        read.coordinator.dispose();
      }
    }
  });
});
