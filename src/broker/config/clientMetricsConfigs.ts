import { compilePattern, type Pattern } from '../../coordinator/pattern.ts';
import { javaSplit, javaTrim, listItems, numberOf } from './configText.ts';
import { type ConfigTable, configProblem } from './configType.ts';

/** Configs of a subscription to clients' metrics. [KIP-714, ClientMetricsConfigs] */
export const clientMetricsConfigs = {
  'interval.ms': {
    type: 'int',
    default: '300000',
    documentation: 'How often clients push their metrics.',
  },
  match: {
    type: 'list',
    default: '',
    documentation: 'Which clients are meant, as name=pattern; all of the patterns have to match.',
  },
  metrics: {
    type: 'list',
    default: '',
    documentation: 'What the names of wanted metrics begin with; * is all of them.',
  },
} as const satisfies ConfigTable;

type ClientMetricsConfigName = keyof typeof clientMetricsConfigs;

const intervalBoundsMs = [100, 3_600_000] as const;

/** Of one attribute the last counts, so that six are of use; compiling takes time. Kafka has no such bound. */
const mostMatches = 32;

/** What a client can be told by. */
const clientAttributes = [
  'client_id',
  'client_instance_id',
  'client_software_name',
  'client_software_version',
  'client_source_address',
  'client_source_port',
] as const;

export type ClientAttribute = (typeof clientAttributes)[number];

export interface MetricsSubscription {
  readonly metrics: readonly string[];
  readonly intervalMs: number;
  readonly match: ReadonlyMap<ClientAttribute, Pattern>;
}

function isClientMetricsConfig(name: string): name is ClientMetricsConfigName {
  return Object.hasOwn(clientMetricsConfigs, name);
}

/** Why a subscription cannot be, and whether it is the request or the config that is wrong in Kafka's eyes. */
interface SubscriptionProblem {
  readonly error: 'INVALID_REQUEST' | 'INVALID_CONFIG';
  readonly message: string;
}

/** [ClientMetricsConfigs.validate] */
export function clientMetricsProblem(
  name: string,
  configs: ReadonlyMap<string, string>,
): SubscriptionProblem | undefined {
  const invalid = (message: string): SubscriptionProblem => ({ error: 'INVALID_REQUEST', message });
  if (name === '') return invalid("Subscription name can't be empty");
  for (const key of configs.keys()) {
    if (!isClientMetricsConfig(key)) return invalid(`Unknown client metrics configuration: ${key}`);
  }
  for (const [key, value] of configs) {
    if (!isClientMetricsConfig(key)) continue;
    const message = configProblem(key, clientMetricsConfigs[key], value);
    if (message !== undefined) return { error: 'INVALID_CONFIG', message };
  }
  const interval = configs.get('interval.ms');
  const [least, most] = intervalBoundsMs;
  if (interval !== undefined && (numberOf(interval) < least || numberOf(interval) > most)) {
    return invalid(
      `Invalid value ${interval} for interval.ms: it must be from ${least} to ${most}`,
    );
  }
  const matches = listItems(configs.get('match') ?? '');
  const message =
    matches.length > mostMatches
      ? `match has ${matches.length} patterns, and ${mostMatches} are allowed`
      : matches.map(matchOf).find(isProblem);
  return message === undefined ? undefined : { error: 'INVALID_CONFIG', message };
}

/** The subscription that valid configs stand for. */
export function metricsSubscription(configs: ReadonlyMap<string, string>): MetricsSubscription {
  const valueOf = (name: ClientMetricsConfigName): string =>
    configs.get(name) ?? clientMetricsConfigs[name].default;
  const matches = listItems(valueOf('match')).map(matchOf);
  return {
    metrics: listItems(valueOf('metrics')),
    intervalMs: numberOf(valueOf('interval.ms')),
    match: new Map(matches.flatMap((match) => (isProblem(match) ? [] : [match]))),
  };
}

type Match = readonly [ClientAttribute, Pattern];

const isProblem = (match: Match | string): match is string => typeof match === 'string';

/** One of `match`; or, in words, why it is none. Java's patterns there are RE2's here. */
function matchOf(text: string): Match | string {
  const illegal = `Illegal client matching pattern: ${text}`;
  const [name = '', pattern, ...more] = javaSplit(text, '=');
  const attribute = clientAttributes.find((each) => each === javaTrim(name));
  if (attribute === undefined || pattern === undefined || more.length > 0) return illegal;
  const compiled = compilePattern(javaTrim(pattern));
  return 'problem' in compiled ? `${illegal}: ${compiled.problem}` : [attribute, compiled.pattern];
}
