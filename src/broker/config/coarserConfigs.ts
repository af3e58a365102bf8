import { numberOf } from './configText.ts';
import type { ConfigDefinition } from './configType.ts';

interface CoarserConfig extends ConfigDefinition {
  /** What it says in a larger unit. */
  readonly finer: string;
  readonly unitMs: number;
}

const hourMs = 3_600_000;

/** Times that a broker is also told in hours or minutes, at its start. Finer units go first. [AbstractKafkaConfig] */
export const coarserConfigs: ReadonlyMap<string, CoarserConfig> = new Map([
  [
    'log.retention.minutes',
    {
      type: 'int',
      default: null,
      finer: 'log.retention.ms',
      unitMs: 60_000,
      documentation: 'As log.retention.ms, in minutes; where that is not set.',
    },
  ],
  [
    'log.retention.hours',
    {
      type: 'int',
      default: '168',
      finer: 'log.retention.ms',
      unitMs: hourMs,
      documentation:
        'As log.retention.ms, in hours; where log.retention.minutes is not set either.',
    },
  ],
  [
    'log.roll.hours',
    {
      type: 'int',
      default: '168',
      min: 1,
      finer: 'log.roll.ms',
      unitMs: hourMs,
      documentation: 'As log.roll.ms, in hours; where that is not set.',
    },
  ],
  [
    'log.roll.jitter.hours',
    {
      type: 'int',
      default: '0',
      min: 0,
      finer: 'log.roll.jitter.ms',
      unitMs: hourMs,
      documentation: 'As log.roll.jitter.ms, in hours; where that is not set.',
    },
  ],
]);

/** The same values, all in milliseconds; a retention below zero is none. [LogConfig.getLogRetentionTimeMillis] */
export function inMilliseconds(values: ReadonlyMap<string, string>): Map<string, string> {
  const all = new Map(values);
  for (const [name, { finer, unitMs }] of coarserConfigs) {
    const value = values.get(name);
    all.delete(name);
    if (value === undefined || all.has(finer)) continue;
    const ms = numberOf(value) * unitMs;
    all.set(finer, String(ms < 0 ? -1 : ms));
  }
  return all;
}
