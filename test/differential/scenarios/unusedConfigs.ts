// Configs of tiered storage, share and streams groups and plugins: they change nothing here, and can be set all the
// same.
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import type { Run, Scenarios } from '../support/run.ts';

const types = { topic: 2, broker: 4, group: 32 } as const;
/** Of what was set for the resource itself. */
const ownSources: readonly number[] = [1, 8];

type Values = Readonly<Record<string, readonly string[]>>;

const setting = (
  resourceType: number,
  resourceName: string,
  configs: Readonly<Record<string, string>>,
): RequestInput<'incrementalAlterConfigs'> => ({
  resources: [
    {
      resourceType,
      resourceName,
      configs: Object.entries(configs).map(([name, value]) => ({
        name,
        configOperation: 0,
        value,
      })),
    },
  ],
});

/** Whether each value would be taken. */
async function tried(run: Run, type: number, resource: string, values: Values): Promise<void> {
  for (const [name, each] of Object.entries(values))
    for (const value of each)
      await run.last(
        'incrementalAlterConfigs',
        { ...setting(type, resource, { [name]: value }), validateOnly: true },
        { label: `${name} ${value} of ${resource}` },
      );
}

/** With words, which are our own: whether there are any is compared. */
async function described(run: Run, type: number, resource: string): Promise<void> {
  const asked = {
    resources: [{ resourceType: type, resourceName: resource, configurationKeys: null }],
    includeSynonyms: true,
    includeDocumentation: true,
  };
  const { results } = await run.prepare('describeConfigs', 4, asked);
  const configs = (results[0]?.configs ?? []).map(({ documentation, ...entry }) => ({
    ...entry,
    hasDocumentation: Boolean(documentation),
  }));
  run.note('describeConfigs', 4, { configs });
}

/** Sets all, and asks once both have had the time to apply them. */
async function given(
  run: Run,
  type: number,
  resource: string,
  configs: Readonly<Record<string, string>>,
): Promise<void> {
  await run.last('incrementalAlterConfigs', setting(type, resource, configs));
  const [key = ''] = Object.keys(configs);
  const asked = {
    resources: [{ resourceType: type, resourceName: resource, configurationKeys: [key] }],
  };
  await run.until(['describeConfigs', 4, asked], ({ results: [result] }) =>
    ownSources.includes(result?.configs[0]?.configSource ?? 0),
  );
  await described(run, type, resource);
}

const ofTopics: Values = {
  'errors.deadletterqueue.group.enable': ['true', 'false', 'maybe'],
  'local.retention.bytes': ['-3', '-2', '-1', '0', '1000', '1.5', '9223372036854775808'],
  'local.retention.ms': ['-3', '-2', '-1', '0', '604800001', 'long'],
  'remote.copy.lag.bytes': ['-2', '-1', '0', '5'],
  'remote.copy.lag.ms': ['-2', '-1', '0', '604800001'],
  'remote.log.copy.disable': ['true', 'FALSE', ''],
  'remote.log.delete.on.disable': ['true', 'false', '1'],
  'remote.storage.enable': ['false', ' False ', 'true', ' TRUE', 'yes'],
};

const ofATopic = {
  'errors.deadletterqueue.group.enable': 'TRUE',
  'local.retention.bytes': ' 012',
  'local.retention.ms': '900000000',
  'remote.copy.lag.bytes': '5',
  'remote.copy.lag.ms': '-1',
  'remote.log.copy.disable': 'true',
  'remote.log.delete.on.disable': 'true',
  'remote.storage.enable': 'false',
};

const interval = ['-1', '0', '15000', '15001', 'x'];
const heartbeat = ['0', '4999', '5000', '15000', '15001'];
const session = ['44999', '45000', '60000', '60001'];
const enabled = ['true', 'False', 'x'];

