// InitProducerId without transactions, and the sequences of Produce.
import type { Run, Scenarios, Topic } from '../support/run.ts';
import { batchOf, int32Max, produceTo } from '../support/requests.ts';

/** Kafka answers COORDINATOR_LOAD_IN_PROGRESS while it fetches its first block of ids. */
async function producerId(run: Run): Promise<bigint> {
  const request = { transactionalId: null, transactionTimeoutMs: 60_000 };
  const { producerId } = await run.until(
    ['initProducerId', 4, request],
    ({ errorCode }) => errorCode === 0,
  );
  return producerId;
}

interface Sequenced {
  readonly producerId: bigint;
  readonly epoch?: number;
  readonly sequence: number;
  readonly count?: number;
}

async function send(run: Run, topic: Topic, sent: Sequenced, label: string): Promise<void> {
  const { producerId, epoch = 0, sequence, count = 1 } = sent;
  const values = Array.from({ length: count }, (_, i) => `${sequence + i}`);
  const batch = batchOf(values, { producerId, producerEpoch: epoch, baseSequence: sequence });
  await run.ask('produce', 11, produceTo(topic, 11, batch), { label });
}

export const idempotenceScenarios: Scenarios = {
  async 'InitProducerId gives ids'(run) {
    await producerId(run);
    await run.each('initProducerId', () => ({
      transactionalId: null,
      transactionTimeoutMs: 60_000,
    }));
    await run.ask('initProducerId', 4, { transactionalId: null, transactionTimeoutMs: 0 });
    await run.ask('initProducerId', 4, { transactionalId: null, transactionTimeoutMs: int32Max });
    const known = { producerId: 7n, producerEpoch: 3 };
    await run.ask('initProducerId', 4, {
      transactionalId: null,
      transactionTimeoutMs: 60_000,
      ...known,
    });
    const half = { producerId: 7n, producerEpoch: -1 };
    await run.ask('initProducerId', 4, {
      transactionalId: null,
      transactionTimeoutMs: 60_000,
      ...half,
    });
    const other = { producerId: -1n, producerEpoch: 3 };
    await run.ask('initProducerId', 4, {
      transactionalId: null,
      transactionTimeoutMs: 60_000,
      ...other,
    });
  },

  async 'sequences in order, repeated and with gaps'(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    await send(run, topic, { producerId: id, sequence: 0, count: 2 }, 'first');
    await send(run, topic, { producerId: id, sequence: 2, count: 3 }, 'second');
    await send(run, topic, { producerId: id, sequence: 2, count: 3 }, 'repeated');
    await send(run, topic, { producerId: id, sequence: 0, count: 2 }, 'repeated, older');
    await send(run, topic, { producerId: id, sequence: 2, count: 2 }, 'overlapping');
    await send(run, topic, { producerId: id, sequence: 7, count: 1 }, 'a gap');
    await send(run, topic, { producerId: id, sequence: 5, count: 1 }, 'in order');
  },

  async 'only five batches are remembered'(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    for (let sequence = 0; sequence < 7; sequence++)
      await send(run, topic, { producerId: id, sequence }, `${sequence}`);
    for (let sequence = 0; sequence < 7; sequence++)
      await send(run, topic, { producerId: id, sequence }, `again ${sequence}`);
  },

  async 'an unknown producer starts anywhere'(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    await send(run, topic, { producerId: id, sequence: 5 }, 'first');
    await send(run, topic, { producerId: id, sequence: 6 }, 'second');
    await send(run, topic, { producerId: id + 1_000_000n, sequence: 0 }, 'an id that nobody gave');
  },

  async epochs(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    await send(run, topic, { producerId: id, epoch: 3, sequence: 0 }, 'epoch 3');
    await send(run, topic, { producerId: id, epoch: 2, sequence: 1 }, 'epoch 2');
    await send(run, topic, { producerId: id, epoch: 4, sequence: 1 }, 'epoch 4, not from 0');
    await send(run, topic, { producerId: id, epoch: 4, sequence: 0 }, 'epoch 4, from 0');
    await run.each('produce', (version) => {
      const batch = batchOf(['x'], { producerId: id, producerEpoch: 0, baseSequence: 0 });
      return produceTo(topic, version, batch);
    });
  },

  async 'sequences wrap'(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    await send(run, topic, { producerId: id, sequence: int32Max - 1, count: 3 }, 'over the end');
    await send(run, topic, { producerId: id, sequence: 0 }, 'wrong');
    await send(run, topic, { producerId: id, sequence: 1 }, 'right');
  },

  async 'producer ids that cannot be'(run) {
    const topic = await run.topic();
    await send(run, topic, { producerId: -2n, sequence: 0 }, 'below -1');
    await send(run, topic, { producerId: 9_000_000n, epoch: -1, sequence: 0 }, 'no epoch');
    await send(run, topic, { producerId: 9_000_001n, sequence: -1 }, 'no sequence');
  },

  async 'a sequence error at every version'(run) {
    const topic = await run.topic();
    const id = await producerId(run);
    await send(run, topic, { producerId: id, sequence: 0 }, 'first');
    await run.each('produce', (version) =>
      produceTo(
        topic,
        version,
        batchOf(['x'], { producerId: id, producerEpoch: 0, baseSequence: 9 }),
      ),
    );
  },
};
