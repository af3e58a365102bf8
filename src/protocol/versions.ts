import { assert } from '../base/assert.ts';
import type { VersionRange } from './schema.ts';

/** Versions from `min` to `max`, both included; none where `min` is greater. */
export interface Versions {
  readonly min: number;
  readonly max: number;
}

const highestVersion = 32767;
const none: Versions = { min: 0, max: -1 };

/** What was read before: each message is looked at whether its version has it, and is flexible. */
const known = new Map<VersionRange, Versions>();

/** Reads `"3"`, `"0-12"`, `"4+"` or `"none"`; throws an AssertionError for anything else. */
export function parseVersions(range: VersionRange): Versions {
  let versions = known.get(range);
  if (versions === undefined) known.set(range, (versions = readVersions(range)));
  return versions;
}

function readVersions(range: VersionRange): Versions {
  if (range === 'none') return none;
  const match = /^(\d+)(?:-(\d+)|(\+))?$/.exec(range);
  assert(match, `"${range}" is not a range of versions`);
  const [, first, last, open] = match;
  const min = Number(first);
  if (open !== undefined) return { min, max: highestVersion };
  return { min, max: last === undefined ? min : Number(last) };
}

export function includesVersion(range: VersionRange, version: number): boolean {
  const { min, max } = parseVersions(range);
  return min <= version && version <= max;
}
