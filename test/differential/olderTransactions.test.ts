// Where transactions are of version 1: epochs stay, and partitions are added by themselves.
import { after, before, describe, it } from 'mocha';
import { olderTransactionScenarios } from './scenarios/olderTransactions.ts';
import { Comparison } from './support/comparison.ts';
import { Findings } from './support/findings.ts';
import { compareInJava } from './support/javaComparison.ts';
import { javaAreas } from './support/javaScenarios.ts';
import { JavaSide } from './support/javaSide.ts';
import { type Sides, startSides } from './support/sides.ts';

const compared = javaAreas().filter(({ area }) => area === 'transactions');
const names = compared.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));

describe('transactions of version 1, compared with Kafka', function () {
  this.timeout(120_000);
  const findings = new Findings();
  let sides: Sides;
  let java: readonly JavaSide[] = [];

  before(async () => {
    sides = await startSides('olderTransactions');
    java = await Promise.all([sides.ours, sides.kafka].map((side) => JavaSide.start(side)));
    for (const side of java) side.begin(names);
  });
  after(async () => {
    await Promise.all(java.map((side) => side.stop()));
    await Promise.all([sides.ours.stop(), sides.kafka.stop()]);
  });

  for (const [index, [title, scenario]] of Object.entries(olderTransactionScenarios).entries())
    it(`[A3] [A6] ${title} (embedded) (Kafka 4.4)`, () =>
      new Comparison(sides, findings).compare(`older-transactions-${index}`, scenario));

  for (const { rows, scenarios } of compared)
    for (const { name, title } of scenarios)
      it(`${rows} ${title}, in Java (embedded) (Kafka 4.4)`, () =>
        compareInJava(java, name, findings));
});
