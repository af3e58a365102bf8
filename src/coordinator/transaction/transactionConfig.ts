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
