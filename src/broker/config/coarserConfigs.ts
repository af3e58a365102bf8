import { numberOf } from './configText.ts';
import type { ConfigValues } from './configType.ts';

interface CoarserConfig extends ConfigValues {
  /** What it says in a larger unit. */
  readonly finer: string;
  readonly unitMs: number;
}

const hourMs = 3_600_000;

/** Times that a broker is also told in hours or minutes, at its start. Finer units go first. [AbstractKafkaConfig] */
export const coarserConfigs: ReadonlyMap<string, CoarserConfig> = new Map([
  ['log.retention.minutes', { type: 'int', finer: 'log.retention.ms', unitMs: 60_000 }],
  ['log.retention.hours', { type: 'int', finer: 'log.retention.ms', unitMs: hourMs }],
  ['log.roll.hours', { type: 'int', min: 1, finer: 'log.roll.ms', unitMs: hourMs }],
  ['log.roll.jitter.hours', { type: 'int', min: 0, finer: 'log.roll.jitter.ms', unitMs: hourMs }],
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
