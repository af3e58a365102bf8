import { parseArgs } from 'node:util';
import {
  type EmulationName,
  emulationNames,
  isEmulationName,
} from '../broker/emulation/emulationName.ts';
import { type MaintenanceTask, maintenanceTasks } from '../shared/maintenance.ts';
import { errorMessage } from '../base/logger.ts';
import { longestAdvanceMs } from '../shared/contracts/control.ts';
import { parseDurationMs } from './duration.ts';

const defaultDataDir = 'kafka-workbench-data';

export const usage = `Usage: kafka-workbench start [options]     run an embedded cluster until Ctrl+C
       kafka-workbench stop [--data-dir DIR]
                                            stop the cluster that runs there
       kafka-workbench clock [--data-dir DIR] [--advance 7d]
                                            tell its clock, or move it forward
       kafka-workbench maintain [--data-dir DIR] [TASK ...]
                                            do now what it does every few minutes:
                                            ${maintenanceTasks.join(', ')}

Options of start:
  --port N             port of the broker (9092); 0 is any free one
  --host ADDRESS       address to listen on (127.0.0.1)
  --brokers N          number of brokers (1; more are not there yet)
  --data-dir DIR       where topics and offsets are kept (./${defaultDataDir})
  --in-memory          keep nothing: a temporary directory, removed at the end
  --set NAME=VALUE     a broker config by Kafka's name; may be repeated
  --emulate SERVER     behave as another server: ${emulationNames.join(', ')}
  --unattended-seconds N   stop when no editor window has been connected for so long
  --json               one line of JSON when ready
  --help, --version
`;

/** What was typed makes no sense; the message says what to change. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export interface StartOptions {
  readonly command: 'start';
  readonly port: number;
  readonly host: string;
  /** Null: in memory. */
  readonly dataDir: string | null;
  readonly configs: Readonly<Record<string, string>>;
  readonly emulate: EmulationName | undefined;
  readonly unattendedMs: number | undefined;
  readonly json: boolean;
}

export type CliOptions =
  | StartOptions
  | { readonly command: 'stop'; readonly dataDir: string }
  | { readonly command: 'clock'; readonly dataDir: string; readonly advanceMs: number }
  | {
      readonly command: 'maintain';
      readonly dataDir: string;
      readonly tasks: readonly MaintenanceTask[];
    }
  | { readonly command: 'help' | 'version' };

/** Reads the command line. Throws a UsageError. */
export function parseOptions(args: readonly string[]): CliOptions {
  const { values, positionals, tokens } = parsed(withJoinedNumbers(args));
  if (values.help) return { command: 'help' };
  if (values.version) return { command: 'version' };
  const [command, ...more] = positionals;
  if (command === 'start') {
    nothingMore(more);
    return startOptions(values);
  }
  const options = othersOptions(command);
  const stranger = tokens.find((token) => token.kind === 'option' && !options.includes(token.name));
  if (stranger?.kind === 'option') {
    const takes = options.map((name) => `--${name}`).join(' and ');
    throw new UsageError(`${command} takes ${takes}, not ${stranger.rawName}`);
  }
  const dataDir = values['data-dir'] ?? defaultDataDir;
  if (command === 'maintain') return { command, dataDir, tasks: tasksOf(more) };
  nothingMore(more);
  return command === 'clock'
    ? { command, dataDir, advanceMs: advanceMsOf(values.advance) }
    : { command: 'stop', dataDir };
}

type Values = ReturnType<typeof parsed>['values'];

/** Options of what is said to a cluster that runs. */
function othersOptions(command: string | undefined): readonly string[] {
  if (command === 'clock') return ['data-dir', 'advance'];
  if (command === 'stop' || command === 'maintain') return ['data-dir'];
  throw new UsageError(
    command === undefined ? 'say start, stop, clock or maintain' : `there is no "${command}"`,
  );
}

function nothingMore(positionals: readonly string[]): void {
  if (positionals.length > 0) throw new UsageError(`what is "${positionals.join(' ')}"?`);
}

