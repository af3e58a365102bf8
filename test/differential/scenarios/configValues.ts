// What may stand in configs: values that hide others, with blanks around them, and classes of Java.
import type { Response } from '../../wire/broker/support/rawClient.ts';
import { type Change, changing, describing, sources, types } from '../support/configRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';

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

/** Until a broker goes by these values of its own, or no longer. It tells sooner that it has them. */
async function untilBroker(
  run: Run,
  what: 'has' | 'lost',
  own: Readonly<Record<string, string>>,
): Promise<void> {
  const isSo = (isOwn: boolean): boolean => isOwn === (what === 'has');
  await run.until(
    ['describeConfigs', 4, describing(types.broker, '1', Object.keys(own))],
    ({ results: [result] }) =>
      result?.configs.every(
        ({ name, value, configSource }) =>
          isSo(configSource === sources.own) && isSo(value === own[name]),
      ) ?? false,
  );
}

export const configValueScenarios: Scenarios = {
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

  async 'lists are added to, and taken from, item by item'(run) {
    const lists = {
      'log.cleanup.policy': ['compact', 'delete'],
      'ssl.cipher.suites': ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'],
      'metric.reporters': ['a', 'b'],
      'cleanup.policy': ['compact', 'delete'],
      'leader.replication.throttled.replicas': ['0:1', '1:1'],
    };
    const { name: topic } = await run.topic();
    const resources = [
      [types.broker, '1'],
      [types.broker, ''],
      [types.topic, topic],
    ] as const;
    for (const [name, [a = '', b = '']] of Object.entries(lists))
      for (const [type, resource] of resources)
        for (const items of [
          `${a},${a}`,
          `${b},${b}`,
          `${a},${b},${a}`,
          `${a},,${b}`,
          `,${a}`,
          ',',
        ])
          for (const operation of ['set', 'append', 'subtract'] as const) {
            const change = [name, operation, items] as const;
            await run.last('incrementalAlterConfigs', changing(type, resource, [change], true), {
              label: `${change.join(' ')} of ${resource}`,
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
    await tried('alone');
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', sets));
    await untilBroker(run, 'has', own);
    await tried('behind its own');
    const gone = names.map((name) => [name, 'delete', null] as const);
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', gone));
    await untilBroker(run, 'lost', own);
  },

  async 'times of segments count as a broker has them'(run) {
    const own = {
      'log.roll.ms': '7000000',
      'log.retention.ms': '8000000',
      'log.roll.jitter.ms': '9',
    };
    const names = Object.keys(own);
    const cases = [
      ...(['log.roll.ms', 'log.retention.ms', 'log.roll.jitter.ms'] as const).flatMap((name) =>
        ['0', '-1', '-2'].map((value) => [name, 'set', value] as const),
      ),
    ];
    const tried = async (broker: string, label: string): Promise<void> => {
      for (const change of cases)
        await run.last('incrementalAlterConfigs', changing(types.broker, broker, [change], true), {
          label: `${change.join(' ')} of ${broker} ${label}`,
        });
    };
    for (const broker of ['', '1']) await tried(broker, 'alone');
    const sets = Object.entries(own).map(([name, value]) => [name, 'set', value] as const);
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', sets));
    await untilBroker(run, 'has', own);
    await tried('', 'behind its own');
    const hidden = changing(types.broker, '', [['log.roll.ms', 'set', '0']]);
    await run.last('incrementalAlterConfigs', hidden);
    const gone = names.map((name) => [name, 'delete', null] as const);
    // A broker comes to know what all have a moment after it is set: while it does, its own hides it.
    const untilOwnMayGo = (isAllowed: boolean) =>
      run.until(
        ['incrementalAlterConfigs', 1, changing(types.broker, '1', gone, true)],
        ({ responses: [response] }) => (response?.errorCode === 0) === isAllowed,
      );
    await untilOwnMayGo(false);
    const shown = changing(types.broker, '', [['log.roll.ms', 'delete', null]]);
    await run.last('incrementalAlterConfigs', shown);
    await untilOwnMayGo(true);
    await run.last('incrementalAlterConfigs', changing(types.broker, '1', gone));
    await untilBroker(run, 'lost', own);
  },

  async 'what a listener has for itself is looked at, but for items of lists that come twice'(run) {
    const cases: readonly Change[] = [
      ['listener.name.plaintext.group.streams.rack.aware.assignment.tags', 'set', 'a,a'],
      ['listener.name.plaintext.num.partitions', 'set', 'x'],
      ['listener.name.plaintext.num.partitions', 'set', '0'],
      ['listener.name.plaintext.node.id', 'set', 'x'],
      ['listener.name.plaintext.node.id', 'set', '-5'],
      ['listener.name.plaintext.group.coordinator.rebalance.protocols', 'set', 'x'],
      ['listener.name.plaintext.group.coordinator.rebalance.protocols', 'set', 'classic,classic'],
      ['listener.name.plaintext.process.roles', 'set', 'broker,broker'],
      ['listener.name.plaintext.group.streams.assignors', 'set', 'x,x'],
      ['listener.name.plaintext.auto.leader.rebalance.enable', 'set', 'x'],
      ['listener.name.plaintext.sasl.enabled.mechanisms', 'set', 'PLAIN,PLAIN'],
      ['listener.name.plaintext.offsets.topic.num.partitions', 'set', '0'],
      ['listener.name.plaintext.log.retention.ms', 'set', 'x'],
      ['listener.name.plaintext.max.connections', 'set', 'x'],
    ];
    for (const change of cases)
      await run.last('incrementalAlterConfigs', changing(types.broker, '1', [change], true), {
        label: change.join(' '),
      });
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
    run.note('describeConfigs', 4, { ofBlanks: { value: await told(sources.own) } });
    const gone = changing(types.broker, '1', [[name, 'delete', null]]);
    await run.last('incrementalAlterConfigs', gone);
    run.note('describeConfigs', 4, { withoutIt: await told(sources.default) });
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
