/** The files of `kafka-consumer-groups --export` and `--from-file`. [ConsumerGroupCommand, CsvUtils] */
import { t } from '../../base/l10n.ts';
import type { TopicPartition } from '../../client/partitionMap.ts';
import { ProblemError } from '../problems.ts';

export interface CsvOffset extends TopicPartition {
  readonly offset: bigint;
}

export interface OffsetCsv {
  readonly offsets: readonly CsvOffset[];
  /** Groups that the file has lines for, and that are not the one asked for. */
  readonly otherGroups: readonly string[];
}

/** A line for each partition of clusters larger than any known. */
const mostLines = 1_000_000;
const largestOffset = 2n ** 63n - 1n;

/** `topic,partition,offset`, as the tool writes it for one group. */
export function writeOffsetCsv(offsets: readonly CsvOffset[]): string {
  return offsets
    .map(({ topic, partition, offset }) => `${topic},${partition},${offset}\n`)
    .join('');
}

/**
 * Reads either form: `topic,partition,offset`, or with the group before, of which the lines of `group` count. The
 * first line tells which, as for Kafka's tool; of a partition that stands twice the last line counts. Throws, in
 * words, of the first line that is neither and how many more there are.
 */
export function readOffsetCsv(text: string, group: string): OffsetCsv {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/, mostLines + 1);
  if (lines.length > mostLines) throw new ProblemError(t('The file has over a million lines'));
  const byPartition = new Map<string, CsvOffset>();
  const otherGroups = new Set<string>();
  let hasGroups: boolean | undefined;
  const bad: number[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const fields = fieldsOf(line);
    hasGroups ??= fields.length === 4;
    const isWhole = fields.length === (hasGroups ? 4 : 3);
    const lineGroup = hasGroups ? fields.shift() : group;
    const offset = isWhole ? offsetOf(fields) : undefined;
    if (!offset) bad.push(index);
    else if (lineGroup === group) byPartition.set(`${offset.partition}:${offset.topic}`, offset);
    else otherGroups.add(lineGroup ?? '');
  }
  const [first] = bad;
  if (first !== undefined) {
    throw refusal(first, lines[first] ?? '', { hasGroups, badCount: bad.length });
  }
  if (byPartition.size === 0) {
    throw new ProblemError(
      otherGroups.size === 0
        ? t('The file has no offsets')
        : t(
            'The file has offsets of {0}, and none of {1}',
            [...otherGroups].slice(0, 5).join(', '),
            group,
          ),
    );
  }
  return { offsets: [...byPartition.values()], otherGroups: [...otherGroups] };
}

/** A field may stand in quotes, with quotes in it doubled. */
function fieldsOf(line: string): string[] {
  const fields: string[] = [];
  const field = /\s*(?:"((?:[^"]|"")*)"|([^",]*))\s*(,|$)/y;
  for (;;) {
    const found = field.exec(line);
    if (!found) return [];
    const [, quoted, plain = '', end] = found;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    if (end === '') return fields;
  }
}

function offsetOf([topic = '', partition = '', offset = '']: readonly string[]):
  CsvOffset | undefined {
  if (!/^[\w.-]{1,249}$/.test(topic) || !/^\d{1,9}$/.test(partition)) return undefined;
  if (!/^\d{1,19}$/.test(offset) || BigInt(offset) > largestOffset) return undefined;
  return { topic, partition: Number(partition), offset: BigInt(offset) };
}

function refusal(
  index: number,
  line: string,
  {
    hasGroups = false,
    badCount,
  }: { readonly hasGroups?: boolean | undefined; readonly badCount: number },
): ProblemError {
  const shown = line.length > 60 ? `${line.slice(0, 60)}…` : line;
  const expected = hasGroups ? 'group,topic,partition,offset' : 'topic,partition,offset';
  const problem = t('Line {0} is not {1}: {2}', index + 1, expected, shown);
  if (badCount === 1) return new ProblemError(problem);
  return new ProblemError(t('{0} (and {1} more)', problem, badCount - 1));
}
