// Configs that Kafka keeps for itself, names of brokers written otherwise, and configs whose values are classes of Java.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RequestInput, Response } from '../../wire/broker/support/rawClient.ts';
import { batchOf, produceTo } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

const types = { topic: 2, broker: 4, brokerLogger: 8, group: 32 } as const;
const operations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;
/** Of what a broker was given itself, and of what nobody gave it. */
const [ownSource, defaultSource] = [2, 5];
const segmentBytes = 'internal.segment.bytes';

type Change = readonly [name: string, operation: keyof typeof operations, value: string | null];

const changing = (
  resourceType: number,
  resourceName: string,
  changes: readonly Change[],
  validateOnly = false,
): RequestInput<'incrementalAlterConfigs'> => {
  const configs = changes.map(([name, operation, value]) => ({
    name,
    configOperation: operations[operation],
    value,
  }));
  return { resources: [{ resourceType, resourceName, configs }], validateOnly };
};

const describing = (
  resourceType: number,
  resourceName: string,
  configurationKeys: string[] | null,
): RequestInput<'describeConfigs'> => ({
  resources: [{ resourceType, resourceName, configurationKeys }],
  includeSynonyms: true,
});

const making = (
  name: string,
  configs: Readonly<Record<string, string>>,
  validateOnly = false,
): RequestInput<'createTopics'> => {
  const given = Object.entries(configs).map(([key, value]) => ({ name: key, value }));
  const topic = { name, numPartitions: 1, replicationFactor: 1, configs: given };
  return { topics: [topic], timeoutMs: 10_000, validateOnly };
};

/** Until both have had the time to apply it; undefined: that it is not told of any more. */
async function untilTold(run: Run, name: string, value: string | undefined): Promise<void> {
  await run.until(
    ['describeConfigs', 4, describing(types.topic, name, [segmentBytes, 'segment.bytes'])],
    ({ results: [result] }) =>
      result?.configs.find(({ name: key }) => key === segmentBytes)?.value === value,
  );
}

/** Each batch has 75 bytes. */
async function written(run: Run, topic: Topic, count: number): Promise<void> {
  const version = run.latest('produce');
  for (let i = 0; i < count; i++)
    await run.ask('produce', version, produceTo(topic, version, batchOf(['letters'])));
}

/** Where the segments of the topic begin. */
function noteSegments(run: Run, { name }: Topic): void {
  const files = readdirSync(path.join(run.logFolder, `${name}-0`));
  const segments = files.filter((file) => file.endsWith('.log')).sort();
  run.note('produce', run.latest('produce'), { segments });
}

/** [ConfigDef.defineInternal] */
const internalNames: readonly string[] = [
  'controller.performance.always.log.threshold.ms',
  'controller.performance.sample.period.ms',
  'group.consumer.regex.refresh.interval.ms',
  'group.share.dlq.manager.class.name',
  'group.share.initialize.retry.interval.ms',
  'group.share.persister.class.name',
  'internal.metadata.delete.delay.millis',
  'internal.metadata.log.segment.bytes',
  'internal.metadata.max.batch.size.in.bytes',
  'internal.segment.bytes',
  'log.initial.task.delay.ms',
  'producer.id.expiration.check.interval.ms',
  'remote.log.index.file.cache.ttl.ms',
  'remote.log.manager.task.retry.backoff.max.ms',
  'remote.log.manager.task.retry.backoff.ms',
  'remote.log.manager.task.retry.jitter',
  'server.max.startup.time.ms',
  'share.coordinator.cold.partition.snapshot.interval.ms',
  'share.coordinator.state.topic.prune.interval.ms',
  'unclean.leader.election.interval.ms',
  'unstable.api.versions.enable',
  'unstable.feature.versions.enable',
];

const brokerNames: readonly string[] = [
  ...['01', '+1', '\uff11', '00000000000000000000001'],
  ...['+', '-1', '-0', '2', ' 1', '1 ', '1\0', '1.0', '2147483648', '-2147483649', '4294967297'],
];

/** Such as a client can name, and such as nobody has. */
const classNames: readonly string[] = [
  'java.lang.String',
  'org.apache.kafka.common.metrics.JmxReporter',
  'no.such.Class',
  '',
];

const classConfigs: readonly string[] = [
  ...['alter.config.policy.class.name', 'authorizer.class.name', 'client.quota.callback.class'],
  ...['create.topic.policy.class.name', 'group.consumer.assignors', 'group.share.assignors'],
  ...['group.streams.assignors', 'kafka.metrics.reporters', 'metric.reporters'],
  ...['principal.builder.class', 'remote.log.metadata.manager.class.name'],
  ...['remote.log.storage.manager.class.name', 'replica.selector.class'],
  ...['sasl.client.callback.handler.class', 'sasl.login.callback.handler.class'],
  ...['sasl.login.class', 'sasl.server.callback.handler.class', 'security.providers'],
  ...['interceptor.classes', 'ssl.engine.factory.class'],
];

