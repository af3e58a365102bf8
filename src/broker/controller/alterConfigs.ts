import { filterInSteps, mapInSteps, setInSteps, type Steps } from '../../base/turns.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { changedList } from '../config/configText.ts';
import type { ConfigDefinition } from '../config/configType.ts';
import {
  topicConfigDefinition,
  type TopicConfigName,
  topicConfigProblem,
} from '../config/topicConfigs.ts';
import { metadataRecord, type NewMetadataRecord } from './controller.ts';
import { type MetadataImage, resourceTypes } from './metadataImage.ts';
import { topicNameProblem } from './topicNames.ts';

/** Kafka's numbers for incremental changes. [AlterConfigOp.OpType] */
export const operationCodes = { set: 0, delete: 1, append: 2, subtract: 3 } as const;
type Operation = keyof typeof operationCodes;

export function operationOf(code: number): Operation | undefined {
  const names = Object.keys(operationCodes) as Operation[];
  return names.find((name) => operationCodes[name] === code);
}

export interface ConfigChange {
  readonly name: string;
  readonly operation: number;
  readonly value: string | null;
}

export interface ConfigPlan {
  readonly records: readonly NewMetadataRecord[];
  readonly error: ErrorName;
  readonly message: string | null;
}

/**
 * Decides on incremental changes of a topic's configs; all or none. The topic's being there is asked last.
 * [ConfigurationControlManager]
 */
export function* planTopicConfigs(
  image: MetadataImage,
  topicName: string,
  changes: readonly ConfigChange[],
  defaultOf: (name: TopicConfigName) => string,
): Steps<ConfigPlan> {
  const fail = (error: ErrorName, message: string): ConfigPlan => ({ records: [], error, message });
  const topic = image.topic(topicName);
  const before = topic?.configs ?? new Map<string, string>();
  const next = yield* nextConfigs(before, changes, topicConfigDefinition);
  if ('error' in next) return fail(next.error, next.message);
  if (topicName === '') return fail('INVALID_REQUEST', 'Default topic resources are not allowed.');
  const nameProblem = topicNameProblem(topicName);
  if (nameProblem) return fail('INVALID_TOPIC_EXCEPTION', `Topic name is invalid: ${nameProblem}`);
  const problem = topicConfigProblem(next, defaultOf);
  if (problem) return fail('INVALID_CONFIG', problem);
  if (!topic) {
    return fail('UNKNOWN_TOPIC_OR_PARTITION', `The topic '${topicName}' does not exist.`);
  }
  const records = yield* mapInSteps(changes, ({ name }) =>
    metadataRecord(
      'config',
      {
        resourceType: resourceTypes.topic,
        resourceName: topicName,
        name,
        value: next.get(name) ?? null,
      },
      { topic: topicName },
    ),
  );
  return { records, error: 'NONE', message: null };
}

export interface ConfigProblem {
  readonly error: ErrorName;
  readonly message: string;
}

/** What is known of the configs of a resource that may be lists. */
type DefinitionOf = (name: string) => ConfigDefinition | undefined;

/** What is wrong with changes of any resource, before they are looked at. [ConfigAdminManager.preprocess] */
export function* changesProblem(
  changes: readonly ConfigChange[],
): Steps<ConfigProblem | undefined> {
  const names = yield* setInSteps(namesOf(changes));
  if (names.size !== changes.length)
    return { error: 'INVALID_REQUEST', message: 'Error due to duplicate config keys' };
  const missing = yield* filterInSteps(changes, isWithoutValue);
  if (missing.length === 0) return undefined;
  const missingNames = [...namesOf(missing)].join(', ');
  return { error: 'INVALID_REQUEST', message: `Null value not supported for : ${missingNames}` };
}

/** [Short.MAX_VALUE] */
const longestValue = 32_767;

/** Of what is changed, too, no value may be longer. [ConfigurationControlManager.validateAlterConfig] */
export const isTooLong = (value: string | undefined): boolean =>
  value !== undefined && value.length > longestValue;

export const tooLong: ConfigProblem = {
  error: 'INVALID_CONFIG',
  message: `The value of a config has at most ${longestValue} characters`,
};

/** The configs after incremental changes, if those can be made at all; their values are not looked at. */
export function* nextConfigs(
  before: ReadonlyMap<string, string>,
  changes: readonly ConfigChange[],
  definitionOf: DefinitionOf,
): Steps<ReadonlyMap<string, string> | ConfigProblem> {
  const next = new Map(before);
  for (const change of changes) {
    yield;
    const problem = applyChange(next, change, definitionOf);
    if (problem) return problem;
  }
  for (const { name } of changes) {
    yield;
    const value = next.get(name);
    if (value !== before.get(name) && isTooLong(value)) return tooLong;
  }
  return next;
}

const isWithoutValue = ({ operation, value }: ConfigChange): boolean =>
  value === null && operation !== operationCodes.delete;

export function* namesOf(changes: readonly ConfigChange[]): Generator<string> {
  for (const { name } of changes) yield name;
}

function applyChange(
  configs: Map<string, string>,
  { name, operation: code, value: given }: ConfigChange,
  definitionOf: DefinitionOf,
): ConfigProblem | undefined {
  const operation = operationOf(code);
  if (operation === undefined) {
    // Kafka's controller fails here, and over all that it was asked with it.
    return { error: 'UNKNOWN_SERVER_ERROR', message: `Unknown config operation ${code}` };
  }
  if (operation === 'delete') {
    configs.delete(name);
    return undefined;
  }
  const value = given ?? '';
  if (operation === 'set') {
    configs.set(name, value);
    return undefined;
  }
  const definition = definitionOf(name);
  if (definition?.type !== 'list') {
    return {
      error: 'INVALID_CONFIG',
      message: `Can't ${operation.toUpperCase()} to key ${name} because its type is not LIST.`,
    };
  }
  // Kafka's own default: not what the broker has for its topics. [KafkaConfigSchema.getDefault]
  const before = configs.get(name) ?? definition.default ?? '';
  configs.set(name, changedList(before, operation, value));
  return undefined;
}
