/** Counts in words. A noun that is missing here is added here, so that every language can say it its own way. */
import { t } from '../base/l10n.ts';
import { groupThousands } from './numbers.ts';

/** One of a thing, and any other number of it. */
const nouns = {
  broker: () => [t('{0} broker'), t('{0} brokers')],
  byte: () => [t('{0} byte'), t('{0} bytes')],
  'committed offset': () => [t('{0} committed offset'), t('{0} committed offsets')],
  connection: () => [t('{0} connection'), t('{0} connections')],
  day: () => [t('{0} day'), t('{0} days')],
  header: () => [t('{0} header'), t('{0} headers')],
  hour: () => [t('{0} hour'), t('{0} hours')],
  line: () => [t('{0} line'), t('{0} lines')],
  member: () => [t('{0} member'), t('{0} members')],
  millisecond: () => [t('{0} millisecond'), t('{0} milliseconds')],
  minute: () => [t('{0} minute'), t('{0} minutes')],
  offset: () => [t('{0} offset'), t('{0} offsets')],
  partition: () => [t('{0} partition'), t('{0} partitions')],
  record: () => [t('{0} record'), t('{0} records')],
  row: () => [t('{0} row'), t('{0} rows')],
  second: () => [t('{0} second'), t('{0} seconds')],
  topic: () => [t('{0} topic'), t('{0} topics')],
  week: () => [t('{0} week'), t('{0} weeks')],
} satisfies Record<string, () => readonly [string, string]>;

export type Noun = keyof typeof nouns;

/** `1 partition`, `3 partitions`, `20,000 records`. */
export function counted(count: bigint | number | string, noun: Noun): string {
  const [one, other] = nouns[noun]();
  return (String(count) === '1' ? one : other).replace('{0}', groupThousands(count));
}
