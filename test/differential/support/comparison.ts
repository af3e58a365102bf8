import type { ApiName } from '../../../src/protocol/apis.ts';
import { differences, type Difference } from './compare.ts';
import { knownDifferences, type KnownDifference } from './knownDifferences.ts';
import { Ledger } from './ledger.ts';
import { logsOf } from './logs.ts';
import { Normaliser, toText } from './normalise.ts';
import { Run, type Exchange, type Scenarios } from './run.ts';
import type { Side, Sides } from './sides.ts';

const mostShown = 30;
const mostTextShown = 600;

/** What comparisons have found so far. */
export class Findings {
  readonly ledger = new Ledger();
  readonly used = new Set<KnownDifference>();
}

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
      ...compareLogs(ours, kafkas),
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
      const unknown = all.filter((difference) => !this.#isKnown(our.api, difference));
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

  #isKnown(api: ApiName, difference: Difference): boolean {
    const known = knownDifferences.find(
      (entry) =>
        (entry.api === 'any' || entry.api === api) &&
        entry.path.test(difference.path) &&
        (entry.isIt === undefined || entry.isIt(difference)),
    );
    if (known) this.#findings.used.add(known);
    return known !== undefined;
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

/** Both, also where the first has failed: nothing may go on behind the next scenario's back. */
async function settleBoth(both: readonly Promise<Performed>[]): Promise<Performed[]> {
  const settled = await Promise.allSettled(both);
  const reasons = settled.flatMap((one, i) =>
    one.status === 'rejected' ? [`${i === 0 ? 'ours' : "Kafka's"}: ${String(one.reason)}`] : [],
  );
  if (reasons.length > 0) throw new Error(reasons.join('\n'));
  return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

function* compareLogs(ours: Performed, kafkas: Performed): Generator<string> {
  for (const [name, theirs] of kafkas.logs) {
    const mine = ours.logs.get(name) ?? [];
    if (mine.length !== theirs.length)
      yield `log of ${name}: ours has ${mine.length} batches, Kafka's ${theirs.length}`;
    for (const [i, batch] of theirs.entries())
      for (const { path, ours: a, kafkas: b } of differences(parse(mine[i]), parse(batch)))
        yield `log of ${name}, batch ${i}: ${path}: ours ${shorten(a)}, Kafka's ${shorten(b)}`;
  }
}

const parse = (text: string | undefined): unknown =>
  text === undefined ? undefined : JSON.parse(text);

const titleOf = (step: Answered | undefined): string =>
  step ? `${step.api} v${step.version}${step.label === '' ? '' : ` (${step.label})`}` : 'nothing';

const shorten = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : toText(value);
  return text.length > mostTextShown ? `${text.slice(0, mostTextShown)}...` : text;
};
