// One suite of other people's, run against Kafka and against our broker, and the two compared.
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type Certificates, makeCertificates } from '../../../support/kafka/certificates.ts';
import { checkSection } from './otherSuitesPage.ts';
import type { Suite, SuiteRun } from './suite.ts';
import { type Kind, startForSuite } from './suiteBroker.ts';
import { suiteSection } from './suiteSection.ts';

const LIMIT_MS = 40 * 60_000;

export function describeSuite(suite: Suite): void {
  describe(`the tests of ${suite.name} ${suite.version}`, function () {
    this.timeout(LIMIT_MS);
    let runs: { readonly kafka: SuiteRun; readonly ours: SuiteRun } | undefined;

    it(`[A2] what passes of ${suite.name}'s own tests on Kafka passes on our broker, but for what is excluded (embedded) (Kafka 4.4)`, async () => {
      const folder = await suite.install();
      const certificates = await makeCertificates();
      const kafka = await runOn('Kafka 4.4', suite, folder, certificates);
      const ours = await runOn('embedded', suite, folder, certificates);
      runs = { kafka, ours };
      assert.deepEqual(surprises(suite, kafka, ours), []);
    });

    it(`[A2] docs/other-suites.md says how many of ${suite.name}'s tests pass on each and which do not (embedded) (Kafka 4.4)`, async () => {
      assert.ok(runs, 'the tests were not run');
      await checkSection(suiteSection(suite, runs));
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
  const broker = await startForSuite(kind, suite.setup(certificates));
  try {
    const place = { folder, bootstrap: broker.bootstrap, certificates };
    const first = await suite.run(place);
    const failed = [...first.outcomes].filter(([, outcome]) => outcome === 'failed');
    if (failed.length === 0) return first;
    const names = failed.map(([name]) => name);
    return better(first, await suite.run(place, names));
  } finally {
    await broker.stop();
  }
}

function better(first: SuiteRun, second: SuiteRun): SuiteRun {
  const passed = [...second.outcomes].filter(([, outcome]) => outcome === 'passed');
  return {
    outcomes: new Map([...first.outcomes, ...passed.filter(([name]) => first.outcomes.has(name))]),
    said: new Map([...first.said, ...second.said]),
  };
}

/** What is neither as on Kafka nor excluded, and what is excluded and passes. */
function surprises({ exclusions }: Suite, kafka: SuiteRun, ours: SuiteRun): string[] {
  const failed = [...ours.outcomes]
    .filter(([name, outcome]) => outcome !== 'passed' && kafka.outcomes.get(name) === 'passed')
    .map(([name]) => name);
  const missing = [...kafka.outcomes.keys()].filter((name) => !ours.outcomes.has(name));
  const needless = Object.keys(exclusions).filter((name) => ours.outcomes.get(name) === 'passed');
  return [
    ...failed
      .filter((name) => !(name in exclusions))
      .map((name) => `${name} passes on Kafka only:\n${ours.said.get(name) ?? 'it was skipped'}`),
    ...missing.map((name) => `${name} ran on Kafka only`),
    ...needless.map((name) => `${name} is excluded and passes`),
  ];
}
