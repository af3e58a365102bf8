import { type Feature, features, newClusterLevels } from '../controller/features.ts';
import type { Emulation } from './emulation.ts';

/** The features that the server can have. */
export function supportedFeatures(emulation: Emulation | undefined): readonly Feature[] {
  return emulation?.features ?? features;
}

/** The levels that a new cluster starts with. */
export function initialLevels(emulation: Emulation | undefined): ReadonlyMap<string, number> {
  return emulation?.levels ? new Map(Object.entries(emulation.levels)) : newClusterLevels;
}

/** What a cluster that may have been made as another server says of its levels. */
export function finalizedLevels(
  levels: ReadonlyMap<string, number>,
  emulation: Emulation | undefined,
): ReadonlyMap<string, number> {
  const supported = emulation?.features;
  if (!supported) return levels;
  const known = supported.flatMap(({ name, max }) => {
    const level = levels.get(name);
    return level === undefined ? [] : [[name, Math.min(level, max)] as const];
  });
  return new Map(known);
}
