import type { ConfigTable } from './configType.ts';

/** Kafka's configs of running brokers that nothing here goes by. [DynamicBrokerConfig.ALL_DYNAMIC_CONFIGS] */
export const unusedDynamicConfigs: ConfigTable = {
  'background.threads': {
    type: 'int',
    default: '10',
    min: 1,
    documentation: 'Threads for chores such as the deletion of files.',
  },
  'config.providers': {
    type: 'list',
    default: '',
    documentation: 'Where values that stand for secrets elsewhere are looked up.',
  },
  'follower.fetch.last.tiered.offset.enable': {
    type: 'boolean',
    default: 'false',
    documentation: 'Whether a new follower starts at the last offset that is in tiered storage.',
  },
  'group.coordinator.cached.buffer.max.bytes': {
    type: 'int',
    default: '1048588',
    min: 524288,
    documentation: 'The largest buffer that the group coordinator keeps for its next write.',
  },
  'log.cleaner.io.buffer.load.factor': {
    type: 'double',
    default: '0.9',
    documentation: 'How full compaction may fill its table of keys.',
  },
  'log.cleaner.io.buffer.size': {
    type: 'int',
    default: '524288',
    min: 0,
    documentation: 'Memory with which compaction reads and writes.',
  },
  'log.cleaner.io.max.bytes.per.second': {
    type: 'double',
    default: '1.7976931348623157E308',
    documentation: 'How fast compaction may read and write.',
  },
  'log.cleaner.threads': {
    type: 'int',
    default: '1',
    min: 0,
    documentation: 'Threads for compaction.',
  },
  'metric.reporters': {
    type: 'list',
    default: 'org.apache.kafka.common.metrics.JmxReporter',
    documentation: 'Classes that are given metrics.',
  },
  'num.io.threads': {
    type: 'int',
    default: '8',
    min: 1,
    documentation: 'Threads that serve requests.',
  },
  'num.network.threads': {
    type: 'int',
    default: '3',
    min: 1,
    documentation: 'Threads of each listener that read requests and write answers.',
  },
  'num.recovery.threads.per.data.dir': {
    type: 'int',
    default: '2',
    min: 1,
    documentation: 'Threads for each log directory that recover logs at the start.',
  },
  'num.replica.fetchers': {
    type: 'int',
    default: '1',
    min: 1,
    documentation: 'Threads that fetch from each other broker.',
  },
  'principal.builder.class': {
    type: 'class',
    // Classes of Java are not loaded; these decide who is let in, so that another is refused, not passed over.
    oneOf: ['org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder'],
    default: 'org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder',
    documentation: 'The class that makes users of connections.',
  },
  'sasl.kerberos.kinit.cmd': {
    type: 'string',
    default: '/usr/bin/kinit',
    documentation: 'The command kinit of Kerberos.',
  },
  'sasl.kerberos.min.time.before.relogin': {
    type: 'long',
    default: '60000',
    documentation: 'How long a login thread of Kerberos rests.',
  },
  'sasl.kerberos.principal.to.local.rules': {
    type: 'list',
    default: 'DEFAULT',
    documentation: 'How names of Kerberos become users.',
  },
  'sasl.kerberos.service.name': {
    type: 'string',
    default: null,
    documentation: 'The name of the service in Kerberos.',
  },
  'sasl.kerberos.ticket.renew.jitter': {
    type: 'double',
    default: '0.05',
    documentation: 'How much chance there is in when a ticket is renewed.',
  },
  'sasl.kerberos.ticket.renew.window.factor': {
    type: 'double',
    default: '0.8',
    documentation: 'After what part of its life a ticket is renewed.',
  },
  'sasl.login.refresh.buffer.seconds': {
    type: 'short',
    default: '300',
    documentation: 'How long before its end a token of the broker is renewed.',
  },
  'sasl.login.refresh.min.period.seconds': {
    type: 'short',
    default: '60',
    documentation: 'How long a token of the broker is kept at least.',
  },
  'sasl.login.refresh.window.factor': {
    type: 'double',
    default: '0.8',
    documentation: 'After what part of its life a token of the broker is renewed.',
  },
  'sasl.login.refresh.window.jitter': {
    type: 'double',
    default: '0.05',
    documentation: 'How much chance there is in when a token of the broker is renewed.',
  },
  'sasl.mechanism.inter.broker.protocol': {
    type: 'string',
    default: 'GSSAPI',
    documentation: 'How brokers authenticate with each other.',
  },
  'ssl.endpoint.identification.algorithm': {
    type: 'string',
    default: 'https',
    documentation: 'How the name of a server is looked for in its certificate.',
  },
  'ssl.engine.factory.class': {
    type: 'class',
    oneOf: ['org.apache.kafka.common.security.ssl.DefaultSslEngineFactory'],
    default: null,
    documentation: 'The class that makes TLS engines.',
  },
  'ssl.keymanager.algorithm': {
    type: 'string',
    default: 'SunX509',
    documentation: 'How Java manages the keys of TLS.',
  },
  'ssl.protocol': {
    type: 'string',
    default: 'TLSv1.3',
    documentation: 'The version of TLS that is made ready.',
  },
  'ssl.provider': { type: 'string', default: null, documentation: 'Who provides TLS in Java.' },
  'ssl.secure.random.implementation': {
    type: 'string',
    default: null,
    documentation: 'Where TLS takes its random numbers from in Java.',
  },
  'ssl.trustmanager.algorithm': {
    type: 'string',
    default: 'PKIX',
    documentation: 'How Java decides whom TLS trusts.',
  },
};
