/** What a tail session is doing, in words. */
import type { TailProgress } from '../../src/shared/contracts/tail.ts';
import { count, formatSize, groupThousands } from '../kit/format.ts';

export interface StatusWords {
  readonly state: string;
  /** Further figures, each worth a place of its own. */
  readonly figures: readonly string[];
  /** What the rows take of what they may take. */
  readonly memory: string;
}

export function statusWords(progress: TailProgress): StatusWords {
  const figures = [count(progress.held, 'record')];
  if (progress.dropped > 0) {
    figures.push(`oldest ${groupThousands(progress.dropped)} dropped`);
  }
  if (progress.state === 'reading' || progress.state === 'live') {
    figures.push(`${groupThousands(Math.round(progress.perSecond))} rec/s`);
  }
  if (!/^-?0+$/.test(progress.heldBack)) {
    figures.push(`${count(progress.heldBack, 'offset')} behind an open transaction`);
  }
  return { state: stateWords(progress), figures, memory: memoryWords(progress) };
}

function memoryWords({ bytes, bytesMax }: TailProgress): string {
  return `${formatSize(bytes)} of at most ${formatSize(bytesMax)} in memory. Beyond that, and beyond a million records, the oldest are dropped from this view.`;
}

function stateWords({ state, behind }: TailProgress): string {
  switch (state) {
    case 'live':
      return 'Live';
    case 'reading':
      return /^-?0*$/.test(behind) ? 'Reading' : `Reading, ${count(behind, 'record')} behind`;
    case 'paused':
      return /^-?0*$/.test(behind) ? 'Paused' : `Paused, ${count(behind, 'record')} behind`;
    case 'ended':
      return 'Reached the end of the range';
    case 'failed':
      return 'Stopped by an error';
  }
}
