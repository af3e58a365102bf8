// What Kafka 4.4 answers, and leaves in its logs, is what we have to answer and leave: field by field.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { checkPage } from '../support/generatedPage.ts';
import { differentialPage } from './support/page.ts';
import { Comparison } from './support/comparison.ts';
import { knownDifferences } from './support/knownDifferences.ts';
import { type Sides, startSides } from './support/sides.ts';
import { areas } from './scenarios/index.ts';

const slugOf = (area: string, index: number) =>
  `${area.toLowerCase().replaceAll(/\W+/g, '-')}-${index}`;

describe('compared with Kafka, field by field', function () {
  this.timeout(120_000);
  let sides: Sides;
  let comparison: Comparison;

  before(async () => {
    sides = await startSides();
    comparison = new Comparison(sides);
  });
  after(() => Promise.all([sides.ours.stop(), sides.kafka.stop()]));

  for (const { area, rows, scenarios } of areas)
    describe(area, () => {
      for (const [index, [title, scenario]] of Object.entries(scenarios).entries())
        it(`${rows} ${title} (embedded) (Kafka 4.4)`, () =>
          comparison.compare(slugOf(area, index), scenario));
    });

  describe('docs/differential.md', () => {
    it('[A3] has counted what was alike, and every known difference is still one (embedded) (Kafka 4.4)', async () => {
      const { page, text } = differentialPage(comparison.ledger);
      console.log(text);
      const stale = knownDifferences.filter((known) => !comparison.used.has(known));
      assert.deepEqual(
        stale.map(({ reason }) => reason),
        [],
      );
      await checkPage('differential.md', page);
    });
  });
});
