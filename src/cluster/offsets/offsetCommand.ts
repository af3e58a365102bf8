/** The `kafka-consumer-groups` command that does what a reset does. [ConsumerGroupCommandOptions] */
import { byTopic, type TopicPartition } from '../../client/partitionMap.ts';
import { groupThousands } from '../../shared/numbers.ts';
import { writeOffsetCsv } from './offsetCsv.ts';
import type { ResetScenario } from './offsetScenario.ts';
import { shellWord } from '../shellWord.ts';

export interface CommandRow extends TopicPartition {
  /** Null: the commit is deleted. */
  readonly target: bigint | null;
  /** The person gave this row its own offset, whatever the scenario says. */
  readonly isEdited: boolean;
}

export interface OffsetCommand {
  /** After the name of the tool. */
  readonly args: readonly string[];
  /** What `--from-file` is to hold, under this name. */
  readonly file?: { readonly name: string; readonly text: string };
}

export interface CommandRequest {
  readonly bootstrap: string;
  readonly group: string;
  readonly scenario: ResetScenario;
  readonly rows: readonly CommandRow[];
  /** How many partitions a topic has, so that all of them are one word. */
  readonly partitionCounts: ReadonlyMap<string, number>;
}

const tool = 'kafka-consumer-groups.sh';

/** One command, or two where some commits are set and some deleted. */
export function offsetCommands(request: CommandRequest): OffsetCommand[] {
  const { bootstrap, group, rows } = request;
  const start = ['--bootstrap-server', bootstrap, '--group', group];
  const set = rows.filter(({ target }) => target !== null);
  const deleted = rows.filter(({ target }) => target === null);
  const commands: OffsetCommand[] = [];
  if (set.length > 0) commands.push(resetCommand(request, start, set));
  if (deleted.length > 0) {
    commands.push({ args: [...start, '--delete-offsets', ...scopeOf(request, deleted)] });
  }
  return commands;
}

function resetCommand(
  request: CommandRequest,
  start: readonly string[],
  rows: readonly CommandRow[],
): OffsetCommand {
  const option = scenarioOption(request.scenario);
  const reset = [...start, '--reset-offsets'];
  if (option && !rows.some(({ isEdited }) => isEdited)) {
    return { args: [...reset, ...scopeOf(request, rows), ...option, '--execute'] };
  }
  const offsets = rows.map(({ topic, partition, target }) => {
    return { topic, partition, offset: target ?? 0n };
  });
  const name = 'offsets.csv';
  return {
    args: [...reset, '--from-file', name, '--execute'],
    file: { name, text: writeOffsetCsv(offsets) },
  };
}

function scenarioOption(scenario: ResetScenario): string[] | undefined {
  switch (scenario.kind) {
    case 'earliest':
    case 'latest':
    case 'current':
      return [`--to-${scenario.kind}`];
    case 'offset':
      return ['--to-offset', String(scenario.offset)];
    case 'shift':
      return ['--shift-by', String(scenario.by)];
    case 'time':
      return ['--to-datetime', new Date(Number(scenario.timestamp)).toISOString()];
    case 'duration':
      return ['--by-duration', isoDuration(scenario.agoMs)];
    case 'offsets':
    case 'group':
    case 'restore':
    case 'delete':
      return undefined;
  }
}

/** What Java's `Duration.parse` takes. */
function isoDuration(ms: bigint): string {
  const milliseconds = String(ms % 1000n).padStart(3, '0');
  return `PT${ms / 1000n}${milliseconds === '000' ? '' : `.${milliseconds}`}S`;
}

function scopeOf({ partitionCounts }: CommandRequest, rows: readonly TopicPartition[]): string[] {
  return byTopic(rows).flatMap(({ topic, partitions }) => {
    const numbers = partitions.map(({ partition }) => partition).sort((a, b) => a - b);
    const isAll = partitionCounts.get(topic) === numbers.length;
    return ['--topic', isAll ? topic : `${topic}:${numbers.join(',')}`];
  });
}

/** For bash. */
export function offsetCommandText(commands: readonly OffsetCommand[]): string {
  return commands
    .map(({ args, file }) => {
      const command = [tool, ...args].map(shellWord).join(' ');
      if (!file) return `${command}\n`;
      const lines = file.text.split('\n').length - 1;
      const title = `# ${groupThousands(lines)} ${lines === 1 ? 'partition' : 'partitions'}\n`;
      return `${title}cat > ${file.name} <<'END'\n${file.text}END\n${command}\n`;
    })
    .join('\n');
}
