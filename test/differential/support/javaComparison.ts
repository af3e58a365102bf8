// One scenario in Java on both sides, step by step.
import { differences, settleBoth, shorten } from './compare.ts';
import type { Findings } from './findings.ts';
import { javaDifferences } from './javaDifferences.ts';
import type { JavaSide, Told } from './javaSide.ts';
import { differencesOfLogs, type Logs, logsOf } from './logs.ts';
import { Normaliser } from './normalise.ts';

const mostShown = 30;

interface Seen {
  readonly steps: Told['steps'];
  readonly logs: Logs;
}

/** Throws with every difference that is not known. */
export async function compareInJava(
  sides: readonly JavaSide[],
  scenario: string,
  findings: Findings,
): Promise<void> {
  const [ours, kafkas] = await settleBoth(sides.map((side) => seenBy(side, scenario)));
  if (!ours || !kafkas) throw new Error('a scenario has two sides');
  if (kafkas.steps.length === 0) throw new Error('nothing was done');
  const found = [
    ...compareSteps(ours, kafkas, findings),
    ...differencesOfLogs(ours.logs, kafkas.logs),
  ];
  if (found.length === 0) return;
  throw new Error(`${found.length} differences\n${found.slice(0, mostShown).join('\n')}`);
}

async function seenBy(java: JavaSide, scenario: string): Promise<Seen> {
  const { steps, topics } = await java.told(scenario);
  const normaliser = new Normaliser();
  const normalised = steps.map(({ step, outcome }) => ({
    step,
    outcome: normaliser.normalise(outcome),
  }));
  const logs = [...logsOf({ logFolder: java.side.logFolder, topics })].map(
    ([name, bytes]) => [name, [...normaliser.batches(bytes)]] as const,
  );
  return { steps: normalised, logs: new Map(logs) };
}

function* compareSteps(ours: Seen, kafkas: Seen, findings: Findings): Generator<string> {
  const count = Math.max(ours.steps.length, kafkas.steps.length);
  for (let i = 0; i < count; i++) {
    const [our, their] = [ours.steps[i], kafkas.steps[i]];
    if (!their || our?.step !== their.step) {
      yield `step ${i}: ours is ${our?.step ?? 'nothing'}, Kafka's ${their?.step ?? 'nothing'}`;
      return;
    }
    const { step } = their;
    const unknown = differences(our.outcome, their.outcome).filter(
      (difference) => !findings.isKnown(javaDifferences, step, difference),
    );
    for (const { path, ours: a, kafkas: b } of unknown)
      yield `step ${i}, ${step}, ${path}: ours ${shorten(a)}, Kafka's ${shorten(b)}`;
    if (unknown.length === 0) findings.javaLedger.add(step, our.outcome, their.outcome);
  }
}
