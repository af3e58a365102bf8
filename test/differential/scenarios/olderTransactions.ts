// Transactions of version 1: an epoch rises only where a producer is fenced.
import type { Run, Scenarios } from '../support/run.ts';
import { add, begin, type Identity, settled } from '../support/transactionRequests.ts';

/** The producer says who it was; asked until the transaction before is done with. */
async function goOn(run: Run, identity: Identity): Promise<void> {
  const request = { transactionTimeoutMs: 60_000, ...identity };
  const concurrent = 51;
  await run.until(
    ['initProducerId', 4, request],
    ({ errorCode }) => errorCode !== concurrent,
    `epoch ${identity.producerEpoch}`,
  );
  await settled(run, identity);
}

export const olderTransactionScenarios: Scenarios = {
  async 'a producer that goes on from an open transaction is fenced'(run) {
    const topic = await run.topic();
    const producer = await begin(run);
    await add(run, producer, topic);
    for (const ahead of [0, 0, 1]) {
      const producerEpoch = producer.producerEpoch + ahead;
      await goOn(run, { ...producer, producerEpoch });
    }
  },

  async 'a producer that another has taken the place of is fenced'(run) {
    const topic = await run.topic();
    const producer = await begin(run);
    await add(run, producer, topic);
    const next = await begin(run, { transactionalId: producer.transactionalId });
    await goOn(run, producer);
    await goOn(run, next);
  },
};
