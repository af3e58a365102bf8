import type { ConfigTable } from './configType.ts';

/** What Kafka's brokers read at their start only, and nothing here goes by. [AbstractKafkaConfig.CONFIG_DEF] */
export const unusedFixedConfigs: ConfigTable = {
  'alter.config.policy.class.name': {
    type: 'class',
    default: null,
    documentation: 'The class that says which configs may be changed.',
  },
  'alter.log.dirs.replication.quota.window.num': {
    type: 'int',
    default: '11',
    documentation: 'Samples kept for the limit on moves between log directories.',
  },
  'alter.log.dirs.replication.quota.window.size.seconds': {
    type: 'int',
    default: '1',
    documentation: 'How long a sample for the limit on moves between log directories is.',
  },
  'auto.leader.rebalance.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether leadership goes back to the preferred replicas by itself.',
  },
  'broker.heartbeat.interval.ms': {
    type: 'int',
    default: '2000',
    documentation: 'How often a broker sends heartbeats to the controller.',
  },
  'broker.id': {
    type: 'int',
    default: '-1',
    documentation: 'The number of the broker; node.id says the same.',
  },
  'broker.rack': {
    type: 'string',
    default: null,
    documentation: 'The rack that the broker is in.',
  },
  'broker.session.timeout.ms': {
    type: 'int',
    default: '9000',
    documentation: 'After how long without heartbeat the controller takes a broker for gone.',
  },
  'client.quota.callback.class': {
    type: 'class',
    default: null,
    documentation: 'The class that decides on the quotas of clients.',
  },
  'controlled.shutdown.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether a broker hands over its leaderships before it stops.',
  },
  'controller.listener.names': {
    type: 'list',
    default: null,
    documentation: 'The listeners of the controller.',
  },
  'controller.quorum.append.linger.ms': {
    type: 'int',
    default: '25',
    documentation: 'How long the leader of the quorum gathers writes.',
  },
  'controller.quorum.auto.join.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a controller joins the voters by itself.',
  },
  'controller.quorum.bootstrap.servers': {
    type: 'list',
    default: '',
    documentation: 'Addresses at which the quorum is found.',
  },
  'controller.quorum.election.backoff.max.ms': {
    type: 'int',
    default: '1000',
    documentation: 'The longest rest before another election of the quorum.',
  },
  'controller.quorum.election.timeout.ms': {
    type: 'int',
    default: '1000',
    documentation: 'How long a candidate waits for votes.',
  },
  'controller.quorum.fetch.max.bytes': {
    type: 'int',
    default: '1048576',
    documentation: 'The most that one fetch of the metadata log gives.',
  },
  'controller.quorum.fetch.snapshot.max.bytes': {
    type: 'int',
    default: '1048576',
    documentation: 'The most that one fetch of a metadata snapshot gives.',
  },
  'controller.quorum.fetch.timeout.ms': {
    type: 'int',
    default: '2000',
    documentation:
      'How long followers of the quorum wait for its leader before they elect another.',
  },
  'controller.quorum.request.timeout.ms': {
    type: 'int',
    default: '2000',
    documentation: 'How long a request within the quorum may take.',
  },
  'controller.quorum.retry.backoff.ms': {
    type: 'int',
    default: '20',
    documentation: 'How long a failed request within the quorum waits for another try.',
  },
  'controller.quorum.voters': {
    type: 'list',
    default: '',
    documentation: 'The voters of the quorum, as ID@HOST:PORT.',
  },
  'controller.quota.window.num': {
    type: 'int',
    default: '11',
    documentation: 'Samples kept for the quota on changes of the controller.',
  },
  'controller.quota.window.size.seconds': {
    type: 'int',
    default: '1',
    documentation: 'How long a sample for the quota on changes of the controller is.',
  },
  'controller.socket.timeout.ms': {
    type: 'int',
    default: '30000',
    documentation: 'How long the connection between controller and broker may be silent.',
  },
  'create.topic.policy.class.name': {
    type: 'class',
    default: null,
    documentation: 'The class that says which topics may be made.',
  },
  'delegation.token.expiry.check.interval.ms': {
    type: 'long',
    default: '3600000',
    documentation: 'How often expired delegation tokens are removed.',
  },
  'delegation.token.expiry.time.ms': {
    type: 'long',
    default: '86400000',
    documentation: 'How long a delegation token holds unless it is renewed.',
  },
  'delegation.token.max.lifetime.ms': {
    type: 'long',
    default: '604800000',
    documentation: 'How long a delegation token can be renewed.',
  },
  'delegation.token.secret.key': {
    type: 'password',
    default: null,
    documentation: 'The key that delegation tokens are made with, the same on all brokers.',
  },
  'delete.records.purgatory.purge.interval.requests': {
    type: 'int',
    default: '1',
    documentation: 'After how many waiting deletions of records those that are done are swept out.',
  },
  'early.start.listeners': {
    type: 'list',
    default: null,
    documentation: 'Listeners that open before the broker has started.',
  },
  'fetch.purgatory.purge.interval.requests': {
    type: 'int',
    default: '1000',
    documentation: 'After how many waiting fetches those that are done are swept out.',
  },
  'group.coordinator.append.linger.ms': {
    type: 'int',
    default: '-1',
    documentation: 'How long the group coordinator gathers writes; -1: as they come.',
  },
  'group.coordinator.background.threads': {
    type: 'int',
    default: '2',
    documentation: 'Threads of the group coordinator for long work.',
  },
  'group.coordinator.rebalance.protocols': {
    type: 'list',
    default: 'classic,consumer,streams',
    documentation: 'The protocols of groups that are served.',
  },
  'group.coordinator.threads': {
    type: 'int',
    default: '4',
    documentation: 'Threads of the group coordinator.',
  },
  'initial.broker.registration.timeout.ms': {
    type: 'int',
    default: '60000',
    documentation: 'How long a broker tries to register at its start.',
  },
  'kafka.metrics.polling.interval.secs': {
    type: 'int',
    default: '10',
    documentation: 'How often the reporters of metrics in kafka.metrics.reporters ask for them.',
  },
  'kafka.metrics.reporters': {
    type: 'list',
    default: '',
    documentation: "Classes that are given the metrics of the broker's older kind.",
  },
  'leader.imbalance.check.interval.seconds': {
    type: 'long',
    default: '300',
    documentation:
      'How often it is checked whether leadership should go back to the preferred replicas.',
  },
  'log.cleaner.enable': {
    type: 'boolean',
    default: 'true',
    documentation: 'Whether compaction runs.',
  },
  'log.dir': {
    type: 'list',
    default: '/tmp/kafka-logs',
    documentation: 'Where logs are kept if log.dirs is not set.',
  },
  'log.dir.failure.timeout.ms': {
    type: 'long',
    default: '30000',
    documentation:
      'How long a broker goes on when it cannot tell the controller of a failed log directory.',
  },
  'log.dirs': { type: 'list', default: null, documentation: 'Where logs are kept.' },
  'log.flush.offset.checkpoint.interval.ms': {
    type: 'int',
    default: '60000',
    documentation: 'How often the offsets up to which logs are flushed are written down.',
  },
  'log.flush.scheduler.interval.ms': {
    type: 'long',
    default: '9223372036854775807',
    documentation: 'How often it is checked whether logs have to be flushed.',
  },
  'log.flush.start.offset.checkpoint.interval.ms': {
    type: 'int',
    default: '60000',
    documentation: 'How often the offsets at which logs start are written down.',
  },
  'max.request.partition.size.limit': {
    type: 'int',
    default: '2000',
    documentation: 'The most partitions that one request for descriptions is answered about.',
  },
  'metadata.log.dir': {
    type: 'string',
    default: null,
    documentation: 'Where the metadata log is kept. Not set: in the first of log.dirs.',
  },
  'metadata.log.max.record.bytes.between.snapshots': {
    type: 'long',
    default: '20971520',
    documentation: 'After how much in the metadata log a snapshot is made.',
  },
  'metadata.log.max.snapshot.interval.ms': {
    type: 'long',
    default: '3600000',
    documentation: 'After how long a snapshot of the metadata is made.',
  },
  'metadata.log.segment.bytes': {
    type: 'int',
    default: '1073741824',
    documentation: 'Segment size of the metadata log.',
  },
  'metadata.log.segment.ms': {
    type: 'long',
    default: '604800000',
    documentation: 'After how long a segment of the metadata log is closed.',
  },
  'metadata.max.idle.interval.ms': {
    type: 'int',
    default: '500',
    documentation: 'How often the controller writes to a metadata log that is idle.',
  },
  'metadata.max.retention.bytes': {
    type: 'long',
    default: '104857600',
    documentation: 'The most of the metadata log and its snapshots that is kept.',
  },
  'metadata.max.retention.ms': {
    type: 'long',
    default: '604800000',
    documentation: 'How long the metadata log and its snapshots are kept.',
  },
  'metrics.num.samples': {
    type: 'int',
    default: '2',
    documentation: 'Samples kept for each metric.',
  },
  'metrics.recording.level': {
    type: 'string',
    default: 'INFO',
    documentation: 'Which metrics are kept: INFO, DEBUG or TRACE.',
  },
  'metrics.sample.window.ms': {
    type: 'long',
    default: '30000',
    documentation: 'How long a sample of a metric is.',
  },
  'node.id': { type: 'int', default: null, documentation: 'The number of the node.' },
  'num.replica.alter.log.dirs.threads': {
    type: 'int',
    default: null,
    documentation:
      'Threads that move replicas between log directories. Not set: as many as there are directories.',
  },
  'offsets.load.buffer.size': {
    type: 'int',
    default: '5242880',
    documentation: 'How much of __consumer_offsets is read at a time when it is loaded.',
  },
  'offsets.topic.compression.codec': {
    type: 'int',
    default: '0',
    documentation: 'The compression of __consumer_offsets, as a number.',
  },
  'process.roles': {
    type: 'list',
    default: null,
    documentation: 'What the node is: broker, controller, or both.',
  },
  'producer.purgatory.purge.interval.requests': {
    type: 'int',
    default: '1000',
    documentation: 'After how many waiting produce requests those that are done are swept out.',
  },
  'queued.max.requests': {
    type: 'int',
    default: '500',
    documentation: 'Requests that may wait for a thread before no more are read.',
  },
  'quota.window.num': {
    type: 'int',
    default: '11',
    documentation: 'Samples kept for the quotas of clients.',
  },
  'quota.window.size.seconds': {
    type: 'int',
    default: '1',
    documentation: 'How long a sample for the quotas of clients is.',
  },
  'replica.fetch.backoff.ms': {
    type: 'int',
    default: '1000',
    documentation: 'How long a follower rests after a failed fetch.',
  },
  'replica.fetch.max.bytes': {
    type: 'int',
    default: '1048576',
    documentation: 'How much of a partition a follower fetches at a time.',
  },
  'replica.fetch.min.bytes': {
    type: 'int',
    default: '1',
    documentation: "How much a follower's fetch waits for.",
  },
  'replica.fetch.response.max.bytes': {
    type: 'int',
    default: '10485760',
    documentation: 'The most that one fetch of a follower gives.',
  },
  'replica.fetch.wait.max.ms': {
    type: 'int',
    default: '500',
    documentation: "How long a follower's fetch waits.",
  },
  'replica.high.watermark.checkpoint.interval.ms': {
    type: 'long',
    default: '5000',
    documentation: 'How often high watermarks are written down.',
  },
  'replica.lag.time.max.ms': {
    type: 'long',
    default: '30000',
    documentation: 'How long a follower may be behind and still be in sync.',
  },
  'replica.selector.class': {
    type: 'string',
    default: null,
    documentation: 'The class that says which replica a consumer reads from.',
  },
  'replica.socket.receive.buffer.bytes': {
    type: 'int',
    default: '65536',
    documentation: "The receive buffer of a follower's connection.",
  },
  'replica.socket.timeout.ms': {
    type: 'int',
    default: '30000',
    documentation: 'How long a follower waits for an answer.',
  },
  'replication.quota.window.num': {
    type: 'int',
    default: '11',
    documentation: 'Samples kept for the limit on replication.',
  },
  'replication.quota.window.size.seconds': {
    type: 'int',
    default: '1',
    documentation: 'How long a sample for the limit on replication is.',
  },
  'request.timeout.ms': {
    type: 'int',
    default: '30000',
    documentation: 'How long requests that the broker itself sends may take.',
  },
  'sasl.client.callback.handler.class': {
    type: 'class',
    default: null,
    documentation: 'The class that a client of SASL asks for what it needs.',
  },
  'sasl.login.callback.handler.class': {
    type: 'class',
    default: null,
    documentation: 'The class that a login of SASL asks for what it needs.',
  },
  'sasl.login.class': {
    type: 'class',
    default: null,
    documentation: 'The class that logs in by SASL.',
  },
  'sasl.login.connect.timeout.ms': {
    type: 'int',
    default: null,
    documentation: 'How long a connection to who issues tokens may take to be made.',
  },
  'sasl.login.read.timeout.ms': {
    type: 'int',
    default: null,
    documentation: 'How long who issues tokens may take to answer.',
  },
  'sasl.login.retry.backoff.max.ms': {
    type: 'long',
    default: '10000',
    documentation: 'The longest rest between two tries to log in.',
  },
  'sasl.login.retry.backoff.ms': {
    type: 'long',
    default: '100',
    documentation: 'The first rest between two tries to log in.',
  },
  'sasl.mechanism.controller.protocol': {
    type: 'string',
    default: 'GSSAPI',
    documentation: 'How brokers authenticate with controllers.',
  },
  'sasl.oauthbearer.assertion.algorithm': {
    type: 'string',
    default: 'RS256',
    documentation: 'How an assertion for a token of the broker is signed.',
  },
  'sasl.oauthbearer.assertion.claim.aud': {
    type: 'string',
    default: null,
    documentation: 'For whom an assertion is (aud).',
  },
  'sasl.oauthbearer.assertion.claim.exp.seconds': {
    type: 'int',
    default: '300',
    documentation: 'How long an assertion holds (exp).',
  },
  'sasl.oauthbearer.assertion.claim.iss': {
    type: 'string',
    default: null,
    documentation: 'Who issued an assertion (iss).',
  },
  'sasl.oauthbearer.assertion.claim.jti.include': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether an assertion has an id (jti).',
  },
  'sasl.oauthbearer.assertion.claim.nbf.seconds': {
    type: 'int',
    default: '60',
    documentation: 'From how long ago an assertion holds (nbf).',
  },
  'sasl.oauthbearer.assertion.claim.sub': {
    type: 'string',
    default: null,
    documentation: 'Whom an assertion is about (sub).',
  },
  'sasl.oauthbearer.assertion.file': {
    type: 'string',
    default: null,
    documentation: 'A file with an assertion that is there already.',
  },
  'sasl.oauthbearer.assertion.private.key.file': {
    type: 'string',
    default: null,
    documentation: 'A file with the key that signs assertions.',
  },
  'sasl.oauthbearer.assertion.private.key.passphrase': {
    type: 'password',
    default: null,
    documentation: 'The password of the key that signs assertions.',
  },
  'sasl.oauthbearer.assertion.template.file': {
    type: 'string',
    default: null,
    documentation: 'A file with claims that assertions have beside the others.',
  },
  'sasl.oauthbearer.client.credentials.client.id': {
    type: 'string',
    default: null,
    documentation: 'The name with which the broker asks for a token.',
  },
  'sasl.oauthbearer.client.credentials.client.secret': {
    type: 'password',
    default: null,
    documentation: 'The secret with which the broker asks for a token.',
  },
  'sasl.oauthbearer.jwks.endpoint.retry.backoff.ms': {
    type: 'long',
    default: '100',
    documentation: 'The first rest before keys are asked for again.',
  },
  'sasl.oauthbearer.jwt.retriever.class': {
    type: 'class',
    default: 'org.apache.kafka.common.security.oauthbearer.DefaultJwtRetriever',
    documentation: "The class that gets the broker's own tokens.",
  },
  'sasl.oauthbearer.jwt.validator.class': {
    type: 'class',
    default: 'org.apache.kafka.common.security.oauthbearer.DefaultJwtValidator',
    documentation: "The class that checks the broker's own tokens.",
  },
  'sasl.oauthbearer.scope': {
    type: 'string',
    default: null,
    documentation: 'The scope that the broker asks its own tokens for.',
  },
  'sasl.oauthbearer.token.endpoint.url': {
    type: 'string',
    default: null,
    documentation: 'Where the broker asks for its own tokens.',
  },
  'security.providers': {
    type: 'string',
    default: null,
    documentation: 'Classes that provide security algorithms in Java.',
  },
  'socket.connection.setup.timeout.max.ms': {
    type: 'long',
    default: '30000',
    documentation: 'The longest wait for a connection that the broker makes.',
  },
  'socket.connection.setup.timeout.ms': {
    type: 'long',
    default: '10000',
    documentation: 'How long a connection that the broker makes may take.',
  },
  'socket.listen.backlog.size': {
    type: 'int',
    default: '50',
    documentation: 'Connections that may wait to be accepted.',
  },
  'socket.receive.buffer.bytes': {
    type: 'int',
    default: '102400',
    documentation: 'The receive buffer of a connection.',
  },
  'socket.send.buffer.bytes': {
    type: 'int',
    default: '102400',
    documentation: 'The send buffer of a connection.',
  },
  'ssl.allow.dn.changes': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a new certificate may have another name.',
  },
  'ssl.allow.san.changes': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a new certificate may lack other names of the one before.',
  },
  'transaction.state.log.load.buffer.size': {
    type: 'int',
    default: '5242880',
    documentation: 'How much of __transaction_state is read at a time when it is loaded.',
  },
  'transaction.two.phase.commit.enable': {
    type: 'boolean',
    default: 'false',
    documentation:
      'Whether transactions may be part of those of another system, without a timeout.',
  },
};
