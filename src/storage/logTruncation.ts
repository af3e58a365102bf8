import type { LogOffsets } from './logOffsets.ts';
import { type LogParts, noteUnstable } from './logParts.ts';
import { rebuildProducers } from './producerRebuild.ts';
import { Segment } from './segment.ts';
import { findPosition } from './segmentReader.ts';

/** Removes all at and past `offset`, and the batch that contains it [UnifiedLog.truncateTo]. */
export async function truncateLog(parts: LogParts, offset: bigint): Promise<void> {
  const { offsets, segments, snapshots, producers, epochs, sync } = parts;
  if (offset >= offsets.logEnd) return;
  if (offset < segments.first.baseOffset) return startLogOver(parts, offset);
  const gone = segments.remove(({ baseOffset }) => baseOffset <= offset);
  for (const segment of gone) await segment.removeFiles();
  const { active } = segments;
  const found = await findPosition(active, offset);
  if (found !== undefined) await active.truncateTo(found.header.baseOffset, found.position);
  await active.prepareToAppend();
  settle(offsets, offset);
  await snapshots.removeWhere((each) => each > offset);
  const left = { segments: segments.all, producers, snapshots };
  await rebuildProducers(left, offsets.logStart, offset);
  if (epochs.truncateFromEnd(offset)) sync.noteEpochs();
  noteUnstable(parts);
}

/** Drops everything and goes on at `offset` [UnifiedLog.truncateFullyAndStartAt]. */
export async function startLogOver(parts: LogParts, offset: bigint): Promise<void> {
  const { context, directory, offsets, segments, snapshots, producers, epochs, sync } = parts;
  for (const segment of segments.all) await segment.removeFiles();
  segments.replaceAll(await Segment.create(context, directory, offset));
  await snapshots.removeWhere(() => true);
  producers.clear();
  epochs.clear();
  sync.noteEpochs();
  sync.noteNames();
  offsets.logStart = offset;
  settle(offsets, offset);
  noteUnstable(parts);
}

function settle(offsets: LogOffsets, logEnd: bigint): void {
  const { logStart, recoveryPoint } = offsets;
  const bounded = recoveryPoint < logEnd ? recoveryPoint : logEnd;
  offsets.settle({ logStart, logEnd, recoveryPoint: bounded });
}
