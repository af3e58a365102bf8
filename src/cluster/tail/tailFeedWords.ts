/** What a feed says between the records: where some are missing, and what the topic got. */
import { t } from '../../base/l10n.ts';
import { groupThousands } from '../../shared/numbers.ts';

/** The log began later than was asked for. */
export function beginsAt(asked: bigint, position: bigint): string {
  return t('{0}: it begins at {1}', span(asked, position, areGone), groupThousands(position));
}

/** Retention, or somebody, was quicker than the feed. */
export function wereDeleted(position: bigint, next: bigint): string {
  return span(position, next, areDeleted);
}

/** The new leader does not have all that was read from the old one. */
export function wereLost(position: bigint, next: bigint): string {
  return span(next, position, areLost);
}

export function wasCutShort(position: bigint, next: bigint): string {
  return t(
    'the log was cut short: it had reached {0}, and now ends at {1}',
    groupThousands(position),
    groupThousands(next),
  );
}

/** Those that a topic gets have the next numbers. */
export function wereAdded(partitions: readonly number[]): string {
  const [first = 0] = partitions;
  return partitions.length === 1
    ? t('partition {0} was added to the topic', first)
    : t('partitions {0} to {1} were added to the topic', first, partitions.at(-1) ?? first);
}

/** Says something of a stretch of records. */
type Said = (from: string, last: string) => string;

const areGone: Said = (from, last) =>
  from === last
    ? t('record {0} is not in the log any more', from)
    : t('records {0} to {1} are not in the log any more', from, last);

const areDeleted: Said = (from, last) =>
  from === last
    ? t('record {0} was deleted before it was read', from)
    : t('records {0} to {1} were deleted before they were read', from, last);

const areLost: Said = (from, last) =>
  from === last
    ? t('record {0} was lost: the new leader does not have it', from)
    : t('records {0} to {1} were lost: the new leader does not have them', from, last);

/** Says it of the records from one offset up to another, which is not included. */
function span(from: bigint, to: bigint, said: Said): string {
  return said(groupThousands(from), groupThousands(to - 1n));
}
