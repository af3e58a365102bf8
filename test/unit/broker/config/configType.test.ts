import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type ConfigDefinition,
  type ConfigTable,
  configProblem,
} from '../../../../src/broker/config/configType.ts';
import { listItems } from '../../../../src/broker/config/configText.ts';
import { BrokerConfig, BrokerConfigError } from '../../../../src/broker/config/brokerConfigs.ts';
import { topicLogConfig } from '../../../../src/broker/config/effectiveConfigs.ts';
import { consumerGroupConfig } from '../../../../src/broker/config/groupConfigs.ts';
import { brokerEntriesOf } from '../../../../src/broker/config/describe.ts';
import { describedConfigs } from '../../../../src/broker/config/describedConfigs.ts';
import { topicConfigs } from '../../../../src/broker/config/topicConfigs.ts';
import { defaultLogConfig } from '../../../../src/storage/logConfig.ts';

const definition = (more: Partial<ConfigDefinition>): ConfigDefinition => ({
  type: 'int',
  default: '1',
  documentation: '',
  ...more,
});

describe('a config value', () => {
  const cases: [Partial<ConfigDefinition>, good: string[], bad: string[]][] = [
    [{ type: 'boolean' }, ['true', 'FALSE', ' true ', 'falſe'], ['yes', '', '1']],
    [{ type: 'short' }, ['-32768', '32767'], ['32768', '1.0', '']],
    [{ type: 'int' }, ['2147483647', '-2147483648', '+5'], ['2147483648', '0x10', '1e3', 'NaN']],
    [{ type: 'int' }, ['０１', '٣', `${'0'.repeat(30)}7`], ['𝟓', '5L', '1_0', '\u00a05']],
    [{ type: 'long' }, ['9223372036854775807', '-1'], ['9223372036854775808', '']],
    [{ type: 'int', min: 1, max: 5 }, ['1', '5'], ['0', '6']],
    [
      { type: 'double', min: 0, max: 1 },
      ['0', '0.5', '1', 'NaN', '0x1p-2', '0X.8P0d'],
      ['1.1', '-0.1', 'half', '', 'Infinity'],
    ],
    [{ type: 'string', oneOf: ['a', 'b'] }, ['a'], ['c', '', 'A']],
    [{ type: 'list', oneOf: ['a', 'b'] }, ['a', 'a,b', 'a, b', ''], ['c', 'a,c']],
    [{ type: 'string', oneOf: ['a', 'b'], isAnyCase: true }, ['a', 'B'], ['c', '']],
    [{ type: 'string' }, ['', 'anything'], []],
  ];
  for (const [more, good, bad] of cases) {
    it(`is held against ${JSON.stringify(more)}`, () => {
      for (const value of good)
        assert.equal(configProblem('x', definition(more), value), undefined, value);
      for (const value of bad) {
        const problem = configProblem('x', definition(more), value);
        assert.match(problem ?? 'no problem', /^Invalid value .* for configuration x: /, value);
      }
    });
  }

  it('is read as Java reads it [ConfigDef.parseType]', () => {
    const read = (configs: Record<string, string>) =>
      topicLogConfig(new BrokerConfig(), new Map(Object.entries(configs)));
    assert.equal(read({ 'retention.ms': '٣０\0' }).retentionMs, 30);
    const ratios = ['0.25f', '0x1p-2', '0x.4P0d', '.25', '1e-400', 'NaN'].map(
      (ratio) => read({ 'min.cleanable.dirty.ratio': ratio }).minCleanableDirtyRatio,
    );
    assert.deepEqual(ratios, [0.25, 0.25, 0.25, 0.25, 0, NaN]);
    const broker = new BrokerConfig({ 'auto.create.topics.enable': 'TRUE\0' });
    assert.equal(broker.boolean('auto.create.topics.enable'), true);
  });

  it('may be a list, with blanks around its items', () => {
    assert.deepEqual(listItems('a, b ,c'), ['a', 'b', 'c']);
    assert.deepEqual(listItems(''), []);
  });
});

describe('the config tables', () => {
  it('have defaults that are valid values themselves', () => {
    const tables: ConfigTable[] = [topicConfigs, describedConfigs];
    for (const table of tables) {
      for (const [name, each] of Object.entries(table)) {
        assert.notEqual(each.documentation, '', name);
        // Kafka's default is Kerberos, which we do not have; a broker starts with others.
        if (each.default === null || name === 'sasl.enabled.mechanisms') continue;
        assert.equal(configProblem(name, each, each.default), undefined);
      }
    }
  });

  it('give storage the defaults that storage has by itself', () => {
    assert.deepEqual(topicLogConfig(new BrokerConfig(), new Map()), defaultLogConfig);
  });
});

