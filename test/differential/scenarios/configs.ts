// DescribeConfigs, AlterConfigs, IncrementalAlterConfigs.
import type { Run, Scenarios } from '../support/run.ts';

const topicType = 2;
const brokerType = 4;
/** Of what was set for a topic itself. */
const topicSource = 1;
const operations = { set: 0, delete: 1, append: 2, subtract: 3 } as const;

type Change = readonly [name: string, operation: keyof typeof operations, value: string | null];

const change = (resourceName: string, changes: readonly Change[], resourceType = topicType) => ({
  resources: [
    {
      resourceType,
      resourceName,
      configs: changes.map(([name, operation, value]) => ({
        name,
        configOperation: operations[operation],
        value,
      })),
    },
  ],
});

const describe = (
  resourceName: string,
  configurationKeys: string[] | null,
  resourceType = topicType,
) => ({
  resources: [{ resourceType, resourceName, configurationKeys }],
});

/** What the topic has been given, once both have had the time to apply it. */
async function overrides(run: Run, name: string, key: string, wanted: string): Promise<void> {
  await run.until(
    ['describeConfigs', 4, describe(name, [key])],
    ({ results: [result] }) => result?.configs[0]?.value === wanted,
  );
}

/** What the two brokers were started with: only what they say without it is compared. */
const startedWith: ReadonlySet<string> = new Set([
  'advertised.listeners',
  'broker.id',
  'controller.listener.names',
  'controller.quorum.voters',
  'group.consumer.assignment.interval.ms',
  'inter.broker.listener.name',
  'listener.security.protocol.map',
  'listeners',
  'log.cleaner.dedupe.buffer.size',
  'log.dirs',
  'node.id',
  'process.roles',
  'sasl.enabled.mechanisms',
]);
const defaultSource = 5;
/** Of all brokers, and of one. */
const dynamicSources = { '': 3, '1': 2 } as const;

/** Every config of a broker. The words are our own; whether there are any is compared. */
async function describedBroker(run: Run, broker: string, includeSynonyms: boolean): Promise<void> {
  const asked = {
    ...describe(broker, null, brokerType),
    includeSynonyms,
    includeDocumentation: true,
  };
  const { results } = await run.prepare('describeConfigs', 4, asked);
  const configs = (results[0]?.configs ?? []).map((entry) => {
    const { name, value, configSource, synonyms, documentation, ...others } = entry;
    const facts = { ...others, name, hasDocumentation: Boolean(documentation) };
    return startedWith.has(name)
      ? { ...facts, standard: synonyms.filter(({ source }) => source === defaultSource) }
      : { ...facts, value, configSource, synonyms };
  });
  run.note('describeConfigs', 4, { configs }, `synonyms: ${includeSynonyms}`);
}

