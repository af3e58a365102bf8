import { javaDifferences } from './javaDifferences.ts';
import { javaAreas } from './javaScenarios.ts';
import type { JavaLedger } from './javaLedger.ts';
import { listOf } from './knownDifferences.ts';

/** The part of `docs/differential.md` about Java's client, and the same in short. */
export function javaSection(ledger: JavaLedger): { page: string; text: string } {
  const rows = ledger.compared.map((method) => [method, ledger.of(method).join(', ')] as const);
  const missing = ledger.methods.filter((method) => ledger.of(method).length === 0);
  const scenarios = javaAreas().flatMap((area) => area.scenarios).length;
  const count = `${ledger.size} pairs of a method and an outcome, in ${scenarios} scenarios, were compared and equal`;
  const listed = (kind: 'meant' | 'open') =>
    listOf(javaDifferences, kind, (method) => (method === 'any' ? 'Any method' : method));
  const page = `## Through Java's client

The scenarios under \`test/differential/java\` are run by Java's own \`Admin\`, producers and consumers of Kafka 4.4. All
that an application can see is compared: every field of every result, classes and messages of exceptions, records
and the order of callbacks; and then every batch in the logs. Those of transactions are run once more where
transactions are of version 1 (KIP-890).

**${count}.** An outcome is the class of an exception, or an answer without one.

| What the application did | Outcomes |
| --- | --- |
${rows.map(([method, outcomes]) => `| ${method} | ${outcomes} |`).join('\n')}

Methods that no scenario calls: ${missing.join(', ') || 'none'}.

Differences that are meant:

${listed('meant')}

Differences that are still to be mended:

${listed('open')}
`;
  const text = rows.map(([method, outcomes]) => `${method}: ${outcomes}`).join('\n');
  return { page, text: `${text}\n${count}\nnot called: ${missing.join(' ')}` };
}
