import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { BrokerConfig } from '../../../../src/broker/config/brokerConfigs.ts';

type Configs = Readonly<Record<string, string>>;

/** What Kafka 4.4 refuses to start with, and what it takes beside it. [KafkaConfig, LogManager] */
const cases: readonly (readonly [refused: Configs, taken: Configs])[] = [
  [{ 'connections.max.idle.ms': '100' }, { 'connections.max.idle.ms': '101' }],
  [
    { 'connection.failed.authentication.delay.ms': '600000' },
    { 'connection.failed.authentication.delay.ms': '600000', 'connections.max.idle.ms': '-1' },
  ],
  [
    { 'connections.max.idle.ms': '0', 'connection.failed.authentication.delay.ms': '0' },
    { 'connections.max.idle.ms': '1', 'connection.failed.authentication.delay.ms': '0' },
  ],
  [{ 'queued.max.request.bytes': '104857599' }, { 'queued.max.request.bytes': '104857600' }],
  [
    { 'queued.max.request.bytes': '5', 'socket.request.max.bytes': '6' },
    { 'queued.max.request.bytes': '0', 'socket.request.max.bytes': '6' },
  ],
  [{ 'replica.fetch.wait.max.ms': '30001' }, { 'replica.fetch.wait.max.ms': '30000' }],
  [{ 'replica.socket.timeout.ms': '499' }, { 'replica.socket.timeout.ms': '500' }],
  [
    { 'log.cleaner.min.compaction.lag.ms': '5', 'log.cleaner.max.compaction.lag.ms': '4' },
    { 'log.cleaner.min.compaction.lag.ms': '4', 'log.cleaner.max.compaction.lag.ms': '4' },
  ],
  ...['consumer', 'share', 'streams'].flatMap((kind) => {
    const of = (values: Configs): Configs =>
      Object.fromEntries(Object.entries(values).map(([what, ms]) => [`group.${kind}.${what}`, ms]));
    return [
      [of({ 'session.timeout.ms': '44999' }), of({ 'session.timeout.ms': '60000' })],
      [of({ 'session.timeout.ms': '60001' }), of({ 'max.session.timeout.ms': '60001' })],
      [of({ 'heartbeat.interval.ms': '4999' }), of({ 'min.heartbeat.interval.ms': '4999' })],
      [of({ 'max.heartbeat.interval.ms': '4999' }), of({ 'max.heartbeat.interval.ms': '5000' })],
      [of({ 'assignment.interval.ms': '15001' }), of({ 'assignment.interval.ms': '15000' })],
      [
        of({ 'heartbeat.interval.ms': '45000', 'max.heartbeat.interval.ms': '45000' }),
        of({ 'heartbeat.interval.ms': '44999', 'max.heartbeat.interval.ms': '45000' }),
      ],
    ] as const;
  }),
  [{ 'group.share.max.share.sessions': '199' }, { 'group.share.max.share.sessions': '200' }],
  [{ 'group.share.record.lock.duration.ms': '60001' }, { 'group.share.max.size': '1' }],
  [{ 'group.share.assignors': 'simple,a' }, { 'group.share.assignors': 'simple,simple' }],
  [{ 'group.share.assignors': 'range' }, { 'group.share.assignors': 'org.example.Assignor' }],
  [{ 'group.streams.assignors': 'simple' }, { 'group.streams.assignors': 'sticky' }],
  [{ 'group.streams.num.standby.replicas': '3' }, { 'group.streams.num.standby.replicas': '2' }],
  [{ 'group.streams.num.warmup.replicas': '21' }, { 'group.streams.num.warmup.replicas': '20' }],
  [
    { 'group.streams.task.offset.interval.ms': '14999' },
    { 'group.streams.task.offset.interval.ms': '15000' },
  ],
  [
    { 'group.streams.rack.aware.assignment.tags': 'a, a' },
    { 'group.streams.rack.aware.assignment.tags': 'a, b' },
  ],
  [
    { 'group.coordinator.rebalance.protocols': 'consumer' },
    { 'group.coordinator.rebalance.protocols': 'consumer,classic' },
  ],
  [{ 'offsets.topic.compression.codec': '5' }, { 'offsets.topic.compression.codec': '4' }],
  [{ 'early.start.listeners': 'SSL' }, { 'early.start.listeners': 'PLAINTEXT' }],
  [{ 'early.start.listeners': 'plaintext' }, { 'early.start.listeners': '' }],
  [
    { listeners: 'A:B://:9092', 'early.start.listeners': 'A' },
    { listeners: 'A:B://:9092', 'early.start.listeners': 'A:B' },
  ],
];

describe('The configs of a broker at its start', () => {
  it('[C7] go together, as Kafka asks', () => {
    for (const [refused, taken] of cases) {
      assert.throws(() => new BrokerConfig(refused), /must|there is no/, JSON.stringify(refused));
      assert.doesNotThrow(() => new BrokerConfig(taken), JSON.stringify(taken));
    }
  });

  it('[C7] may be out of bounds of which Kafka asks once it goes by them', () => {
    const values = {
      'sasl.server.max.receive.size': '-5',
      'sasl.oauthbearer.clock.skew.seconds': '-1',
      'sasl.oauthbearer.jwks.endpoint.refresh.ms': '0',
      'sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms': '-1',
    };
    assert.doesNotThrow(() => new BrokerConfig(values));
  });
});
