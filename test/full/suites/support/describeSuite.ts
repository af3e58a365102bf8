// One suite of other people's, run against Kafka and against our broker, and the two compared.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Certificates, makeCertificates } from '../../../support/kafka/certificates.ts';
import { keepSection } from './otherSuitesPage.ts';
import type { Suite, SuiteRun } from './suite.ts';
import { type Kind, startForSuite } from './suiteBroker.ts';
import { suiteSection } from './suiteSection.ts';

const LIMIT_MS = 40 * 60_000;

export function describeSuite(suite: Suite): void {
  describe(`the tests of ${suite.name} ${suite.version}`, function () {
    this.timeout(LIMIT_MS);
    it(`[A2] what passes of ${suite.name}'s own tests on Kafka passes on our broker, but for what is excluded (embedded) (Kafka 4.4)`, async () => {
      const folder = await suite.install();
      const certificates = await makeCertificates();
      const kafka = await runOn('Kafka 4.4', suite, folder, certificates);
      const ours = await runOn('embedded', suite, folder, certificates);
      assert.deepEqual(surprises(suite, kafka, ours), []);
      await keepSection(suiteSection(suite, { kafka, ours }));
    });
  });
}

/** Once, and what failed once more: such tests wait for times on a machine of their own. */
async function runOn(
  kind: Kind,
  suite: Suite,
  folder: string,
  certificates: Certificates,
): Promise<SuiteRun> {
  const broker = suite.setup && (await startForSuite(kind, suite.setup(certificates)));
  try {
    const place = { folder, kind, bootstrap: broker?.bootstrap ?? '', certificates };
    const first = await suite.run(place);
    const failed = [...first.outcomes].filter(([, outcome]) => outcome === 'failed');
    const names = failed.map(([name]) => name).filter((name) => !(name in suite.chance));
    const run = names.length === 0 ? first : better(first, await suite.run(place, names));
    return withoutChance(run, suite);
  } finally {
    await broker?.stop();
  }
}

function better(first: SuiteRun, second: SuiteRun): SuiteRun {
  const passed = [...second.outcomes].filter(([, outcome]) => outcome === 'passed');
  return {
    outcomes: new Map([...first.outcomes, ...passed.filter(([name]) => first.outcomes.has(name))]),
    said: new Map([...first.said, ...second.said]),
  };
}

function withoutChance({ outcomes, said }: SuiteRun, { chance }: Suite): SuiteRun {
  return { outcomes: new Map([...outcomes].filter(([name]) => !(name in chance))), said };
}

/** What is neither as on Kafka nor excluded, and what is excluded and passes. */
function surprises({ exclusions }: Suite, kafka: SuiteRun, ours: SuiteRun): string[] {
  // A part of a test goes with the test.
  const isExcluded = (name: string) =>
    name in exclusions || (name.split('/')[0] ?? '') in exclusions;
  const passing = [...kafka.outcomes].filter(([, outcome]) => outcome === 'passed');
  const unlike = passing
    .map(([name]) => name)
    .filter((name) => ours.outcomes.get(name) !== 'passed' && !isExcluded(name));
  const needless = Object.keys(exclusions).filter((name) => ours.outcomes.get(name) === 'passed');
  return [
    ...unlike.map((name) => {
      const outcome = ours.outcomes.get(name) ?? 'not run';
      return `${name} passes on Kafka only, on our broker it is ${outcome}:\n${ours.said.get(name) ?? ''}`;
    }),
    ...needless.map((name) => `${name} is excluded and passes`),
  ];
}
