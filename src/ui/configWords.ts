/** Values of configs, as a person reads them. */
import { durationText, grouped } from './text.ts';

const sizeUnits = [
  ['GiB', 2n ** 30n],
  ['MiB', 2n ** 20n],
  ['KiB', 2n ** 10n],
] as const;

/**
 * A value as Kafka has it, and beside it in larger units where its name says its unit: `604800000 (7d)`. Never rounded.
 */
export function configWords(name: string, value: string): string {
  const words = /^\d{4,15}$/.test(value) ? inLargerUnits(name, BigInt(value)) : undefined;
  return words === undefined ? value : `${value} (${words})`;
}

function inLargerUnits(name: string, value: bigint): string | undefined {
  if (name.endsWith('.ms')) return value < 1000n ? undefined : durationText(Number(value));
  if (!name.endsWith('.bytes')) return undefined;
  const [unit, size] = sizeUnits.find(([, each]) => value >= each && value % each === 0n) ?? [];
  return size === undefined ? undefined : `${grouped(value / size)} ${unit}`;
}
