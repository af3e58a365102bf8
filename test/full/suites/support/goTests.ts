// Tests of a package in Go, compiled to a program of their own.
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { GO_MODULE, goCommand } from '../../../interop/support/go.ts';
import { run, spawnOwned, stopProcess } from '../../../support/process.ts';
import type { Outcome, SuiteRun } from './suite.ts';

const BUILD_LIMIT_MS = 10 * 60_000;

/** Resolves with the folder of a module that the interop tests use. */
export async function goModuleFolder(module: string): Promise<string> {
  const args = ['list', '-m', '-f', '{{.Dir}}', module];
  const { code, stdout, stderr } = await run(await goCommand(), args, { cwd: GO_MODULE });
  if (code !== 0) throw new Error(`there is no module ${module}\n${stderr}`);
  return stdout.trim();
}

export interface Compilation {
  /** In a module. */
  readonly folder: string;
  /** Default: that of the folder. */
  readonly packagePath?: string;
  /** The file that comes of it. */
  readonly program: string;
  readonly flags?: readonly string[];
}

/** Compiles the tests of a package. */
export async function compileGoTests(compilation: Compilation): Promise<void> {
  const { folder, packagePath = '.', program, flags = [] } = compilation;
  const args = ['test', '-c', ...flags, '-o', program, packagePath];
  const { code, stderr } = await run(await goCommand(), args, {
    cwd: folder,
    timeoutMs: BUILD_LIMIT_MS,
  });
  if (code !== 0) throw new Error(`the tests of ${packagePath} do not compile\n${stderr}`);
}

export interface GoTestRun {
  readonly program: string;
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  /** Names of tests, or of parts of them, whose tests are then run; undefined: all. */
  readonly only?: readonly string[] | undefined;
  readonly limitMs: number;
}

const testLine = /^ *--- (?<state>PASS|FAIL|SKIP): (?<name>\S+) \(/;
const outcomeOf: Readonly<Record<string, Outcome>> = { PASS: 'passed', SKIP: 'skipped' };
const LINES_KEPT = 200;

export async function runGoTests({
  program,
  folder,
  env,
  only,
  limitMs,
}: GoTestRun): Promise<SuiteRun> {
  const wanted = only && [...new Set(only.map((name) => `^${name.split('/')[0] ?? ''}$`))];
  const args = [
    ...['-test.v', `-test.timeout=${limitMs}ms`],
    ...(wanted ? [`-test.run=${wanted.join('|')}`] : []),
  ];
  const child = spawnOwned(program, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const heard = new Heard();
  for (const stream of [child.stdout, child.stderr]) if (stream) heard.listenTo(stream);
  const limit = setTimeout(() => void stopProcess(child, 0), limitMs + 30_000);
  await once(child, 'close');
  clearTimeout(limit);
  const { outcomes, lastLines } = heard;
  const output = lastLines.join('\n');
  if (outcomes.size === 0) throw new Error(`${program} told of no test\n${output}`);
  const failed = [...outcomes].filter(([, outcome]) => outcome === 'failed');
  return { outcomes, said: new Map(failed.map(([name]) => [name, output])) };
}

/** What is kept of what the tests say: a run may say more than a string can hold. */
class Heard {
  readonly outcomes = new Map<string, Outcome>();
  readonly lastLines: string[] = [];

  listenTo(stream: Readable): void {
    createInterface(stream).on('line', (line) => {
      const { name, state = '' } = testLine.exec(line)?.groups ?? {};
      if (name !== undefined) this.outcomes.set(name, outcomeOf[state] ?? 'failed');
      this.lastLines.push(line);
      if (this.lastLines.length > LINES_KEPT) this.lastLines.shift();
    });
  }
}