describe('the settings of a broker', () => {
  it('are what topics start from, under the broker’s own names', () => {
    const broker = new BrokerConfig({ 'log.retention.ms': '5000' });
    assert.equal(topicLogConfig(broker, new Map()).retentionMs, 5000);
    const own = new Map([['retention.ms', '7']]);
    assert.equal(topicLogConfig(broker, own).retentionMs, 7);
  });

  it('are taken where Kafka knows them and nothing here goes by them, and said to be of no use', () => {
    const values = {
      'group.consumer.assignor.offload.enable': 'false',
      'group.share.max.size': '5',
      'log.initial.task.delay.ms': '5',
      'log.local.retention.ms': '5',
      'num.io.threads': '4',
      'num.partitions': '2',
    };
    assert.deepEqual(new BrokerConfig(values).unusedNames(), [
      'group.consumer.assignor.offload.enable',
      'group.share.max.size',
      'log.initial.task.delay.ms',
      'log.local.retention.ms',
      'num.io.threads',
    ]);
    assert.throws(() => new BrokerConfig({ 'num.io.threads': '0' }), /it must be at least 1/);
  });

  it('may be those that Kafka keeps for itself, which are told of once they are set [ConfigDef.defineInternal]', () => {
    const refresh = 'group.consumer.regex.refresh.interval.ms';
    const values = { [refresh]: '20000', 'unstable.api.versions.enable': 'true' };
    const broker = new BrokerConfig(values);
    assert.equal(consumerGroupConfig(broker).regexRefreshIntervalMs, 20_000);
    assert.deepEqual(broker.unusedNames(), ['unstable.api.versions.enable']);
    assert.throws(() => new BrokerConfig({ [refresh]: '9999' }), /it must be at least 10000/);
    const told = (config: BrokerConfig) =>
      brokerEntriesOf(config).flatMap(({ name, value }) => (name in values ? [[name, value]] : []));
    assert.deepEqual(told(broker), Object.entries(values));
    assert.deepEqual(told(new BrokerConfig()), []);
  });

  it('name how groups change their protocol in any letters [ConfigDef.CaseInsensitiveValidString]', () => {
    const config = new BrokerConfig({ 'group.consumer.migration.policy': ' UpGrade' });
    assert.equal(consumerGroupConfig(config).migrationPolicy, 'upgrade');
  });

  it('have a size of segments below their bound for a topic that is given one [LogConfig.segmentSize]', () => {
    const own = (configs: Record<string, string>) =>
      topicLogConfig(new BrokerConfig(), new Map(Object.entries(configs))).segmentBytes;
    assert.equal(own({ 'internal.segment.bytes': ' +7', 'segment.bytes': '2000000' }), 7);
    assert.equal(own({ 'segment.bytes': '2000000' }), 2_000_000);
  });

  it('are times in hours and minutes too, of which the finest is gone by [AbstractKafkaConfig]', () => {
    const logOf = (values: Record<string, string>) =>
      topicLogConfig(new BrokerConfig(values), new Map());
    const hours = { 'log.retention.hours': '2' };
    assert.equal(logOf(hours).retentionMs, 7_200_000);
    const minutes = { ...hours, 'log.retention.minutes': '3' };
    assert.equal(logOf(minutes).retentionMs, 180_000);
    assert.equal(logOf({ ...minutes, 'log.retention.ms': '5' }).retentionMs, 5);
    assert.equal(logOf({ 'log.retention.hours': '-5' }).retentionMs, -1);
    const roll = logOf({ 'log.roll.hours': '1', 'log.roll.jitter.hours': '2' });
    assert.deepEqual([roll.segmentMs, roll.segmentJitterMs], [3_600_000, 7_200_000]);
    assert.deepEqual(new BrokerConfig(hours).unusedNames(), []);
    assert.throws(() => new BrokerConfig({ 'log.roll.hours': '0' }), /it must be at least 1/);
    for (const name of ['log.roll.ms', 'log.retention.ms', 'log.retention.hours'])
      assert.throws(() => new BrokerConfig({ [name]: '0' }), BrokerConfigError, name);
    for (const [name, value] of [
      ['node.id', '-1'],
      ['process.roles', ''],
      ['security.inter.broker.protocol', 'TLS'],
      ['remote.log.storage.manager.impl.prefix', ' '],
      ['log.cleaner.dedupe.buffer.size', '1048576'],
    ] as const)
      assert.throws(() => new BrokerConfig({ [name]: value }), BrokerConfigError, name);
    new BrokerConfig({ 'offsets.topic.segment.bytes': '1', 'default.replication.factor': '0' });
  });

  it('may flush at once at all times, as brokers may, and topics may not [LogConfig]', () => {
    const broker = new BrokerConfig({ 'log.flush.interval.ms': '-1' });
    assert.equal(topicLogConfig(broker, new Map()).flushMs, -1);
  });

  it('let groups be assigned in other intervals from now on, within their limits', () => {
    const cluster = new Map<string, string>();
    const config = new BrokerConfig(
      { 'group.consumer.min.assignment.interval.ms': '10' },
      { dynamic: () => ({ broker: new Map(), cluster }) },
    );
    const consumer = consumerGroupConfig(config);
    const intervals = ['700', '2', '99999'].map((value) => {
      cluster.set('group.consumer.assignment.interval.ms', value);
      return consumer.assignmentIntervalMs;
    });
    assert.deepEqual(intervals, [700, 10, 15_000]);
  });

  it('are refused under a name that there is not, or with a value that cannot be', () => {
    for (const [name, value, problem] of [
      ['no.such', '1', /there is no broker config no\.such/],
      ['toString', '1', /there is no broker config toString/],
      ['retention.ms', '1', /there is no broker config retention\.ms/],
      ['principal.builder.class', 'com.example.Builder', /builder\.class: it must be one of org\./],
      [
        'ssl.engine.factory.class',
        'com.example.Factory',
        /factory\.class: it must be one of org\./,
      ],
      ['num.partitions', '0', /num\.partitions: it must be at least 1/],
    ] as const) {
      assert.throws(
        () => new BrokerConfig({ [name]: value }),
        (error: unknown) => {
          assert.ok(error instanceof BrokerConfigError);
          assert.match(error.message, problem);
          return true;
        },
      );
    }
  });
});
