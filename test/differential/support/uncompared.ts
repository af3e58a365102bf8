/**
 * Differences that were found by random requests on both brokers and have no scenario yet, for the page: nothing fails
 * when one of them goes away.
 */
export const uncompared: readonly string[] = [
<<<<<<< HEAD
  'OffsetCommit, TxnOffsetCommit and OffsetDelete that name a topic twice: Kafka joins its entries in the answer, and has what it does not know in another order',
  'AddPartitionsToTxn that names a transaction twice: Kafka joins its results',
  'OffsetForLeaderEpoch of an epoch below -1: another error',
=======
  'AlterPartitionReassignments, ElectLeaders and UpdateFeatures with a timeout of 0 ms or less: Kafka says REQUEST_TIMED_OUT, we answer',
  'Produce with a partition twice, once without records, or with acks of 2: other errors',
  'Fetch of two partitions of topic id zero: Kafka fails altogether, we say UNKNOWN_TOPIC_ID of each',
  'Fetch, `abortedTransactions`: Kafka names some that have no record in what is read, we name those that have',
>>>>>>> twice
];
