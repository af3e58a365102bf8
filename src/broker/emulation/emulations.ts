import { confluentCloud } from './confluentCloud.ts';
import type { Emulation } from './emulation.ts';
import type { EmulationName } from './emulationName.ts';
import { kafka39 } from './kafka39.ts';
import { mskServerless } from './mskServerless.ts';
import { redpanda } from './redpanda.ts';

/** The servers that a cluster can behave as, by the name that people choose them by. */
export const emulations = {
  'kafka-3.9': kafka39,
  redpanda,
  'confluent-cloud': confluentCloud,
  'msk-serverless': mskServerless,
} as const satisfies Readonly<Record<EmulationName, Emulation>>;
