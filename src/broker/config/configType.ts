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
  const problem = typeProblem(definition, value.trim());
  return problem && `Invalid value ${value} for configuration ${name}: ${problem}`;
}

function typeProblem(definition: ConfigValues, value: string): string | undefined {
  switch (definition.type) {
    case 'boolean':
      return /^(true|false)$/i.test(value) ? undefined : 'it must be true or false';
    case 'short':
    case 'int':
    case 'long':
      return wholeNumberProblem(definition, value);
    case 'double':
      return value !== '' && Number.isFinite(Number(value))
        ? limitProblem(definition, Number(value))
        : 'it must be a number';
    case 'list':
      return listItems(value)
        .map((item) => choiceProblem(definition, item))
        .find(Boolean);
    case 'string':
    case 'class':
    case 'password':
      return choiceProblem(definition, value);
  }
}

function wholeNumberProblem(definition: ConfigValues, value: string): string | undefined {
  if (!/^[+-]?\d{1,20}$/.test(value)) return `it must be a whole number (${definition.type})`;
  const number = BigInt(value);
  const [min, max] = ranges[definition.type] ?? [number, number];
  if (number < min || number > max) return `it must be a whole number (${definition.type})`;
  return limitProblem(definition, Number(number));
}

function limitProblem({ min, max }: ConfigValues, value: number): string | undefined {
  if (min !== undefined && value < min) return `it must be at least ${min}`;
  if (max !== undefined && value > max) return `it must be no more than ${max}`;
  return undefined;
}

function choiceProblem({ oneOf }: ConfigValues, value: string): string | undefined {
  if (oneOf === undefined || oneOf.includes(value)) return undefined;
  return `it must be one of ${oneOf.join(', ')}`;
}

/** The items of a list config: comma-separated, blanks around them dropped. */
export function listItems(value: string): string[] {
  return value === '' ? [] : value.split(',').map((item) => item.trim());
}