/** A broker takes any class that Java has. */
const classesOfJava: readonly string[] = [
  'listener.name.plaintext.principal.builder.class',
  'listener.name.plaintext.ssl.engine.factory.class',
  'ssl.engine.factory.class',
];

export const internalConfigScenarios: Scenarios = {
  async 'internal.segment.bytes of a topic, told of once it is set'(run) {
    const name = run.fresh('topic');
    for (const value of ['', 'x', '1.5', '2147483648', '-2147483648', '0', ' 0200'])
      await run.last('createTopics', making(name, { [segmentBytes]: value }, true), {
        label: value,
      });
    await run.prepare('createTopics', 7, making(name, { [segmentBytes]: ' 0200' }));
    await untilTold(run, name, ' 0200');
    await run.last('describeConfigs', describing(types.topic, name, null));
    for (const change of [
      [segmentBytes, 'set', '+7'],
      [segmentBytes, 'set', ''],
      [segmentBytes, 'set', null],
      [segmentBytes, 'set', '2147483648'],
      [segmentBytes, 'append', '5'],
      [segmentBytes, 'subtract', '5'],
      ['segment.bytes', 'set', '300'],
    ] as const)
      await run.last('incrementalAlterConfigs', changing(types.topic, name, [change], true));
    const set = changing(types.topic, name, [[segmentBytes, 'set', '+300']]);
    await run.last('incrementalAlterConfigs', set);
    await untilTold(run, name, '+300');
    const configs = [{ name: segmentBytes, value: '400' }];
    const resource = { resourceType: types.topic, resourceName: name, configs };
    await run.last('alterConfigs', { resources: [resource] });
    await untilTold(run, name, '400');
    const gone = changing(types.topic, name, [[segmentBytes, 'delete', null]]);
    await run.last('incrementalAlterConfigs', gone);
    await untilTold(run, name, undefined);
    await run.last('describeConfigs', describing(types.topic, name, null));
  },

  async 'internal.segment.bytes is where segments end'(run) {
    const configs = { [segmentBytes]: '200', 'segment.bytes': '2000000' };
    const topic = await run.topic({ configs });
    await written(run, topic, 5);
    noteSegments(run, topic);
    for (const value of ['75', '74', '-1']) {
      const set = changing(types.topic, topic.name, [[segmentBytes, 'set', value]]);
      await run.last('incrementalAlterConfigs', set);
      await untilTold(run, topic.name, value);
      await written(run, topic, 2);
      noteSegments(run, topic);
    }
    const gone = changing(types.topic, topic.name, [[segmentBytes, 'delete', null]]);
    await run.last('incrementalAlterConfigs', gone);
    await untilTold(run, topic.name, undefined);
    await written(run, topic, 4);
    noteSegments(run, topic);
  },

  async 'internal configs of a broker are not changed while it runs'(run) {
    for (const broker of ['1', '']) {
      for (const name of internalNames)
        for (const operation of ['set', 'delete', 'append'] as const)
          await run.last(
            'incrementalAlterConfigs',
            changing(types.broker, broker, [[name, operation, '20000']], true),
            { label: `${operation} ${name} of ${broker}` },
          );
      await run.last('describeConfigs', describing(types.broker, broker, [...internalNames]));
    }
  },

  async 'a broker is named by its number, however that is written'(run) {
    for (const label of brokerNames) {
      const set = [['log.cleaner.threads', 'set', '1']] as const;
      await run.last('incrementalAlterConfigs', changing(types.broker, label, set), { label });
      const configs = [{ name: 'log.cleaner.threads', value: '1' }];
      const resource = { resourceType: types.broker, resourceName: label, configs };
      await run.last('alterConfigs', { resources: [resource] }, { label });
      await run.last(
        'describeConfigs',
        describing(types.broker, label, ['log.cleaner.threads', 'background.threads']),
        { label },
      );
      await run.last('describeConfigs', describing(types.brokerLogger, label, ['none']), { label });
    }
    await run.last('listConfigResources', { resourceTypes: [types.broker, types.brokerLogger] });
  },

  async 'config providers are looked at by nobody'(run) {
    const cases: readonly Change[] = [
      ['config.providers', 'set', 'file,,file'],
      ['config.providers', 'append', ',x'],
      ['config.providers.file.class', 'set', 'no.such.Class'],
      ['config.providers.file.class', 'append', 'x'],
    ];
    for (const broker of ['1', ''])
      for (const change of cases)
        await run.last('incrementalAlterConfigs', changing(types.broker, broker, [change], true), {
          label: `${change.join(' ')} of ${broker}`,
        });
  },

  async 'lists that a listener has for itself are not added to'(run) {
    for (const name of ['config.providers', 'sasl.enabled.mechanisms', 'ssl.cipher.suites'])
      for (const operation of ['append', 'subtract'] as const) {
        const change = [`listener.name.plaintext.${name}`, operation, 'x'] as const;
        await run.last('incrementalAlterConfigs', changing(types.broker, '1', [change], true), {
          label: change.join(' '),
        });
      }
  },

  async 'what all brokers have is not looked at where a broker has its own'(run) {
    const own = { 'group.share.assignment.interval.ms': '5', 'num.io.threads': '9' };
    const names = Object.keys(own);
    const sets = Object.entries(own).map(([name, value]) => [name, 'set', value] as const);
    const [interval, threads] = [
      ['group.share.assignment.interval.ms', 'set', '60000'],
      ['num.io.threads', 'set', '100'],
    ] as const;
    const tried = async (label: string): Promise<void> => {
      for (const change of [interval, threads])
        await run.last('incrementalAlterConfigs', changing(types.broker, '', [change], true), {
          label: `${change.join(' ')} ${label}`,
        });
    };
    const untilOwn = async (count: number): Promise<void> => {
      await run.until(
        ['describeConfigs', 4, describing(types.broker, '1', names)],
        ({ results: [result] }) =>
          result?.configs.filter(({ configSource }) => configSource === ownSource).length === count,
      );
    };
    await tried('alone');
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', sets));
    await untilOwn(names.length);
    await tried('behind its own');
    const gone = names.map((name) => [name, 'delete', null] as const);
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', gone));
    await untilOwn(0);
  },

  async 'an interval of a broker with blanks around it'(run) {
    const name = 'group.share.assignment.interval.ms';
    const set = changing(types.broker, '1', [[name, 'set', ' 07 ']]);
    const told = async (source: number): Promise<string | null | undefined> => {
      const { results } = await run.until(
        ['describeConfigs', 4, describing(types.broker, '1', [name])],
        ({ results: [result] }) => result?.configs[0]?.configSource === source,
      );
      run.exchanges.pop(); // whose value is compared by itself
      return results[0]?.configs[0]?.value;
    };
    await run.last('incrementalAlterConfigs', set);
    run.note('describeConfigs', 4, { ofBlanks: { value: await told(ownSource) } });
    const gone = changing(types.broker, '1', [[name, 'delete', null]]);
    await run.last('incrementalAlterConfigs', gone);
    run.note('describeConfigs', 4, { withoutIt: await told(defaultSource) });
  },

  async 'classes of Java, of which a broker needs few'(run) {
    for (const broker of ['1', ''])
      for (const name of classConfigs.filter((each) => !classesOfJava.includes(each)))
        for (const value of classNames)
          await run.last(
            'incrementalAlterConfigs',
            changing(types.broker, broker, [[name, 'set', value]], true),
            { label: `${name} ${value} of ${broker}` },
          );
  },

  async 'classes of Java, of which a running broker takes any'(run) {
    const answers: { name: string; errorCode: number | undefined }[] = [];
    for (const name of classesOfJava)
      for (const value of classNames) {
        const set = changing(types.broker, '1', [[name, 'set', value]], true);
        const { responses } = await run.prepare('incrementalAlterConfigs', 1, set);
        answers.push({ name: `${name} ${value}`, errorCode: responses[0]?.errorCode });
      }
    run.note('incrementalAlterConfigs', 1, { ofClasses: answers });
  },

  async 'a number of a group with blanks around it'(run) {
    const group = run.fresh('group');
    const name = 'consumer.session.timeout.ms';
    const set = changing(types.group, group, [[name, 'set', ' 046000 ']]);
    await run.last('incrementalAlterConfigs', set);
    await run.until(
      ['describeConfigs', 4, describing(types.group, group, [name])],
      ({ results: [result] }) => result?.configs[0]?.value === '46000',
    );
    // With what is listed a moment after it is told: this one was set later.
    const later = run.fresh('group');
    const plain = changing(types.group, later, [[name, 'set', '46000']]);
    await run.last('incrementalAlterConfigs', plain);
    const namesOf = ({ configResources }: Response<'listConfigResources'>): string[] =>
      configResources.map(({ resourceName }) => resourceName);
    const listed = await run.until(
      ['listConfigResources', 1, { resourceTypes: [types.group] }],
      (response) => namesOf(response).includes(later),
    );
    run.exchanges.pop(); // with what other scenarios have set
    const isListed = namesOf(listed).includes(group);
    run.note('listConfigResources', 1, { ofBlanks: { isListed } });
    // Other scenarios list the groups that have configs.
    const gone = changing(types.group, group, [[name, 'delete', null]]);
    await run.last('incrementalAlterConfigs', gone);
  },
};
