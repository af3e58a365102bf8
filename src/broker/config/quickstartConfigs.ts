/**
 * What a broker starts with as in the server.properties of Kafka's quickstart, meant for one broker as ours is; and
 * without Kerberos.
 */
export const quickstartConfigs: Readonly<Record<string, string>> = {
  'group.initial.rebalance.delay.ms': '0',
  'offsets.topic.replication.factor': '1',
  'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
  'share.coordinator.state.topic.min.isr': '1',
  'share.coordinator.state.topic.replication.factor': '1',
  'transaction.state.log.min.isr': '1',
  'transaction.state.log.replication.factor': '1',
};
