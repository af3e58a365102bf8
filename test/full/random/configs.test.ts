// Configs of topics, groups, client metrics and brokers: changed one by one and all at once, and told.
import { describing, types } from '../../differential/support/configRequests.ts';
import type { Run } from '../../differential/support/run.ts';
import { type Chance, compareRandomly, type Sequence } from './support/randomSequences.ts';

const clientMetrics = 16;
const stepCount = 40;
const operations = [0, 0, 0, 0, 1, 2, 3];

const values = [
  ...[
    '',
    ' ',
    '0',
    '1',
    '-1',
    '-2',
    '2',
    '5',
    ' 7 ',
    '+9',
    '1.5',
    '1e3',
    '0x10',
    'NaN',
    '1000',
    '60000',
  ],
  ...[
    '1048576',
    '14',
    '12',
    '2147483647',
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
  ],
  ...['true', 'FALSE', ' true', 'yes', 'x', '*', ',', 'a,b', 'a,a', ' a , b ', 'compact', 'delete'],
  ...['compact,delete', 'delete,delete', 'gzip', 'none', 'producer', 'zstd ', 'CreateTime'],
  ...['LogAppendTime', '0:1,1:1', '0:1:2', 'uniform', 'range,range', 'earliest', 'latest', 'none'],
  ...[
    'by_duration:P1D',
    'by_duration:-P1D',
    'client_id=x',
    'client_id=(',
    'client_id=a,client_id=b',
  ],
  ...['org.apache.kafka.', 'read_committed', 'BIDIRECTIONAL', 'disabled', '100', '45000', '5000'],
];

/**
 * What is told otherwise, or refused here and not there, and listed: how clients come in, and classes of Java; and what
 * Kafka is started with here, so that it is small.
 */
const listedOf =
  /listener|^(sasl|ssl|principal|authorizer|super|security|control|advertised|connections?\.|early|config\.prov)|class|reporters|^(node|broker|process|log\.dirs?|metadata\.log\.dir|cluster)|samza|quorum|dedupe\.buffer\.size/;

/** The names of a resource's configs, which both sides tell alike. */
async function namesOf(run: Run, type: number, name: string): Promise<string[]> {
  const { results } = await run.prepare('describeConfigs', 4, describing(type, name, null));
  const names = results.flatMap(({ configs }) => configs.map((config) => config.name));
  return names.filter((each) => !listedOf.test(each)).sort();
}

interface Target {
  readonly type: number;
  readonly name: string;
  readonly names: readonly string[];
}

const configs: Sequence = async (run, chance) => {
  const targets = await targetsOf(run);
  const ask = async () => {
    const step = chance.step([
      [6, change],
      [2, replace],
      [3, tell],
      [1, list],
    ]);
    await step(run, chance, targets);
  };
  for (let step = 0; step < stepCount; step++) await ask();
};

async function targetsOf(run: Run): Promise<Target[]> {
  const topics = [await run.topic(), await run.topic()].map(({ name }) => name);
  const [group, metrics] = [run.fresh('group'), run.fresh('metrics')];
  const all: readonly (readonly [type: number, name: string, like?: string])[] = [
    ...topics.map((name) => [types.topic, name] as const),
    [types.topic, run.fresh('unknown'), topics[0] ?? ''],
    [types.group, group],
    [types.group, run.fresh('group')],
    [clientMetrics, metrics],
    [types.broker, '1'],
    [types.broker, '', '1'],
    [types.broker, '7', '1'],
  ];
  const targets: Target[] = [];
  for (const [type, name, like = name] of all)
    targets.push({ type, name, names: [...(await namesOf(run, type, like)), 'no.such', ''] });
  return targets;
}

const valueOf = (chance: Chance): string | null => (chance.oneIn(20) ? null : chance.of(values));

function resourceOf(chance: Chance, { type, name, names }: Target) {
  const count = chance.of([1, 1, 1, 2, 3]);
  const changes = Array.from({ length: count }, () => ({
    name: chance.of(names),
    configOperation: chance.of(operations),
    value: valueOf(chance),
  }));
  return { resourceType: type, resourceName: name, configs: changes };
}

/** Brokers are asked only: what they are given would be there for the sequences after this. */
const isOnlyAsked = (chance: Chance, targets: readonly Target[]): boolean =>
  chance.oneIn(4) || targets.some(({ type }) => type === types.broker);

/** None twice. */
function some(chance: Chance, targets: readonly Target[]): Target[] {
  const count = chance.of([1, 1, 1, 2, 3]);
  return [...new Set(Array.from({ length: count }, () => chance.of(targets)))];
}

async function change(run: Run, chance: Chance, targets: readonly Target[]): Promise<void> {
  const changed = some(chance, targets);
  const resources = changed.map((target) => resourceOf(chance, target));
  const validateOnly = isOnlyAsked(chance, changed);
  const version = chance.of(run.versions('incrementalAlterConfigs'));
  const label = JSON.stringify(resources);
  await run.ask('incrementalAlterConfigs', version, { resources, validateOnly }, { label });
}

async function replace(run: Run, chance: Chance, targets: readonly Target[]): Promise<void> {
  const changed = some(chance, targets);
  const resources = changed.map((target) => {
    const { configs: all, ...resource } = resourceOf(chance, target);
    return { ...resource, configs: all.map(({ name, value }) => ({ name, value })) };
  });
  const validateOnly = isOnlyAsked(chance, changed);
  const version = chance.of(run.versions('alterConfigs'));
  const label = JSON.stringify(resources);
  await run.ask('alterConfigs', version, { resources, validateOnly }, { label });
}

async function tell(run: Run, chance: Chance, targets: readonly Target[]): Promise<void> {
  await run.topic(); // brokers follow the metadata in order: they know all before it too
  const { type, name, names } = chance.of(targets);
  const version = chance.of(run.versions('describeConfigs'));
  const configurationKeys = chance.oneIn(2)
    ? [...new Set([chance.of(names), chance.of(names), chance.of(names)])]
    : names.filter((each) => each !== '');
  const includeSynonyms = version >= 1 && chance.oneIn(2);
  const resources = [{ resourceType: type, resourceName: name, configurationKeys }];
  const request = { resources, ...(version >= 1 && { includeSynonyms }) };
  await run.ask('describeConfigs', version, request, { label: `${type} ${name}` });
}

async function list(run: Run, _: Chance, targets: readonly Target[]): Promise<void> {
  await run.topic();
  const resourceTypes = [clientMetrics, types.group];
  const { configResources } = await run.prepare('listConfigResources', 1, { resourceTypes });
  const names = new Set(targets.map(({ name }) => name));
  const own = configResources.filter(({ resourceName }) => names.has(resourceName));
  run.note('listConfigResources', 1, { own });
}

compareRandomly('open', { configs });
