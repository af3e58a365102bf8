// Configs that Kafka keeps for itself, and names of brokers written otherwise.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { RequestInput } from '../../wire/broker/support/rawClient.ts';
import { changing, describing, types } from '../support/configRequests.ts';
import { batchOf, produceTo } from '../support/requests.ts';
import type { Run, Scenarios, Topic } from '../support/run.ts';

const segmentBytes = 'internal.segment.bytes';

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

  async 'segment.index.bytes is that of the time at which a segment begins'(run) {
    const topics = [
      await run.topic({ configs: { 'index.interval.bytes': '0' } }),
      await run.topic(),
    ];
    const [filled, empty] = topics;
    if (!filled || !empty) return;
    await written(run, filled, 3);
    for (const topic of topics) {
      const changes = [
        ['index.interval.bytes', 'set', '0'] as const,
        ['segment.index.bytes', 'set', '24'] as const,
      ];
      await run.last('incrementalAlterConfigs', changing(types.topic, topic.name, changes));
      await run.until(
        ['describeConfigs', 4, describing(types.topic, topic.name, ['segment.index.bytes'])],
        ({ results }) => results[0]?.configs[0]?.value === '24',
      );
      await written(run, topic, 6);
      noteSegments(run, topic);
      const set = changing(types.topic, topic.name, [[segmentBytes, 'set', '600']]);
      await run.last('incrementalAlterConfigs', set);
      await untilTold(run, topic.name, '600');
      await written(run, topic, 12);
      noteSegments(run, topic);
    }
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
};
