// Transactions of version 1: an epoch rises only where a producer is fenced.
import type { Run, Scenarios } from '../support/run.ts';
import { transactionLog } from '../support/transactionLog.ts';
import { add, begin, end, type Identity, settled } from '../support/transactionRequests.ts';

const transactionFeature = 'transaction.version';

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

/** As `kafka-features` does; resolves when clients are told. */
async function levelOfTransactions(run: Run, from: number, to: number): Promise<void> {
  const upgradeType = to > from ? 1 : 2;
  const update = { feature: transactionFeature, maxVersionLevel: to, upgradeType };
  const request = { timeoutMs: 10_000, featureUpdates: [update], validateOnly: false };
  await run.ask('updateFeatures', 2, request);
  await run.until(
    ['apiVersions', 4, { clientSoftwareName: 'differential', clientSoftwareVersion: '1' }],
    ({ finalizedFeatures }) =>
      (finalizedFeatures.find(({ name }) => name === transactionFeature)?.maxVersionLevel ?? 0) ===
      to,
  );
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

  async 'a transaction of version 0, as it is told and written'(run) {
    await levelOfTransactions(run, 1, 0);
    const topic = await run.topic();
    const producer = await begin(run);
    for (const committed of [true, false]) {
      await add(run, producer, topic);
      await end(run, producer, committed);
    }
    const next = await begin(run, { transactionalId: producer.transactionalId });
    await add(run, next, topic);
    await levelOfTransactions(run, 0, 1);
    await end(run, next, true);
    run.note('endTxn', 4, transactionLog(run, producer.transactionalId));
  },
};