function advanceMsOf(text: string): number {
  const advanceMs = parseDurationMs(text);
  if (advanceMs !== undefined && advanceMs <= longestAdvanceMs) return advanceMs;
  throw new UsageError(
    advanceMs === undefined
      ? `--advance takes a duration as 7d or 1d12h, not "${text}"; a clock goes forward only`
      : `--advance takes a hundred years at most, not "${text}"`,
  );
}

/** Every task where none is named. */
function tasksOf(names: readonly string[]): readonly MaintenanceTask[] {
  if (names.length === 0) return maintenanceTasks;
  return names.map((name) => {
    const task = maintenanceTasks.find((known) => known === name);
    if (task !== undefined) return task;
    throw new UsageError(`maintain takes ${maintenanceTasks.join(', ')}, not "${name}"`);
  });
}

/** `--advance -7d` as `--advance=-7d`: Node's parser takes what begins with a dash for the next option. */
function withJoinedNumbers(args: readonly string[]): readonly string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const before = joined.at(-1) ?? '';
    if (/^-\d/.test(arg) && /^--[a-z-]+$/.test(before)) joined.splice(-1, 1, `${before}=${arg}`);
    else joined.push(arg);
  }
  return joined;
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      tokens: true,
      options: {
        port: { type: 'string', default: '9092' },
        host: { type: 'string', default: '127.0.0.1' },
        brokers: { type: 'string', default: '1' },
        'data-dir': { type: 'string' },
        advance: { type: 'string', default: '0s' },
        'in-memory': { type: 'boolean', default: false },
        set: { type: 'string', multiple: true, default: [] },
        emulate: { type: 'string' },
        'unattended-seconds': { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
        version: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(inOurWords(errorMessage(error)));
  }
}

/** What Node's parser says, whose advice about dashes helps nobody here, in words of ours. */
const parserWords: readonly (readonly [said: RegExp, ours: string])[] = [
  [/^Unknown option '([^']*)'/, 'there is no $1'],
  [
    /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument (?:missing|is ambiguous)/,
    '$1 needs a value',
  ],
  [/^Option '(?:-\w, )?(--[\w-]+)' does not take an argument/, '$1 takes no value'],
];

function inOurWords(message: string): string {
  for (const [said, ours] of parserWords) {
    const [found] = said.exec(message) ?? [];
    if (found !== undefined) return found.replace(said, ours);
  }
  return message;
}

function startOptions(values: Values): StartOptions {
  const dataDir = values['data-dir'];
  if (values['in-memory'] && dataDir !== undefined) {
    throw new UsageError('--in-memory and --data-dir exclude each other');
  }
  if (wholeNumber('--brokers', values.brokers, 1, 5) !== 1) {
    throw new UsageError('more than one broker is not there yet; leave --brokers out');
  }
  const seconds = values['unattended-seconds'];
  return {
    command: 'start',
    port: wholeNumber('--port', values.port, 0, 65_535),
    host: values.host,
    dataDir: values['in-memory'] ? null : (dataDir ?? defaultDataDir),
    emulate: emulationOf(values.emulate),
    configs: Object.fromEntries(values.set.map(nameAndValue)),
    unattendedMs:
      seconds === undefined
        ? undefined
        : wholeNumber('--unattended-seconds', seconds, 1, 86_400) * 1000,
    json: values.json,
  };
}

function emulationOf(name: string | undefined): EmulationName | undefined {
  if (name === undefined || isEmulationName(name)) return name;
  throw new UsageError(`--emulate takes ${emulationNames.join(', ')}, not "${name}"`);
}

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(`${option} takes a whole number from ${min} to ${max}, not "${text}"`);
}

function nameAndValue(text: string): [name: string, value: string] {
  const equals = text.indexOf('=');
  if (equals < 1) throw new UsageError(`--set takes NAME=VALUE, not "${text}"`);
  return [text.slice(0, equals), text.slice(equals + 1)];
}
