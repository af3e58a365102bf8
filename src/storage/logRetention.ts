import { advanceLogStart, type LogParts } from './logParts.ts';
import { expiredSegments } from './retention.ts';
import type { Segment } from './segment.ts';

/** Deletes segments that are over the topic's limits; answers how many. */
export async function applyRetention(parts: LogParts, roll: () => Promise<void>): Promise<number> {
  const { context, offsets, segments, removals } = parts;
  const nowMs = context.clock.nowMs();
  const retained = await Promise.all(
    segments.all.map(async (segment) => ({
      baseOffset: segment.baseOffset,
      endOffset: segments.endOf(segment) ?? offsets.logEnd,
      sizeInBytes: segment.size,
      timestampMs: await segment.retentionTimestampMs(),
    })),
  );
  const { logStart: logStartOffset, highWatermark } = offsets;
  const config = parts.config();
  const count = expiredSegments(retained, { config, nowMs, logStartOffset, highWatermark });
  if (count > 0) await deleteOldest(parts, count, roll);
  else if (removals.hasRefused) await removeFiles(parts, []);
  return count;
}

async function deleteOldest(
  parts: LogParts,
  count: number,
  roll: () => Promise<void>,
): Promise<void> {
  const { offsets, segments, snapshots } = parts;
  if (count === segments.all.length) await roll();
  const firstKept = segments.all[count]?.baseOffset ?? offsets.logEnd;
  advanceLogStart(parts, firstKept);
  const gone = segments.remove(({ baseOffset }) => baseOffset >= firstKept);
  await removeFiles(parts, gone);
  await snapshots.removeWhere((offset) => offset < firstKept);
}

/** After a while; and of those that could not be renamed before. */
async function removeFiles(
  { segments, removals, config }: LogParts,
  gone: readonly Segment[],
): Promise<void> {
  await segments.moving(() => removals.add(gone, config().fileDeleteDelayMs));
}
