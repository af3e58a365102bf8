import { startKafka } from './realKafka.ts';
import type { RealKafka } from './realKafka.ts';

let shared: Promise<RealKafka> | undefined;

/**
 * The one real Kafka of this test process, started when first asked for, ended with the process.
 * Tests share it, so each takes topic and group names of its own.
 */
export function sharedKafka(): Promise<RealKafka> {
  shared ??= startKafka();
  return shared;
}
