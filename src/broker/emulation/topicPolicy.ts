import type { ErrorName } from '../../protocol/errors.ts';
import { topicConfigDefinition } from '../config/topicConfigs.ts';
import type { Emulation } from './emulation.ts';

export interface Violation {
  readonly error: ErrorName;
  readonly message: string;
}

interface WantedTopic {
  /** -1: the server's default. */
  readonly replicationFactor: number;
  readonly configs: ReadonlyMap<string, string>;
}

/** What another server would refuse of a new topic; undefined if nothing. */
export function newTopicViolation(
  emulation: Emulation,
  { replicationFactor, configs }: WantedTopic,
): Violation | undefined {
  const { replication, server } = emulation;
  const isAccepted = replicationFactor === -1 || replication?.accepted.includes(replicationFactor);
  if (replication && isAccepted === false) {
    const accepted = replication.accepted.join(' or ');
    return {
      error: replication.error,
      message: `${server} takes a replication factor of ${accepted}, or -1 for its default, and not ${replicationFactor}.`,
    };
  }
  return configsViolation(emulation, configs, true);
}

/** What another server would refuse of configs that a topic is given later; undefined if nothing. */
export function changedTopicViolation(
  emulation: Emulation,
  configs: ReadonlyMap<string, string>,
): Violation | undefined {
  return configsViolation(emulation, configs, false);
}

/** Whether another server goes by a config of a topic, rather than take it without a word. */
export function isKept({ topicConfigs }: Emulation, name: string): boolean {
  if (!topicConfigs?.ignoresOthers || topicConfigDefinition(name) === undefined) return true;
  return topicConfigs.settable.includes(name);
}

function configsViolation(
  { topicConfigs, server }: Emulation,
  configs: ReadonlyMap<string, string>,
  isNew: boolean,
): Violation | undefined {
  if (!topicConfigs) return undefined;
  const {
    error,
    settable,
    ignoresOthers,
    atCreation = [],
    maxima = {},
    minima = {},
  } = topicConfigs;
  const mayBeSet = new Set(isNew ? [...settable, ...atCreation] : settable);
  for (const [name, value] of configs) {
    if (!mayBeSet.has(name)) {
      if (ignoresOthers) continue;
      const when = atCreation.includes(name) ? ' once the topic is there' : '';
      return { error, message: `${server} does not let topics have ${name}${when}.` };
    }
    const max = maxima[name];
    if (max !== undefined && Number(value) > max) {
      return { error, message: `${server} takes ${name} up to ${max}, and not ${value}.` };
    }
    const min = minima[name];
    if (min !== undefined && Number(value) < min) {
      return { error, message: `${server} takes ${name} from ${min}, and not ${value}.` };
    }
  }
  return undefined;
}

/** The replicas that a topic gets here: there are as many as brokers at most, whatever the other server has. */
export function replicasHere(
  { replication }: Emulation,
  replicationFactor: number,
  brokers: number,
): number {
  return replication ? Math.min(replicationFactor, brokers) : replicationFactor;
}
