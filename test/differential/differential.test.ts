// What Kafka 4.4 answers, and leaves in its logs, is what we have to answer and leave: field by field.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { checkPage } from '../support/generatedPage.ts';
import { differentialPage } from './support/page.ts';
import { Comparison } from './support/comparison.ts';
import { Findings } from './support/findings.ts';
import { compareInJava } from './support/javaComparison.ts';
import { javaDifferences } from './support/javaDifferences.ts';
import { javaAreas } from './support/javaScenarios.ts';
import { JavaSide } from './support/javaSide.ts';
import { knownDifferences } from './support/knownDifferences.ts';
import { type Kind, type Sides, startSides } from './support/sides.ts';
import { type Area, areas, securedAreas } from './scenarios/index.ts';

const slugOf = (area: string, index: number) =>
  `${area.toLowerCase().replaceAll(/\W+/g, '-')}-${index}`;

function compareAll(kind: Kind, compared: readonly Area[], findings: Findings): void {
  let sides: Sides;
  let comparison: Comparison;

  before(async () => {
    sides = await startSides(kind);
    comparison = new Comparison(sides, findings);
  });
  after(() => Promise.all([sides.ours.stop(), sides.kafka.stop()]));

  for (const { area, rows, scenarios } of compared)
    describe(area, () => {
      for (const [index, [title, scenario]] of Object.entries(scenarios).entries())
        it(`${rows} ${title} (embedded) (Kafka 4.4)`, () =>
          comparison.compare(slugOf(area, index), scenario));
    });

  describe("through Java's client", () => compareAllInJava(kind, () => sides, findings));
}

function compareAllInJava(kind: Kind, sidesOf: () => Sides, findings: Findings): void {
  const compared = javaAreas().filter((area) => area.kind === kind);
  let java: readonly JavaSide[];

  before(async () => {
    const { ours, kafka } = sidesOf();
    java = await Promise.all([ours, kafka].map((side) => JavaSide.start(side)));
    const names = compared.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));
    for (const side of java) side.begin(names);
  });
  after(async () => {
    findings.javaLedger.methods = java[0]?.methods ?? [];
    await Promise.all(java.map((side) => side.stop()));
  });

  for (const { area, rows, scenarios } of compared)
    describe(area, () => {
      for (const { name, title } of scenarios)
        it(`${rows} ${title} (embedded) (Kafka 4.4)`, () => compareInJava(java, name, findings));
    });
}

describe('compared with Kafka, field by field', function () {
  this.timeout(120_000);
  const findings = new Findings();

  describe('where everybody may do everything', () => compareAll('open', areas, findings));
  describe('where ACLs decide', () => compareAll('secured', securedAreas, findings));

  describe('docs/differential.md', () => {
    it('[A3] has counted what was alike, and every known difference is still one (embedded) (Kafka 4.4)', async () => {
      const { page, text } = differentialPage(findings);
      console.log(text);
      const tables = [...knownDifferences, ...javaDifferences];
      const stale = tables.filter((known) => !findings.used.has(known));
      assert.deepEqual(
        stale.map(({ reason }) => reason),
        [],
      );
      await checkPage('differential.md', page);
    });
  });
});
