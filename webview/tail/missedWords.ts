/** Where a tail could not start as it was asked to, in words. */
import { t } from '../../src/base/l10n.ts';
import type { MissedStart } from '../../src/shared/contracts/tailProgress.ts';
import { describePoint, parseSeek } from '../../src/shared/seek.ts';
import { formatInt64, groupThousands } from '../kit/format.ts';

/** Undefined: there is nothing that lasts to be said. */
export function missedWords(
  { awaited, gone, noneAsLate }: MissedStart,
  from: string | undefined,
  nowMs: number,
): string | undefined {
  const sentences = [
    awaited && awaitedWords(awaited),
    gone && goneWords(gone),
    noneAsLate && futureWords(from, nowMs),
  ];
  return sentences.filter(Boolean).join(' ') || undefined;
}

function awaitedWords({ offset, bound, partition, partitions }: Missed): string {
  const [wanted, end, others] = [formatInt64(offset), formatInt64(bound), partitions - 1];
  if (others === 0)
    return t('Waits for offset {0}; partition {1} ends at {2}.', wanted, partition, end);
  return t(
    'Waits for offset {0}; partition {1} ends at {2}, and {3} more wait as well.',
    wanted,
    partition,
    end,
    groupThousands(others),
  );
}

type Missed = NonNullable<MissedStart['awaited']>;

function goneWords({ offset, bound, partition, partitions }: Missed): string {
  const [wanted, begin, others] = [formatInt64(offset), formatInt64(bound), partitions - 1];
  if (others === 0)
    return t('Offset {0} is gone; partition {1} begins at {2}.', wanted, partition, begin);
  return t(
    'Offset {0} is gone; partition {1} begins at {2}, and of {3} more it is gone as well.',
    wanted,
    partition,
    begin,
    groupThousands(others),
  );
}

/** Of a time that is still to come: records are shown that are not as late. */
function futureWords(from: string | undefined, nowMs: number): string | undefined {
  const start = startOf(from);
  if (start?.kind !== 'time' || start.epochMs <= nowMs) return undefined;
  return t(
    '{0} is still to come: this began at the end, and shows what is produced, whatever its time.',
    describePoint(start),
  );
}

/** Where a tail starts; undefined where that cannot be read. */
export function startOf(
  from: string | undefined,
): ReturnType<typeof parseSeek>['start'] | undefined {
  try {
    return from === undefined ? undefined : parseSeek(from).start;
  } catch {
    return undefined;
  }
}
