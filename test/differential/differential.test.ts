// What Kafka 4.4 answers, and leaves in its logs, is what we have to answer and leave: field by field.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { checkPage } from '../support/generatedPage.ts';
import { differentialPage } from './support/page.ts';
import { Comparison, Findings } from './support/comparison.ts';
import { knownDifferences } from './support/knownDifferences.ts';
import { type Sides, startSides } from './support/sides.ts';
import { type Area, areas, securedAreas } from './scenarios/index.ts';

const slugOf = (area: string, index: number) =>
  `${area.toLowerCase().replaceAll(/\W+/g, '-')}-${index}`;

function compareAll(kind: 'open' | 'secured', compared: readonly Area[], findings: Findings): void {
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
}

describe('compared with Kafka, field by field', function () {
  this.timeout(120_000);
  const findings = new Findings();

  describe('where everybody may do everything', () => compareAll('open', areas, findings));
  describe('where ACLs decide', () => compareAll('secured', securedAreas, findings));

  describe('docs/differential.md', () => {
    it('[A3] has counted what was alike, and every known difference is still one (embedded) (Kafka 4.4)', async () => {
      const { page, text } = differentialPage(findings.ledger);
      console.log(text);
      const stale = knownDifferences.filter((known) => !findings.used.has(known));
      assert.deepEqual(
        stale.map(({ reason }) => reason),
        [],
      );
      await checkPage('differential.md', page);
    });
  });
});
