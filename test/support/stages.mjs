// Runs test stages, each in a process group of its own and under a hard limit, and closes with one line that counts.
// They run one after the other, but for those that wait for other programs more than they compute: these go in two
// lanes at once (decision 35). A stage that ran no test, crashed or was cut off counts as a failure. A stage that runs
// other people's programs may be `repeatable`: see decision 29.
import { spawn } from 'node:child_process';
import { closeSync, globSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {number} limitMinutes after this its whole process group is killed
 * @property {string[]} [script] a script and its arguments; it fails by its exit code
 * @property {string} [tests] a glob of mocha tests, from the root
 * @property {string} [shown] the Mocha reporter whose output is shown
 * @property {string[]} [needs] stages that have to run before, wanted or not
 * @property {boolean} [repeatable] whether a few files that failed are run once more, and named if they pass then
 * @property {'first' | 'second'} [lane] with what other stages it may run at once: those of the other lane. What the
 *   second prints is shown when the stage has ended. Without one it runs alone, before them.
 */

/** A stage that runs a script of the house. */
export const script = (name, limitMinutes, ...command) => ({ name, limitMinutes, script: command });

/** A stage that runs the mocha tests of a folder. */
export const suite = (name, limitMinutes, tests, more = {}) => ({
  name,
  limitMinutes,
  tests,
  ...more,
});

/** Runs the stages named in `wanted` (none: all) with what they need, prints the count, ends the process. */
export async function runStages(stages, wanted) {
  const unknown = wanted.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    console.error(`There is no ${unknown.join(', ')}. There are: ${namesOf(stages)}`);
    process.exit(2);
  }
  const chosen = withNeeds(stages, wanted.length > 0 ? wanted : stages.map(({ name }) => name));
  const inLane = (lane) => stages.filter((stage) => chosen.has(stage.name) && stage.lane === lane);
  const outcomes = await runInTurn(inLane(undefined));
  const [first, second] = [inLane('first'), inLane('second')];
  const behind = second.map((stage) => ({ ...stage, isBehind: first.length > 0 }));
  outcomes.push(...(await Promise.all([runInTurn(first), runInTurn(behind)])).flat());
  for (const line of outcomes.flatMap(closingOf)) console.log(line);
  const sum = (count) => outcomes.reduce((total, outcome) => total + outcome[count], 0);
  console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
  process.exit(sum('failed') > 0 ? 1 : 0);
}

async function runInTurn(stages) {
  const outcomes = [];
  for (const stage of stages) outcomes.push(await runStage(stage));
  return outcomes;
}

/** What is said of a stage when all have ended: what failed, and what was unsteady. */
function closingOf({ stage, failed, trouble, failures = [], unsteady = [] }) {
  return [
    ...(failed > 0 ? [`FAILED ${stage.name}: ${trouble ?? `${failed} failed`}`] : []),
    ...failures.map(inOneLine),
    ...unsteady.map((test) => `UNSTEADY${inOneLine(test)}`),
  ];
}

const inOneLine = ({ title, message }) =>
  `  ${title}: ${message.replace(/\s+/g, ' ').slice(0, 200)}`;

const namesOf = (stages) => stages.map(({ name }) => name).join(', ');

function withNeeds(stages, names) {
  const chosen = new Set();
  const add = (name) => {
    chosen.add(name);
    for (const needed of stages.find((stage) => stage.name === name).needs ?? []) add(needed);
  };
  names.forEach(add);
  return chosen;
}

async function runStage(stage) {
  if (!stage.isBehind) console.log(`\n== ${stage.name}`);
  const started = performance.now();
  const outcome = stage.tests ? await runSuite(stage) : await runScript(stage);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const { passed, failed, trouble } = outcome;
  const result = stage.tests ? `${passed} passed, ${failed} failed` : failed ? 'failed' : 'ok';
  console.log(`== ${stage.name}: ${trouble ?? result} (${seconds} s)`);
  return { stage, ...outcome };
}

