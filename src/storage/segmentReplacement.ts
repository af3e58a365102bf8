import type { LogParts } from './logParts.ts';
import type { Segment } from './segment.ts';

/**
 * Puts compacted segments, synced and still named `.cleaned`, in the place of what they were made of
 * [LocalLog.replaceSegments]. A crash at any point leaves either the old ones or, from where all of the new
 * ones are named `.swap`, the new ones (`tidyFolder`). Answers false, with nothing done, where the sources
 * are no longer what they were.
 */
export async function replaceSegments(
  { context, directory, config, segments, snapshots, removals }: LogParts,
  sources: readonly Segment[],
  cleaned: readonly Segment[],
): Promise<boolean> {
  const { active, all } = segments;
  if (!sources.every((source) => source !== active && all.includes(source))) return false;
  const { fileSystem } = context;
  try {
    for (const segment of cleaned.toReversed()) await segment.changeSuffix('.swap');
    await fileSystem.syncDirectory(directory);
  } catch (error) {
    for (const segment of cleaned) await segment.removeFiles();
    throw error;
  }
  segments.replace(new Set(sources), cleaned);
  await segments.moving(async () => {
    const refusal = await removals.add(sources, config().fileDeleteDelayMs);
    // As long as an old one has its name, only the `.swap` of the new ones says who counts.
    if (refusal !== undefined) throw refusal;
    for (const segment of cleaned) {
      await segment.changeSuffix('');
      segment.setActive(false);
    }
  });
  const bases = new Set(cleaned.map(({ baseOffset }) => baseOffset));
  const gone = new Set(sources.map(({ baseOffset }) => baseOffset).filter((n) => !bases.has(n)));
  await snapshots.removeWhere((offset) => gone.has(offset));
  await fileSystem.syncDirectory(directory);
  return true;
}
