import { booleanOf, doubleOf, javaTrim, listItems, wholeNumberOf } from './configText.ts';

/** The types of Kafka's configs, with their numbers in DescribeConfigs. [ConfigDef.Type, DescribeConfigsResponse] */
export const configTypeIds = {
  boolean: 1,
  string: 2,
  int: 3,
  short: 4,
  long: 5,
  double: 6,
  list: 7,
  class: 8,
  password: 9,
} as const;

export type ConfigType = keyof typeof configTypeIds;

/** The values that a config takes. */
export interface ConfigValues {
  readonly type: ConfigType;
  readonly min?: number;
  readonly max?: number;
  /** The only values that a string, or an item of a list, may have. */
  readonly oneOf?: readonly string[];
  /** Kafka takes no empty string for it. [ConfigDef.NonEmptyString] */
  readonly isNotEmpty?: true;
  /** Those in small letters or in others. [ConfigDef.CaseInsensitiveValidString] */
  readonly isAnyCase?: true;
  /** Between `min` and `max`, and no value all the same. */
  readonly except?: number;
  /** A list of partitions with brokers, `0:1,1:2`, or `*`. [ThrottledReplicaListValidator] */
  readonly isReplicas?: true;
}

/** One config as data: Kafka's name, what values it takes, what it means. */
export interface ConfigDefinition extends ConfigValues {
  /** As Kafka prints it; null is "not set". */
  readonly default: string | null;
  readonly documentation: string;
}

export type ConfigTable = Readonly<Record<string, ConfigDefinition>>;

const ranges: Partial<Record<ConfigType, readonly [min: bigint, max: bigint]>> = {
  short: [-(2n ** 15n), 2n ** 15n - 1n],
  int: [-(2n ** 31n), 2n ** 31n - 1n],
  long: [-(2n ** 63n), 2n ** 63n - 1n],
};

/** What is wrong with a value, in words; undefined if nothing is. */
export function configProblem(
  name: string,
  definition: ConfigValues,
  value: string,
): string | undefined {
  const problem = typeProblem(definition, javaTrim(value));
  return problem && `Invalid value ${value} for configuration ${name}: ${problem}`;
}

function typeProblem(definition: ConfigValues, value: string): string | undefined {
  switch (definition.type) {
    case 'boolean':
      return booleanOf(value) === undefined ? 'it must be true or false' : undefined;
    case 'short':
    case 'int':
    case 'long':
      return wholeNumberProblem(definition, value);
    case 'double':
      return doubleProblem(definition, value);
    case 'list':
      return definition.isReplicas ? replicasProblem(value) : listProblem(definition, value);
    case 'string':
    case 'class':
    case 'password':
      return choiceProblem(definition, value);
  }
}

function wholeNumberProblem(definition: ConfigValues, value: string): string | undefined {
  const number = wholeNumberOf(value);
  const [min, max] = ranges[definition.type] ?? [0n, 0n];
  return number === undefined || number < min || number > max
    ? `it must be a whole number (${definition.type})`
    : limitProblem(definition, Number(number));
}

function doubleProblem(definition: ConfigValues, value: string): string | undefined {
  const number = doubleOf(value);
  return number === undefined ? 'it must be a number' : limitProblem(definition, number);
}

/** NaN is within all limits, as it is for Java. [ConfigDef.Range] */
function limitProblem({ min, max, except }: ConfigValues, value: number): string | undefined {
  if (value === except) return `it must not be ${except}`;
  if (min !== undefined && value < min) return `it must be at least ${min}`;
  if (max !== undefined && value > max) return `it must be no more than ${max}`;
  return undefined;
}

function choiceProblem(
  { oneOf, isAnyCase, isNotEmpty }: ConfigValues,
  value: string,
): string | undefined {
  if (isNotEmpty && value === '') return 'it must not be empty';
  if (oneOf === undefined || oneOf.includes(isAnyCase ? value.toLowerCase() : value)) {
    return undefined;
  }
  return `it must be one of ${oneOf.join(', ')}`;
}

function listProblem(definition: ConfigValues, value: string): string | undefined {
  const items = listItems(value);
  if (definition.isNotEmpty && items.length === 0) return 'it must not be empty';
  if (items.includes('')) return 'its items must not be empty';
  return items.map((item) => choiceProblem(definition, item)).find(Boolean);
}

function replicasProblem(value: string): string | undefined {
  const items = listItems(value);
  const isList = items.every((item) => /^([0-9]+:[0-9]+)?$/.test(item));
  return isList || items.join('') === '*'
    ? undefined
    : "it must be '*', or [partition]:[broker],[partition]:[broker],...";
}
