/**
 * Differences that were found by random requests on both brokers and have no scenario yet, for the page: nothing fails
 * when one of them goes away.
 */
export const uncompared: readonly string[] = [
  'OffsetCommit, TxnOffsetCommit and OffsetDelete that name a topic twice: Kafka joins its entries in the answer, and has what it does not know in another order',
  'AddPartitionsToTxn that names a transaction twice: Kafka joins its results',
  'OffsetForLeaderEpoch of an epoch below -1: another error',
];
