// npm run rows: which tests prove each row of docs/rows.json, and what they ran against.
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const rows = JSON.parse(readFileSync(path.join(root, 'docs/rows.json'), 'utf8'));

/** Every test's full title and file, from Mocha itself: titles may be made in loops. Nothing is run. */
function allTests() {
  const folder = mkdtempSync(path.join(tmpdir(), 'rows-'));
  const results = path.join(folder, 'results.json');
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const reporter = path.join(root, 'test/support/reporter.cjs');
  const mocha = [
    path.join(root, 'node_modules/mocha/bin/mocha.js'),
    ...['--no-config', '--dry-run', '--exit', '--reporter', reporter],
    ...files,
  ];
  const env = {
    ...process.env,
    KAFKA_WORKBENCH_RESULTS: results,
    KAFKA_WORKBENCH_REPORTER: 'Base',
  };
  const { status, stderr } = spawnSync(process.execPath, mocha, { cwd: root, env });
  if (status !== 0) throw new Error(`the tests could not be listed\n${stderr}`);
  const { passed } = JSON.parse(readFileSync(results, 'utf8'));
  rmSync(folder, { recursive: true });
  return passed;
}

/** `(embedded)` and `(Kafka 4.4)` in the title; a test of the editor says so by its folder. */
function against({ title, file }) {
  const named = [...title.matchAll(/\((embedded|Kafka \d+\.\d+)\)/g)].map(([, name]) => name);
  const isInEditor = /^test[\\/]vscode[\\/]/.test(file);
  return isInEditor ? ['VS Code', ...named] : named;
}

const tests = allTests();
const idsOf = ({ title }) => [...title.matchAll(/\[([A-Z]\d+)\]/g)].map(([, id]) => id);
const wanted = process.argv.slice(2);
let proven = 0;
for (const [id, what] of Object.entries(rows)) {
  const proofs = tests.filter((test) => idsOf(test).includes(id));
  if (proofs.length > 0) proven++;
  if (wanted.length > 0 && !wanted.includes(id)) continue;
  const seen = [...new Set(proofs.flatMap(against))].sort().join(', ') || 'unit';
  console.log(`${id} ${what}: ${proofs.length === 0 ? 'no test' : `${proofs.length} (${seen})`}`);
  for (const { title, file } of proofs) console.log(`    ${title} — ${file}`);
}
const unknown = [...new Set(tests.flatMap(idsOf))].filter((id) => !(id in rows));
if (unknown.length > 0)
  console.log(`Rows in titles that docs/rows.json lacks: ${unknown.join(', ')}`);
console.log(`${proven} of ${Object.keys(rows).length} rows have a test`);
process.exit(unknown.length > 0 ? 1 : 0);
