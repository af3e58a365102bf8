// What producers of transactions do, rightly and wrongly, one step after the other.
import { batchOf, fetchFrom, produceTo } from '../../../differential/support/requests.ts';
import type { Run, Topic } from '../../../differential/support/run.ts';
import { offsetsOf } from '../../../differential/support/groupRequests.ts';
import {
  addOf,
  begin,
  end,
  type Identity,
  offsetsOfTransaction,
  settled,
} from '../../../differential/support/transactionRequests.ts';
import type { Chance, Sequence } from './randomSequences.ts';

/** CONCURRENT_TRANSACTIONS, and coordinators that are not ready: clients ask again. */
const passing: ReadonlySet<number> = new Set([51, 14, 15, 16]);
const stepCount = 60;

interface Producer {
  identity: Identity;
  /** What each topic gets next; from 0 with each epoch. */
  readonly sequences: Map<string, number>;
}

interface Stage {
  readonly run: Run;
  readonly chance: Chance;
  readonly producers: readonly Producer[];
  readonly topics: readonly Topic[];
  readonly groupId: string;
}

/** A sequence of transactions, each step of which is over before the next begins. */
export const transactionSteps: Sequence = async (run, chance) => {
  // Of one partition each: how several are told of a topic is in Kafka the order of a HashMap.
  const topics = [await run.topic(), await run.topic(), await run.topic()];
  const producers: Producer[] = [];
  for (let n = 0; n < 3; n++) producers.push({ identity: await begin(run), sequences: new Map() });
  const groupId = run.fresh('group');
  await committedBefore(run, groupId, topics);
  const stage = { run, chance, producers, topics, groupId };
  for (let step = 0; step < stepCount; step++) {
    const next = chance.step([
      [2, initialise],
      [4, addPartitions],
      [8, send],
      [3, sendOffsets],
      [4, endTransaction],
      [1, mark],
      [1, deleteRecords],
      [3, describe],
      [3, read],
    ]);
    await next(stage, chance.of(producers));
  }
  for (const producer of producers) await describe(stage, producer);
};

/** So that the group is there, and its coordinator. */
async function committedBefore(run: Run, groupId: string, topics: readonly Topic[]): Promise<void> {
  const partitions = [{ partitionIndex: 0, committedOffset: 1n, committedMetadata: '' }];
  const request = { groupId, topics: topics.map(({ name }) => ({ name, partitions })) };
  await run.until(['offsetCommit', 2, request], ({ topics: answered }) =>
    answered.every((topic) => topic.partitions.every(({ errorCode }) => errorCode === 0)),
  );
}

function become(producer: Producer, identity: Identity): void {
  const isSame =
    producer.identity.producerId === identity.producerId &&
    producer.identity.producerEpoch === identity.producerEpoch;
  producer.identity = identity;
  if (!isSame) producer.sequences.clear();
}

/** Mostly who the producer is; sometimes who it was, will be, or another. */
function claimed({ chance, producers }: Stage, { identity }: Producer): Identity {
  const { producerEpoch } = identity;
  return chance.step([
    [12, identity],
    [1, { ...identity, producerEpoch: producerEpoch - 1 }],
    [1, { ...identity, producerEpoch: producerEpoch + 1 }],
    [1, { ...identity, producerId: chance.of(producers).identity.producerId }],
  ]);
}

async function initialise(stage: Stage, producer: Producer): Promise<void> {
  const { run, chance } = stage;
  const { transactionalId } = producer.identity;
  const version = chance.of(run.versions('initProducerId'));
  const transactionTimeoutMs = chance.step([
    [8, 60_000],
    [1, 0],
    [1, 900_001],
  ]);
  const { producerId, producerEpoch } = claimed(stage, producer);
  const isKnown = version >= 3 && chance.oneIn(2);
  const request = {
    transactionalId,
    transactionTimeoutMs,
    ...(isKnown && { producerId, producerEpoch }),
  };
  const answer = await run.until(
    ['initProducerId', version, request],
    ({ errorCode }) => !passing.has(errorCode),
    isKnown ? 'again' : 'anew',
  );
  if (answer.errorCode === 0) become(producer, { transactionalId, ...answer });
  await settled(run, producer.identity);
}

async function addPartitions(stage: Stage, producer: Producer): Promise<void> {
  const { run, chance, topics } = stage;
  const version = chance.of(run.versions('addPartitionsToTxn'));
  const name = chance.step([
    [9, chance.of(topics).name],
    [1, 'no-such-topic'],
  ]);
  const partitions = [chance.of([0, 0, 0, 5])];
  const identity = claimed(stage, producer);
  const request = addOf(identity, version, [{ name, partitions }], chance.oneIn(4));
  await run.until(
    ['addPartitionsToTxn', version, request],
    ({ resultsByTopicV3AndBelow: below, resultsByTransaction: above }) =>
      [...below, ...above.flatMap(({ topicResults }) => topicResults)]
        .flatMap(({ resultsByPartition }) => resultsByPartition)
        .every(({ partitionErrorCode }) => !passing.has(partitionErrorCode)),
  );
}

