/**
 * Differences that were found by random requests on both brokers and have no scenario yet, for the page: nothing fails
 * when one of them goes away.
 */
export const uncompared: readonly string[] = [
  'DescribeConfigs has what may not be read last in Kafka, and where it was asked for here',
  'DescribeTopicPartitions of an empty name: Kafka fails without a name, we say INVALID_TOPIC_EXCEPTION',
];
