// What Java's client sees where transactions are of version 1: epochs stay, and partitions are added by themselves.
import { after, before, describe, it } from 'mocha';
import { Findings } from './support/findings.ts';
import { compareInJava } from './support/javaComparison.ts';
import { javaAreas } from './support/javaScenarios.ts';
import { JavaSide } from './support/javaSide.ts';
import { type Sides, startSides } from './support/sides.ts';

const compared = javaAreas().filter(({ area }) => area === 'transactions');
const names = compared.flatMap(({ scenarios }) => scenarios.map(({ name }) => name));

describe("transactions of version 1 through Java's client, compared with Kafka", function () {
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

  for (const { rows, scenarios } of compared)
    for (const { name, title } of scenarios)
      it(`${rows} ${title} (embedded) (Kafka 4.4)`, () => compareInJava(java, name, findings));
});
