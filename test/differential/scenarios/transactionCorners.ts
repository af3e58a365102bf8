// Transactions, where what is asked is not what clients ask.
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { batchOf, fetchFrom, produceTo } from '../support/requests.ts';
import { addOf, begin, end, sendOf } from '../support/transactionRequests.ts';

const producersOf = (run: Run, { name }: Topic, label = '') =>
  run.ask('describeProducers', 0, { topics: [{ name, partitionIndexes: [0] }] }, { label });

const firstVersionWithTransactionVersion = 2;

export const transactionCornerScenarios: Scenarios = {
  async 'WriteTxnMarkers of transactions of each version, and of none'(run) {
    const topic = await run.topic();
    const version = firstVersionWithTransactionVersion;
    const one = await begin(run, { version: 5 });
    await run.ask('produce', 12, sendOf(one, topic, 12));
    for (const transactionVersion of [-1, 0, 1, 2, 3, -2]) {
      const marker = {
        producerId: one.producerId,
        producerEpoch: one.producerEpoch,
        transactionResult: true,
        coordinatorEpoch: 0,
        transactionVersion,
      };
      const topics = [
        { name: topic.name, partitionIndexes: [0, 7] },
        { name: '__consumer_offsets', partitionIndexes: [0] },
      ];
      const label = `${transactionVersion}`;
      await run.ask('writeTxnMarkers', version, { markers: [{ ...marker, topics }] }, { label });
      await producersOf(run, topic, label);
    }
  },

  async 'an open transaction, of whose first batch some records are deleted'(run) {
    const topic = await run.topic();
    const { producerId, producerEpoch, transactionalId } = await begin(run, { version: 5 });
    const sender = { producerId, producerEpoch, baseSequence: 0, isTransactional: true };
    const records = batchOf(['a', 'b', 'c'], sender);
    await run.ask('produce', 12, produceTo(topic, 12, records, { transactionalId }));
    for (const offset of [2n, 3n]) {
      const partitions = [{ partitionIndex: 0, offset }];
      const request = { topics: [{ name: topic.name, partitions }], timeoutMs: 10_000 };
      await run.last('deleteRecords', request);
      const { responses } = await run.prepare(
        'fetch',
        12,
        fetchFrom(topic, 12, { fetchOffset: 3n }),
      );
      const { lastStableOffset, logStartOffset } = responses[0]?.partitions[0] ?? {};
      run.note('fetch', 12, { ofCutBatch: { lastStableOffset, logStartOffset } });
    }
  },

  async 'AddPartitionsToTxn that adds and verifies the same'(run) {
    const topic = await run.topic({ partitions: 2 });
    for (const version of run.versions('addPartitionsToTxn').filter((each) => each >= 4)) {
      const identity = await begin(run);
      const of = (verifyOnly: boolean, partition: number) =>
        addOf(identity, version, [{ name: topic.name, partitions: [partition] }], verifyOnly)
          .transactions ?? [];
      const cases = {
        'verified first': [...of(true, 0), ...of(false, 0)],
        'added first': [...of(false, 1), ...of(true, 1)],
      };
      for (const [label, transactions] of Object.entries(cases))
        await run.ask('addPartitionsToTxn', version, { transactions }, { label });
      await end(run, identity, false);
    }
  },
};
