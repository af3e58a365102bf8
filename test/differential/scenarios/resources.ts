// Changes of several resources at once: what a broker sees by itself, and what it asks the controller; and loggers.
import { type Change, describing, types } from '../support/configRequests.ts';
import type { Run, Scenarios } from '../support/run.ts';

const clientMetrics = 16;
const unknownOperation = 9;
const codes = { set: 0, delete: 1, append: 2, subtract: 3, unknown: unknownOperation } as const;

type Step = readonly [name: string, operation: keyof typeof codes, value: string | null];

const resource = (resourceType: number, resourceName: string, ...steps: readonly Step[]) => ({
  resourceType,
  resourceName,
  configs: steps.map(([name, operation, value]) => ({
    name,
    configOperation: codes[operation],
    value,
  })),
});

type Resource = ReturnType<typeof resource>;

const keyOf = (one: Resource): string => `${one.resourceType} ${one.resourceName}`;

/** What the controller fails over altogether. */
const failing: Readonly<Record<string, Resource>> = {
  'a topic': resource(types.topic, 'nope', ['retention.ms', 'unknown', '5']),
  'a group': resource(types.group, 'nope', ['consumer.session.timeout.ms', 'unknown', '50000']),
  'client metrics': resource(clientMetrics, 'nope', ['interval.ms', 'unknown', '1000']),
};

/** What is refused or not; some of it by the broker before it asks. */
const others: Readonly<Record<string, Resource>> = {
  fine: resource(clientMetrics, 'fine', ['interval.ms', 'set', '1000']),
  'client metrics with a bad match': resource(clientMetrics, 'bad', ['match', 'set', 'x=y']),
  'client metrics without a name': resource(clientMetrics, '', ['interval.ms', 'set', '1000']),
  'a group without a name': resource(types.group, '', ['consumer.session.timeout.ms', 'set', '5']),
  'a topic without a name': resource(types.topic, '', ['retention.ms', 'set', '5']),
  'a list that is none': resource(types.topic, '', ['retention.ms', 'append', '5']),
  'no value': resource(types.topic, 'none', ['retention.ms', 'set', null]),
  twice: resource(types.group, 'twice', ['a', 'set', '1'], ['a', 'set', '2']),
  'a broker with a list that is none': resource(types.broker, '1', [
    'log.cleaner.threads',
    'append',
    '1',
  ]),
  'a broker with an unknown operation': resource(types.broker, '1', [
    'log.cleaner.threads',
    'unknown',
    '1',
  ]),
  'a broker that is fine': resource(types.broker, '', ['log.cleaner.backoff.ms', 'set', '10']),
  'another broker': resource(types.broker, '2'),
  'a logger': resource(types.brokerLogger, '1', ['root', 'set', 'INFO']),
  'a logger with an unknown operation': resource(types.brokerLogger, '1', ['root', 'unknown', '']),
  'a type that there is not': resource(3, 'x'),
};

const loggerCases: readonly (readonly [name: string, ...steps: Step[]])[] = [
  ['1'],
  ['1', ['root', 'set', 'WARN']],
  ['1', ['root', 'set', 'warn']],
  ['1', ['root', 'set', 'OFF']],
  ['1', ['root', 'set', '']],
  ['1', ['root', 'set', null]],
  ['1', ['root', 'delete', null]],
  ['1', ['root', 'append', 'WARN']],
  ['1', ['root', 'subtract', 'WARN']],
  ['1', ['root', 'unknown', 'WARN']],
  ['1', ['root', 'set', 'WARN'], ['root', 'set', 'INFO']],
  ['1', ['no.such.logger', 'set', 'INFO']],
  ['1', ['no.such.logger', 'set', 'x']],
  ['1', ['no.such.logger', 'delete', null]],
  ['1', ['root', 'set', 'x'], ['no.such.logger', 'append', 'INFO']],
  ['+1', ['root', 'set', 'FATAL']],
  ...['', '2', 'x', '2147483648'].map((name) => [name, ['root', 'set', 'INFO']] as const),
];

async function levelOf(run: Run, label: string): Promise<void> {
  await run.last('describeConfigs', describing(types.brokerLogger, '1', ['root']), { label });
}

export const resourceScenarios: Scenarios = {
  async 'what a broker refuses by itself is told beside what the controller fails over'(run) {
    for (const [label, other] of Object.entries(others))
      await run.last(
        'incrementalAlterConfigs',
        { resources: [other], validateOnly: true },
        { label },
      );
    // All of it at once: over each Kafka's controller steps back for a moment.
    const once = new Map(Object.values(others).map((other) => [keyOf(other), other]));
    const again = Object.values(others).filter((other) => once.get(keyOf(other)) !== other);
    for (const [what, resources] of Object.entries(failing))
      for (const beside of [[...once.values()], again])
        await run.last(
          'incrementalAlterConfigs',
          { resources: [resources, ...beside], validateOnly: true },
          { label: `beside ${what}` },
        );
  },

  async 'values may have 32767 characters'(run) {
    const { name } = await run.topic();
    const throttled = 'leader.replication.throttled.replicas';
    const long = '0:1'.padEnd(32_767, ',1:1').slice(0, 32_763); // 8191 items
    for (const topic of [name, 'nope', 'bad name']) {
      const set = resource(types.topic, topic, [throttled, 'set', long]);
      await run.last('incrementalAlterConfigs', { resources: [set] }, { label: topic });
      for (const more of ['9:9', '12:9', '9:9,7:7'])
        await run.last(
          'incrementalAlterConfigs',
          {
            resources: [resource(types.topic, topic, [throttled, 'append', more])],
            validateOnly: true,
          },
          { label: `${topic} ${more}` },
        );
    }
  },

  async 'the level of a logger can be changed'(run) {
    for (const [name, ...steps] of loggerCases) {
      const label = `${name} ${JSON.stringify(steps)}`;
      const asked = [resource(types.brokerLogger, name, ...steps)];
      for (const validateOnly of [true, false]) {
        const request = { resources: asked, validateOnly };
        await run.last('incrementalAlterConfigs', request, { label });
        await levelOf(run, label);
      }
      const back: Change = ['root', 'set', 'INFO'];
      const resources = [resource(types.brokerLogger, '1', back)];
      await run.last('incrementalAlterConfigs', { resources }, { label: 'back' });
    }
    const configs = [{ name: 'root', value: 'INFO' }];
    const legacy = [{ resourceType: types.brokerLogger, resourceName: '1', configs }];
    await run.last('alterConfigs', { resources: legacy, validateOnly: true });
  },
};
