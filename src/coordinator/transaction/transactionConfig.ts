/** Kafka's broker configs that concern transactions. */
export interface TransactionConfig {
  /** transaction.state.log.num.partitions, or as many as the topic has. */
  readonly topicPartitions: number;
  /** transaction.max.timeout.ms */
  readonly maxTimeoutMs: number;
  /** transactional.id.expiration.ms */
  readonly transactionalIdExpirationMs: number;
  /** Answers wait this long for their records; Kafka waits as long as the transaction's timeout. */
  readonly writeTimeoutMs: number;
}

export const defaultTransactionConfig: TransactionConfig = {
  topicPartitions: 50,
  maxTimeoutMs: 15 * 60 * 1000,
  transactionalIdExpirationMs: 7 * 24 * 60 * 60 * 1000,
  writeTimeoutMs: 30_000,
};