async function send(stage: Stage, producer: Producer): Promise<void> {
  const { run, chance, topics } = stage;
  const topic = chance.of(topics);
  const next = producer.sequences.get(topic.name) ?? 0;
  const baseSequence = chance.step([
    [10, next],
    [1, next + 1],
    [1, Math.max(0, next - 1)],
  ]);
  const isTransactional = !chance.oneIn(8);
  // What a stranger writes beside transactions can keep them from ever ending, with both.
  const identity = isTransactional ? claimed(stage, producer) : producer.identity;
  const version = chance.of(run.versions('produce').filter((each) => each >= 3));
  const { producerId, producerEpoch, transactionalId } = identity;
  // Of one record: within a batch the log of an open transaction starts elsewhere for Kafka.
  const records = batchOf([`${baseSequence}`], {
    producerId,
    producerEpoch,
    baseSequence,
    isTransactional,
  });
  const options = { transactionalId: isTransactional ? transactionalId : null };
  const { responses } = await run.ask(
    'produce',
    version,
    produceTo(topic, version, records, options),
  );
  const isTaken = responses[0]?.partitionResponses[0]?.errorCode === 0;
  if (isTaken && identity === producer.identity && baseSequence === next)
    producer.sequences.set(topic.name, next + 1);
}

async function sendOffsets(stage: Stage, producer: Producer): Promise<void> {
  const { run, chance, topics, groupId } = stage;
  const identity = claimed(stage, producer);
  if (chance.oneIn(2)) {
    const version = chance.of(run.versions('addOffsetsToTxn'));
    await run.until(
      ['addOffsetsToTxn', version, { ...identity, groupId }],
      ({ errorCode }) => !passing.has(errorCode),
    );
  }
  const version = chance.of(run.versions('txnOffsetCommit'));
  const topic = chance.of(topics);
  const request = offsetsOfTransaction(identity, groupId, version, { topic });
  await run.until(['txnOffsetCommit', version, request], ({ topics: answered }) =>
    answered.every((each) => each.partitions.every(({ errorCode }) => !passing.has(errorCode))),
  );
}

async function endTransaction(stage: Stage, producer: Producer): Promise<void> {
  const { run, chance } = stage;
  const identity = claimed(stage, producer);
  const version = chance.of(run.versions('endTxn'));
  const after = await end(run, identity, chance.oneIn(2), version);
  if (identity === producer.identity) become(producer, after);
}

/** As a coordinator would; a stranger may come as well. */
async function mark({ run, chance, topics }: Stage, { identity }: Producer): Promise<void> {
  const version = chance.of(run.versions('writeTxnMarkers'));
  const marker = {
    producerId: identity.producerId,
    producerEpoch: identity.producerEpoch,
    transactionResult: chance.oneIn(2),
    coordinatorEpoch: 0,
    topics: [{ name: chance.of(topics).name, partitionIndexes: [0] }],
  };
  await run.ask('writeTxnMarkers', version, { markers: [marker] });
}

async function deleteRecords({ run, chance, topics }: Stage): Promise<void> {
  const { name } = chance.of(topics);
  const offset = chance.of([-1n, 0n, 1n, 2n, 5n]);
  const request = {
    topics: [{ name, partitions: [{ partitionIndex: 0, offset }] }],
    timeoutMs: 10_000,
  };
  await run.last('deleteRecords', request);
}

async function describe({ run, topics, producers }: Stage, { identity }: Producer): Promise<void> {
  const transactionalIds = [identity.transactionalId, 'no-such-id'];
  await run.last('describeTransactions', { transactionalIds });
  const all = await run.prepare('listTransactions', 0, { stateFilters: [], producerIdFilters: [] });
  const own = new Set(producers.map((each) => each.identity.transactionalId));
  const listed = all.transactionStates.filter(({ transactionalId }) => own.has(transactionalId));
  run.note('listTransactions', 0, { ...all, transactionStates: listed });
  await run.last('describeProducers', {
    topics: topics.map(({ name }) => ({ name, partitionIndexes: [0] })),
  });
}

async function read({ run, chance, topics, groupId }: Stage): Promise<void> {
  const topic = chance.of(topics);
  const isolationLevel = chance.below(2);
  const version = chance.of(run.versions('fetch').filter((each) => each >= 4));
  const fetchOffset = BigInt(chance.of([0, 0, 1, 3, 8]));
  const asked = { isolationLevel, fetchOffset };
  await run.ask('fetch', version, fetchFrom(topic, version, asked));
  // Not the largest: which of two markers that is depends on whether they are of one millisecond.
  const timestamp = chance.of([-1n, -2n, 1_700_000_000_001n]);
  const listVersion = chance.of(run.versions('listOffsets').filter((each) => each >= 7));
  const partitions = [{ partitionIndex: 0, timestamp }];
  const of = { replicaId: -1, isolationLevel, topics: [{ name: topic.name, partitions }] };
  await run.ask('listOffsets', listVersion, of);
  const groupVersion = chance.of(run.versions('offsetFetch').filter((each) => each >= 7));
  const offsets = offsetsOf(groupId, groupVersion, topic);
  await run.ask('offsetFetch', groupVersion, { ...offsets, requireStable: chance.oneIn(2) });
}