async function runScript(stage) {
  const trouble = await runUnderLimit(stage, stage.script);
  return { passed: 0, failed: trouble ? 1 : 0, trouble };
}

/** More files than this do not fail by chance. */
const MOST_REPEATED_FILES = 3;

async function runSuite(stage) {
  const files = globSync(stage.tests, { cwd: root }).sort();
  if (files.length === 0)
    return { passed: 0, failed: 1, trouble: `no test matches ${stage.tests}` };
  const first = await runFiles(stage, files);
  const again = filesToRepeat(stage, first);
  if (again.length === 0) return judged(first);
  console.log(`\n== ${stage.name}: once more ${again.join(', ')}`);
  const second = await runFiles(stage, again);
  const elsewhere = first.passed.filter(({ file }) => !again.includes(file));
  return {
    ...judged({ ...second, passed: [...elsewhere, ...second.passed] }),
    unsteady: first.failed.filter(({ title }) => !second.failed.some((t) => t.title === title)),
  };
}

function filesToRepeat({ repeatable }, { failed, cutOff }) {
  if (!repeatable || cutOff || failed.some(({ file }) => !file)) return [];
  const files = [...new Set(failed.map(({ file }) => file))];
  return files.length > MOST_REPEATED_FILES ? [] : files;
}

async function runFiles(stage, files) {
  const folder = mkdtempSync(path.join(tmpdir(), 'results-'));
  const results = path.join(folder, 'results.json');
  const options = ['--no-config', '--forbid-only', '--forbid-pending', '--timeout', '20000'];
  const reporter = ['--reporter', path.join(import.meta.dirname, 'reporter.cjs')];
  const mocha = ['node_modules/mocha/bin/mocha.js', ...options, ...reporter, ...files];
  const shown = stage.isBehind ? path.join(folder, 'shown.txt') : undefined;
  const env = {
    KAFKA_WORKBENCH_RESULTS: results,
    KAFKA_WORKBENCH_REPORTER: stage.shown ?? 'Spec',
  };
  const trouble = await runUnderLimit(stage, mocha, { env, shown });
  const ran = readResults(results);
  if (shown) console.log(`\n== ${stage.name}, which ran meanwhile\n${readFileSync(shown, 'utf8')}`);
  rmSync(folder, { recursive: true });
  return { ...ran, trouble, cutOff: trouble?.startsWith('cut off') };
}

function judged({ passed, failed, trouble }) {
  const counts = { passed: passed.length, failed: failed.length, failures: failed };
  // Mocha's exit code is the number of failures: any code is explained by them, none by their absence.
  if (failed.length > 0) return counts;
  if (trouble) return { ...counts, failed: 1, trouble };
  if (passed.length === 0) return { ...counts, failed: 1, trouble: 'no test ran' };
  return counts;
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { passed: [], failed: [] };
  }
}

/** The process groups that run: all end when this is told to. */
const groups = new Set();

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    groups.forEach(killGroup);
    process.exit(1);
  });

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // the group is gone
  }
}

/** Resolves to nothing when the command ended well, else to what went wrong. What it prints may go to a file. */
function runUnderLimit({ limitMinutes }, command, { env = {}, shown } = {}) {
  const output = shown === undefined ? 'inherit' : openSync(shown, 'w');
  return new Promise((resolve) => {
    const child = spawn(process.execPath, command, {
      cwd: root,
      stdio: ['ignore', output, output],
      detached: true,
      env: { ...process.env, ...env },
    });
    if (output !== 'inherit') closeSync(output);
    groups.add(child.pid);
    let cutOff = false;
    const limit = setTimeout(() => {
      cutOff = true;
      killGroup(child.pid);
    }, limitMinutes * 60_000);
    child.once('exit', (code, signal) => {
      clearTimeout(limit);
      killGroup(child.pid); // what the stage left behind
      groups.delete(child.pid);
      if (cutOff) resolve(`cut off after ${limitMinutes} min`);
      else resolve(code === 0 ? undefined : `ended with ${signal ?? `code ${code}`}`);
    });
  });
}
