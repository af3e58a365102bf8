// What Kafka asks of a broker's configs together, at its start and whenever they change: what counts is what it goes
// by.
import { numberOf } from './configText.ts';

/** Null: it is not set. */
type Text = (name: string) => string | null;

/** What is wrong with the times of segments, in words. [KafkaConfig.validateValues] */
export function segmentTimesProblem(text: Text): string | undefined {
  const isBelow = (name: string, least: number): boolean => {
    const value = text(name);
    return value !== null && numberOf(value) < least;
  };
  if (isBelow('log.roll.ms', 1)) return 'log.roll.ms must be at least 1';
  if (isBelow('log.roll.jitter.ms', 0)) return 'log.roll.jitter.ms must be at least 0';
  // Less than zero is for ever.
  const retention = text('log.retention.ms');
  return retention !== null && numberOf(retention) === 0
    ? 'log.retention.ms must be at least 1, or -1 for no limit'
    : undefined;
}

const mebibyte = 1_048_576;

/** What is wrong with the memory of compaction, in words. [KafkaConfig.validateValues] */
export function cleanerProblem(text: Text): string | undefined {
  const names = ['log.cleaner.dedupe.buffer.size', 'log.cleaner.threads'] as const;
  const [buffer = 0, threads = 1] = names.map((name) => numberOf(text(name) ?? ''));
  return threads > 0 && Math.floor(buffer / threads) > mebibyte
    ? undefined
    : `${names[0]} must be more than 1 MiB for each of ${names[1]}, of which there must be one`;
}