export const configScenarios: Scenarios = {
  async 'DescribeConfigs of a topic, key by key'(run) {
    const { name } = await run.topic({
      configs: { 'retention.ms': '1234', 'cleanup.policy': 'compact' },
    });
    const keys = [
      'retention.ms',
      'cleanup.policy',
      'segment.bytes',
      'no.such.key',
      'min.insync.replicas',
    ];
    await run.each('describeConfigs', () => describe(name, keys));
    await run.each('describeConfigs', () => ({ ...describe(name, keys), includeSynonyms: true }));
    await run.each('describeConfigs', () => describe(name, []));
  },

  async 'DescribeConfigs of all of a topic'(run) {
    const { name } = await run.topic({ configs: { 'retention.ms': '1234' } });
    await run.each('describeConfigs', () => describe(name, null));
    await run.each('describeConfigs', () => ({ ...describe(name, null), includeSynonyms: true }));
  },

  async 'DescribeConfigs of all of a broker'(run) {
    for (const includeSynonyms of [false, true]) await describedBroker(run, '1', includeSynonyms);
    await run.last('describeConfigs', { ...describe('', null, brokerType), includeSynonyms: true });
  },

  async 'DescribeConfigs of what brokers were given while they run'(run) {
    const given: Record<string, string> = {
      'background.threads': ' 012',
      constructor: 'any object has one',
      'leader.replication.throttled.rate': ' 1000000000',
      'listener.name.plaintext.max.connections': '100000',
      'log.retention.ms': '700000000',
      'max.connections': '200000',
      'no.such.config': 'secret',
    };
    const names = Object.keys(given);
    for (const broker of ['', '1'] as const) {
      const sets = names.map((name): Change => [name, 'set', given[name] ?? '']);
      await run.last('incrementalAlterConfigs', change(broker, sets, brokerType));
      await run.until(
        ['describeConfigs', 4, describe(broker, names, brokerType)],
        ({ results: [result] }) =>
          result?.configs.filter(({ configSource }) => configSource === dynamicSources[broker])
            .length === names.length,
      );
      for (const each of ['', '1'])
        await run.last('describeConfigs', {
          ...describe(each, names, brokerType),
          includeSynonyms: true,
        });
    }
    for (const broker of ['', '1']) {
      const deletes = names.map((name): Change => [name, 'delete', null]);
      await run.last('incrementalAlterConfigs', change(broker, deletes, brokerType));
      const hasNone = broker === '' ? 0 : 3;
      await run.until(
        ['describeConfigs', 4, describe(broker, names, brokerType)],
        ({ results: [result] }) => result?.configs.length === hasNone,
      );
    }
  },

  async 'DescribeConfigs refuses'(run) {
    for (const name of [run.fresh(), '', 'a b'])
      await run.each('describeConfigs', () => describe(name, null), name);
    for (const broker of ['99', 'x'])
      await run.each('describeConfigs', () => describe(broker, ['log.dirs'], brokerType), broker);
    for (const type of [0, 1, 3, 77])
      await run.each('describeConfigs', () => describe('a', null, type), `type ${type}`);
  },

  async 'IncrementalAlterConfigs sets, deletes, appends and subtracts'(run) {
    const { name } = await run.topic();
    await run.each('incrementalAlterConfigs', () =>
      change(name, [['retention.ms', 'set', '5000']]),
    );
    await overrides(run, name, 'retention.ms', '5000');
    await run.last('incrementalAlterConfigs', change(name, [['retention.ms', 'delete', null]]));
    await overrides(run, name, 'retention.ms', '604800000');
    await run.last(
      'incrementalAlterConfigs',
      change(name, [['cleanup.policy', 'append', 'compact']]),
    );
    await overrides(run, name, 'cleanup.policy', 'delete,compact');
    await run.last(
      'incrementalAlterConfigs',
      change(name, [['cleanup.policy', 'append', 'compact']]),
      { label: 'again' },
    );
    await run.last(
      'incrementalAlterConfigs',
      change(name, [['cleanup.policy', 'subtract', 'delete']]),
    );
    await overrides(run, name, 'cleanup.policy', 'compact');
    await run.last(
      'incrementalAlterConfigs',
      change(name, [['cleanup.policy', 'subtract', 'delete']]),
      { label: 'again' },
    );
    await run.last('incrementalAlterConfigs', change(name, []), { label: 'nothing' });
  },

  async 'IncrementalAlterConfigs refuses'(run) {
    const { name } = await run.topic();
    const cases: Record<string, readonly Change[]> = {
      'an unknown key': [['no.such.key', 'set', '1']],
      'a wrong type': [['retention.ms', 'set', 'soon']],
      'out of range': [['segment.bytes', 'set', '1']],
      'out of a list': [['cleanup.policy', 'set', 'burn']],
      'no value': [['retention.ms', 'set', null]],
      'appending to a number': [['retention.ms', 'append', '5']],
      'appending nothing': [['cleanup.policy', 'append', null]],
      'subtracting from a number': [['retention.ms', 'subtract', '5']],
      'the same key twice': [
        ['retention.ms', 'set', '1'],
        ['retention.ms', 'set', '2'],
      ],
      'an empty key': [['', 'set', '1']],
      'deleting what is not set': [['retention.ms', 'delete', null]],
      'deleting an unknown key': [['no.such.key', 'delete', null]],
    };
    for (const [label, changes] of Object.entries(cases))
      await run.each('incrementalAlterConfigs', () => change(name, changes), label);
    const set: readonly Change[] = [['retention.ms', 'set', '1']];
    for (const bad of [run.fresh(), '', 'a b'])
      await run.each('incrementalAlterConfigs', () => change(bad, set), `topic ${bad}`);
    for (const type of [0, 1, 3, 77])
      await run.each('incrementalAlterConfigs', () => change('a', set, type), `type ${type}`);
    const resource = change(name, set).resources[0];
    await run.each(
      'incrementalAlterConfigs',
      () => ({ resources: resource ? [resource, resource] : [] }),
      'twice',
    );
    const configs = [{ name: 'retention.ms', configOperation: 9, value: '1' }];
    await run.each(
      'incrementalAlterConfigs',
      () => ({
        resources: [{ resourceType: topicType, resourceName: name, configs }],
      }),
      'operation 9',
    );
  },

  async 'IncrementalAlterConfigs of an operation that there is not fails over all'(run) {
    const { name } = await run.topic();
    const { name: other } = await run.topic();
    const setting = (resourceType: number, resourceName: string, key: string, operation = 0) => ({
      resourceType,
      resourceName,
      configs: [{ name: key, configOperation: operation, value: '60000' }],
    });
    const [metricsType, groupType] = [16, 32];
    const fine = setting(topicType, other, 'retention.ms');
    for (const odd of [
      setting(topicType, name, 'retention.ms', 7),
      setting(groupType, name, 'consumer.session.timeout.ms', 7),
      setting(metricsType, name, 'interval.ms', 7),
    ]) {
      await run.last('incrementalAlterConfigs', { resources: [odd, fine] });
    }
    await run.last('describeConfigs', describe(other, ['retention.ms']));
  },

  async 'IncrementalAlterConfigs takes what Java takes for a number, and no more'(run) {
    const ratio = 'min.cleanable.dirty.ratio';
    const cases: readonly (readonly [key: string, values: readonly string[]])[] = [
      ['max.message.bytes', ['０１', '٣', '𝟓', '0x10', '1e3', '5L', '+5', '1_0', '\u00a05']],
      ['max.message.bytes', [`${'0'.repeat(30)}7`, '-0', '9\0', '2147483648']],
      [ratio, ['NaN', '+NaN', 'nan', 'Infinity', '-Infinity', '0x1p-2', '0X.8P0d', '0x1', '1_0']],
      [ratio, ['0.25f', '.5D', '1.', '1e400', '1e-400', '-0', '٣', '0.5L']],
      ['preallocate', ['falſe', ' TRUE\0', 'yes', 'true\u00a0']],
    ];
    for (const [key, values] of cases)
      for (const value of values) {
        const { name } = await run.topic();
        const set = change(name, [[key, 'set', value]]);
        const { responses } = await run.last('incrementalAlterConfigs', set, { label: value });
        if (responses[0]?.errorCode !== 0) continue;
        await run.until(
          ['describeConfigs', 4, describe(name, [key])],
          ({ results: [result] }) => result?.configs[0]?.configSource === topicSource,
          value,
        );
      }
  },

  async 'IncrementalAlterConfigs of a broker has bounds of its own'(run) {
    const cases: readonly (readonly [key: string, value: string])[] = [
      ['listener.name.plaintext.max.connections', '5'],
      ['listener.name.plaintext.max.connections', '-5'],
      ['listener.name.plaintext.max.connections', '0'],
      ['listener.name.plaintext.max.connection.creation.rate', '0'],
      ['max.connections', '0'],
      ['max.connection.creation.rate', '0'],
      ['max.connections.per.ip', '0'],
      ['max.connections.per.ip', '-1'],
      ['max.connections.per.ip.overrides', '127.0.0.1:2, ::1:3'],
      ['max.connections.per.ip.overrides', ''],
      ['max.connections.per.ip.overrides', '127.0.0.1'],
      ['max.connections.per.ip.overrides', '127.0.0.1:few'],
      ['max.connections.per.ip.overrides', 'no host:5'],
      ['max.connections.per.ip.overrides', '127.0.0.1:-5'],
      ['listener.name.plaintext.num.network.threads', 'few'],
      ['listener.name.plaintext.no.such.config', 'x'],
      ['sasl.login.refresh.window.factor', '0.5'],
      ['sasl.kerberos.service.name', 'kafka'],
      ['ssl.cipher.suites', 'x'],
      ['ssl.keystore.location', '/nowhere'],
      ['num.io.threads', '16'],
      ['num.io.threads', '17'],
      ['num.network.threads', '1'],
      ['num.replica.fetchers', '0'],
      ['log.cleaner.threads', '3'],
      ['log.cleaner.threads', '0'],
      ['group.coordinator.cached.buffer.max.bytes', '5'],
      ['remote.fetch.max.wait.ms', '0'],
      ['log.local.retention.ms', '-3'],
      ['log.retention.ms', '-2'],
      ['log.retention.ms', '0'],
      ['leader.replication.throttled.rate', '-1'],
      ['follower.replication.throttled.rate', '1.5'],
      ['replica.alter.log.dirs.io.max.bytes.per.second', 'much'],
    ];
    for (const broker of ['1', ''])
      for (const [key, value] of cases)
        await run.last(
          'incrementalAlterConfigs',
          { ...change(broker, [[key, 'set', value]], brokerType), validateOnly: true },
          { label: `${key} ${value} of ${broker}` },
        );
  },

  async 'IncrementalAlterConfigs of what a listener goes by'(run) {
    const cases = {
      'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
      'listener.name.plaintext.ssl.client.auth': 'required',
      'listener.name.plaintext.sasl.enabled.mechanisms': 'PLAIN',
      'listener.name.plaintext.sasl.login.class': 'java.lang.String',
      'listener.name.plaintext.plain.sasl.server.callback.handler.class': 'java.lang.String',
      'ssl.client.auth': 'required',
      'super.users': 'User:alice',
    };
    const answers: { name: string; errorCode: number | undefined }[] = [];
    for (const [name, value] of Object.entries(cases)) {
      const set = { ...change('1', [[name, 'set', value]], brokerType), validateOnly: true };
      const { responses } = await run.prepare('incrementalAlterConfigs', 1, set);
      answers.push({ name, errorCode: responses[0]?.errorCode });
    }
    run.note('incrementalAlterConfigs', 1, { ofListeners: answers });
  },

  async 'min.insync.replicas is a default of the cluster that stays'(run) {
    const key = 'min.insync.replicas';
    const { name } = await run.topic();
    for (const [resource, type] of [
      [name, topicType],
      ['', brokerType],
      ['1', brokerType],
    ] as const)
      await run.last(
        'describeConfigs',
        { ...describe(resource, [key], type), includeSynonyms: true },
        { label: `${resource} ${type}` },
      );
    const cases: Record<string, readonly [broker: string, change: Change]> = {
      "a broker's own": ['1', [key, 'set', '1']],
      "deleting a broker's own": ['1', [key, 'delete', null]],
      'deleting that of all': ['', [key, 'delete', null]],
      'a value that it cannot have': ['', [key, 'set', '0']],
    };
    for (const [label, [broker, one]] of Object.entries(cases))
      await run.each('incrementalAlterConfigs', () => change(broker, [one], brokerType), label);
    const ofAll = { resourceType: brokerType, resourceName: '', configs: [] };
    await run.each('alterConfigs', () => ({ resources: [ofAll] }), 'all others go');
  },

  async 'IncrementalAlterConfigs only validates where it is asked to'(run) {
    const { name } = await run.topic();
    const validateOnly = true;
    await run.each('incrementalAlterConfigs', () => ({
      ...change(name, [['retention.ms', 'set', '5000']]),
      validateOnly,
    }));
    await run.each('incrementalAlterConfigs', () => ({
      ...change(name, [['retention.ms', 'set', 'x']]),
      validateOnly,
    }));
    await run.last('describeConfigs', describe(name, ['retention.ms']));
  },

  async 'AlterConfigs replaces all'(run) {
    const { name } = await run.topic({ configs: { 'retention.ms': '1234' } });
    const configs = [{ name: 'segment.bytes', value: '2000000' }];
    const resources = [{ resourceType: topicType, resourceName: name, configs }];
    await run.each('alterConfigs', () => ({ resources }));
    await overrides(run, name, 'retention.ms', '604800000');
    await run.last('describeConfigs', describe(name, ['retention.ms', 'segment.bytes']));
    await run.each('alterConfigs', () => ({ resources, validateOnly: true }));
  },

  async 'AlterConfigs refuses'(run) {
    const { name } = await run.topic();
    const set = (
      resourceName: string,
      key: string,
      value: string | null,
      resourceType = topicType,
    ) => ({
      resources: [{ resourceType, resourceName, configs: [{ name: key, value }] }],
    });
    const closing = async (request: ReturnType<typeof set>) => {
      for (const version of run.versions('alterConfigs'))
        await run.closing('alterConfigs', version, request);
    };
    await closing(set(name, 'no.such.key', '1'));
    await closing(set(name, 'retention.ms', 'soon'));
    await closing(set(name, 'retention.ms', null));
    await closing(set(run.fresh(), 'retention.ms', '1'));
    await closing(set('a', 'retention.ms', '1', 1));
    const [resource] = set(name, 'retention.ms', '1').resources;
    if (resource) await closing({ resources: [resource, resource] });
  },
};
