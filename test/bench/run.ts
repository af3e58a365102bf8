// npm run bench [-- PART ...] [-- --runs N]: figures beside those of Apache Kafka in the same run. Quiet machine,
// please.
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KAFKA_VERSION } from '../support/kafka/home.ts';
import { tell } from './measure.ts';
import type { Figure, Pairs } from './measure.ts';
import { coldStart } from './parts/coldStart.ts';
import { extension } from './parts/extension.ts';
import { panel } from './parts/panel.ts';
import { tail } from './parts/tail.ts';
import { tree } from './parts/tree.ts';
import { throughput } from './parts/throughput.ts';

const PARTS: Readonly<Record<string, (runs: number) => Promise<readonly (Figure | Pairs)[]>>> = {
  coldStart,
  throughput,
  extension,
  tail,
  panel,
  tree,
};

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const unknown = positionals.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}

const cpus = os.cpus();
console.log(
  `Node ${process.version}, Apache Kafka ${KAFKA_VERSION}, ${cpus.length} x ${cpus[0]?.model ?? '?'}, load ${os.loadavg()[0]?.toFixed(1)}`,
);
const figures: (Figure | Pairs)[] = [];
for (const [name, part] of Object.entries(PARTS)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  console.log(`\n== ${name}`);
  for (const figure of await part(Number(values.runs))) {
    figures.push(figure);
    console.log(tell(figure));
  }
}
const out = path.join(import.meta.dirname, '../../out');
mkdirSync(out, { recursive: true });
writeFileSync(path.join(out, 'bench.json'), JSON.stringify(figures, null, 2));
process.exit(0);
