// KAFKA_WORKBENCH_SEQUENCES: how many of each kind; KAFKA_WORKBENCH_SEED: where to begin.
import { after, before, describe, it } from 'mocha';
import { type Random, seededRandom } from '../../../../src/base/random.ts';
import { Comparison } from '../../../differential/support/comparison.ts';
import { Findings } from '../../../differential/support/findings.ts';
import type { Run } from '../../../differential/support/run.ts';
import { type Kind, type Sides, startSides } from '../../../differential/support/sides.ts';

const sequences = Number(process.env['KAFKA_WORKBENCH_SEQUENCES'] ?? 20);
const firstSeed = Number(process.env['KAFKA_WORKBENCH_SEED'] ?? Date.now() % 1_000_000);

/** What a sequence decides by: the same on both brokers, as long as it asks in the same order. */
export class Chance {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** From 0 up to, not including, `limit`. */
  below(limit: number): number {
    return this.#random.below(limit);
  }

  oneIn(count: number): boolean {
    return this.below(count) === 0;
  }

  of<T>(choices: readonly [T, ...T[]] | readonly T[]): T {
    const choice = choices[this.below(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  /** One of the steps, each as likely as its weight is great. */
  step<Step>(weighted: readonly (readonly [weight: number, step: Step])[]): Step {
    let at = this.below(weighted.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, step] of weighted) if ((at -= weight) < 0) return step;
    throw new Error('there is no step to choose');
  }
}

/** One random sequence on one broker. */
export type Sequence = (run: Run, chance: Chance) => Promise<void>;

/** Sequences of requests on both brokers, by what they are of; every answer, and what lies in logs, has to be alike. */
export function compareRandomly(kind: Kind, kinds: Readonly<Record<string, Sequence>>): void {
  describe(`random sequences on both brokers, from seed ${firstSeed} on`, function () {
    this.timeout(300_000);
    const findings = new Findings();
    let sides: Sides;

    before(async () => {
      sides = await startSides(kind);
    });
    after(() => Promise.all([sides.ours.stop(), sides.kafka.stop()]));

    for (const [title, sequence] of Object.entries(kinds))
      describe(title, () => {
        for (let seed = firstSeed; seed < firstSeed + sequences; seed++)
          it(`[A3] seed ${seed} (embedded) (Kafka 4.4)`, () =>
            new Comparison(sides, findings).compare(`${slugOf(title)}-${seed}`, (run) =>
              sequence(run, new Chance(seed)),
            ));
      });
  });
}

const slugOf = (title: string) => title.toLowerCase().replaceAll(/\W+/g, '-');