const ofGroups: Values = {
  'consumer.assignor.offload.enable': enabled,
  'errors.deadletterqueue.copy.record.enable': enabled,
  'errors.deadletterqueue.topic.name': ['', 'letters', '__letters', ' __letters', '/ no name'],
  'share.assignment.interval.ms': interval,
  'share.assignor.offload.enable': enabled,
  'share.auto.offset.reset': [
    ...['earliest', 'latest', 'none', 'Latest', '', ' earliest', 'by_duration', 'by_duration:'],
    ...['PT1H', 'p1dt2h3m4.5s', 'P1D', 'PT0S', '-PT0.1S', '-PT-0.1S', 'PT-1S', 'P-1DT24H'].map(
      (duration) => `by_duration:${duration}`,
    ),
    ...['P', 'PT', 'P1DT', 'P1Y', 'PT1.5H', 'PT1,5S', 'PT1.S', 'P1D ', 'PT+1S', '+PT1S'].map(
      (duration) => `by_duration:${duration}`,
    ),
    ...['P106751991167300D', 'P106751991167301D', 'PT9223372036854775808S'].map(
      (duration) => `by_duration:${duration}`,
    ),
  ],
  'share.delivery.count.limit': ['1', '2', '10', '11'],
  'share.heartbeat.interval.ms': heartbeat,
  'share.isolation.level': ['read_committed', 'read_uncommitted', 'READ_COMMITTED', ''],
  'share.partition.max.record.locks': ['99', '100', '4000', '4001'],
  'share.record.lock.duration.ms': ['14999', '15000', '60000', '60001'],
  'share.renew.acknowledge.enable': enabled,
  'share.session.timeout.ms': session,
  'streams.acceptable.recovery.lag': ['-1', '0', '9223372036854775807', 'x'],
  'streams.assignment.interval.ms': interval,
  'streams.assignor.name': ['sticky', 'Sticky', '', ' sticky ', 'range'],
  'streams.assignor.offload.enable': enabled,
  'streams.heartbeat.interval.ms': heartbeat,
  'streams.initial.rebalance.delay.ms': ['-1', '0', '2147483647'],
  'streams.num.standby.replicas': ['-1', '0', '2', '3'],
  'streams.num.warmup.replicas': ['-1', '0', '20', '21'],
  'streams.rack.aware.assignment.tags': ['', 'zone', 'zone,cluster', 'zone,zone', 'zone,,x', ','],
  'streams.session.timeout.ms': session,
  'streams.task.offset.interval.ms': ['14999', '15000', 'x'],
  'streams.no.such.config': ['1'],
};

const ofAGroup = {
  'consumer.assignor.offload.enable': 'true',
  'errors.deadletterqueue.topic.name': 'letters',
  'share.auto.offset.reset': 'by_duration:PT1H',
  'share.delivery.count.limit': '07',
  'share.session.timeout.ms': '50000',
  'streams.acceptable.recovery.lag': '5',
  'streams.assignor.name': 'sticky',
  'streams.assignor.offload.enable': 'TRUE',
  'streams.num.warmup.replicas': '03',
  'streams.rack.aware.assignment.tags': 'zone, cluster',
};

const principalBuilder =
  'org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder';

const ofBrokers: Values = {
  'cordoned.log.dirs': ['', '*', '/nowhere', '/nowhere,*'],
  'errors.deadletterqueue.auto.create.topics.enable': enabled,
  'errors.deadletterqueue.topic.name.prefix': ['', '__x'],
  'group.consumer.assignor.offload.enable': enabled,
  'group.share.assignment.interval.ms': interval,
  'group.share.session.timeout.ms': ['50000'],
  'group.streams.assignment.interval.ms': interval,
  'group.streams.num.warmup.replicas': ['3'],
  'listener.name.plaintext.principal.builder.class': ['nonsense'],
  'log.cleaner.dedupe.buffer.size': ['1048576', '1048577'],
  'log.local.retention.bytes': ['-1', '5'],
  'log.local.retention.ms': ['-3', '-1', '604800000', '604800001'],
  'log.remote.copy.lag.bytes': ['-2', '5'],
  'log.remote.copy.lag.ms': ['-1', '604800000', '604800001'],
  'metric.reporters': ['', 'nonsense', 'org.apache.kafka.common.metrics.JmxReporter'],
  'principal.builder.class': ['', 'nonsense', principalBuilder],
  'remote.log.manager.follower.thread.pool.size': ['1', '4', '5'],
  'remote.log.reader.threads': ['4', '5', '20', '21'],
  'remote.log.storage.system.enable': ['true'],
  'share.coordinator.cached.buffer.max.bytes': ['524287', '524288'],
  'ssl.engine.factory.class': ['nonsense'],
};

export const unusedConfigScenarios: Scenarios = {
  async 'a topic may have what tiered storage and dead letter queues go by'(run) {
    const { name } = await run.topic();
    await tried(run, types.topic, name, ofTopics);
    await given(run, types.topic, name, ofATopic);
    // Not while there is tiered storage: less may be kept altogether than on the broker.
    await tried(run, types.topic, name, { 'retention.ms': ['5'], 'retention.bytes': ['5'] });
  },

  async 'a topic is made with them, or not'(run) {
    for (const enable of ['false', 'true']) {
      const configs = { ...ofATopic, 'remote.storage.enable': enable };
      await run.last('createTopics', {
        topics: [
          {
            name: run.fresh('topic'),
            numPartitions: 1,
            replicationFactor: 1,
            configs: Object.entries(configs).map(([name, value]) => ({ name, value })),
          },
        ],
        timeoutMs: 10_000,
        validateOnly: true,
      });
    }
  },

  async 'a group may have what share and streams groups go by'(run) {
    const group = run.fresh('group');
    await tried(run, types.group, group, ofGroups);
    await described(run, types.group, group);
    await given(run, types.group, group, ofAGroup);
    await run.last(
      'incrementalAlterConfigs',
      {
        ...setting(types.group, group, {
          'share.heartbeat.interval.ms': '15000',
          'share.session.timeout.ms': '45000',
        }),
        validateOnly: true,
      },
      { label: 'two at once' },
    );
  },

  async 'a broker may have them too, and plugins that there are'(run) {
    for (const broker of ['1', '']) await tried(run, types.broker, broker, ofBrokers);
  },
};
