import type { ApiName } from '../../../src/protocol/apis.ts';
import { differences, settleBoth, shorten } from './compare.ts';
import type { Findings } from './findings.ts';
import { knownDifferences } from './knownDifferences.ts';
import { differencesOfLogs, logsOf } from './logs.ts';
import { Normaliser } from './normalise.ts';
import { Run, type Exchange, type Scenarios } from './run.ts';
import type { Side, Sides } from './sides.ts';

const mostShown = 30;

/** Runs scenarios on both sides and counts what came out alike. */
export class Comparison {
  readonly #sides: Sides;
  readonly #findings: Findings;

  constructor(sides: Sides, findings: Findings) {
    this.#sides = sides;
    this.#findings = findings;
  }

  /** Throws with every difference that is not known. */
  async compare(slug: string, scenario: Scenarios[string]): Promise<void> {
    const runs = [this.#sides.ours, this.#sides.kafka].map((side) => this.#run(side, slug));
    const [ours, kafkas] = await settleBoth(runs.map((run) => perform(run, scenario)));
    if (!ours || !kafkas) throw new Error('a scenario has two sides');
    if (kafkas.exchanges.length === 0) throw new Error('nothing was asked that both serve');
    const found = [
      ...byVersions(this.#compareExchanges(ours, kafkas)),
      ...differencesOfLogs(ours.logs, kafkas.logs),
    ];
    if (found.length === 0) return;
    const shown = found.slice(0, mostShown).join('\n');
    throw new Error(`${found.length} differences\n${shown}`);
  }

  #run(side: Side, slug: string): Run {
    return new Run({ ...side, slug, versions: this.#sides.versions });
  }

  *#compareExchanges(ours: Performed, kafkas: Performed): Generator<Complaint> {
    const count = Math.max(ours.exchanges.length, kafkas.exchanges.length);
    for (let i = 0; i < count; i++) {
      const [our, their] = [ours.exchanges[i], kafkas.exchanges[i]];
      const [ourTitle, theirTitle] = [titleOf(our), titleOf(their)];
      if (!our || !their || ourTitle !== theirTitle) {
        const what = `step ${i}: ours is ${ourTitle}, Kafka's ${theirTitle}`;
        yield { step: '', version: -1, what };
        return;
      }
      const all = differences(our.answer, their.answer);
      const unknown = all.filter(
        (difference) => !this.#findings.isKnown(knownDifferences, our.api, difference),
      );
      for (const { path, ours: a, kafkas: b } of unknown)
        yield {
          step: `${our.api} ${our.label}`,
          version: our.version,
          what: `${path}: ours ${shorten(a)}, Kafka's ${shorten(b)}`,
        };
      if (unknown.length > 0) continue;
      const { ledger } = this.#findings;
      if (their.answer === 'closed') ledger.addClosed(their.api);
      else ledger.add(their.api, their.version, their.answer);
    }
  }
}

interface Complaint {
  readonly step: string;
  readonly version: number;
  readonly what: string;
}

/** The same complaint about many versions is one. */
function byVersions(complaints: Iterable<Complaint>): string[] {
  const grouped = new Map<string, number[]>();
  for (const { step, version, what } of complaints) {
    const key = `${step} ${what}`;
    grouped.set(key, [...(grouped.get(key) ?? []), version]);
  }
  return [...grouped].map(([key, versions]) => `v${[...new Set(versions)].join()} ${key}`);
}

interface Answered {
  readonly api: ApiName;
  readonly version: number;
  readonly label: string;
  readonly answer: unknown;
}

interface Performed {
  readonly exchanges: readonly Answered[];
  readonly logs: ReadonlyMap<string, readonly string[]>;
}

async function perform(run: Run, scenario: Scenarios[string]): Promise<Performed> {
  try {
    await scenario(run);
    const normaliser = new Normaliser();
    for (const { name, id } of run.topics) normaliser.name(id, `<id of ${name}>`);
    const answered = ({ isClosed, response, ...rest }: Exchange): Answered => ({
      ...rest,
      answer: isClosed ? 'closed' : normaliser.normalise(response),
    });
    const exchanges = run.exchanges.map(answered);
    const logs = [...logsOf(run)].map(
      ([name, bytes]) => [name, [...normaliser.batches(bytes)]] as const,
    );
    return { exchanges, logs: new Map(logs) };
  } finally {
    run.end();
  }
}

const titleOf = (step: Answered | undefined): string =>
  step ? `${step.api} v${step.version}${step.label === '' ? '' : ` (${step.label})`}` : 'nothing';
