import { type ApiName, apis } from '../../../src/protocol/apis.ts';
import { parseVersions } from '../../../src/protocol/versions.ts';
import { authorizationErrors } from './authorizationErrors.ts';
import { knownDifferences, listOf } from './knownDifferences.ts';
import type { Findings } from './findings.ts';
import { javaSection } from './javaSection.ts';
import type { Ledger } from './ledger.ts';
import { meantUncompared } from './meantUncompared.ts';
import { ownBounds } from './ownBounds.ts';
import { reachableErrors } from './reachableErrors.ts';
import { versionClass } from './versionClasses.ts';

/** `docs/differential.md`, and the same in short for who runs the tests. */
export function differentialPage(findings: Findings): { page: string; text: string } {
  const { ledger } = findings;
  const names = Object.keys(apis) as ApiName[];
  const rows = names.map((name) => rowOf(name, ledger));
  const table = rows.map(
    ({ name, forms, errors, missing }) =>
      `| ${title(name)} | ${forms} | ${errors.join(', ') || '-'} | ${missing.join(', ') || '-'} |`,
  );
  const text = rows
    .map(
      ({ name, forms, errors, missing }) =>
        `${name} ${forms}: ${errors.join(' ')} / not: ${missing.join(' ')}`,
    )
    .join('\n');
  const count = `${ledger.size} pairs of an API and an outcome were compared and equal`;
  const java = javaSection(findings.javaLedger);
  const page = `${pageOf(count, table)}\n${java.page}`;
  return { page, text: [text, count, java.text].join('\n') };
}

function rowOf(name: ApiName, ledger: Ledger) {
  const errors = ledger.errors(name);
  const reachable = [...(reachableErrors[name] ?? []), ...authorizationErrors(name)];
  const missing = reachable.filter((error) => !errors.includes(error));
  const all = allForms(name);
  return { name, errors, missing, forms: `${ledger.forms(name).length} of ${all}` };
}

/** Versions that Kafka knows the form of, and does not serve by itself. [unstable.api.versions.enable] */
const served: Partial<Record<ApiName, { readonly max: number }>> = { initProducerId: { max: 5 } };

/** How many different forms the versions of an API have that Kafka serves. */
function allForms(name: ApiName): number {
  const { min, max } = { ...parseVersions(apis[name].request.versions), ...served[name] };
  const versions = Array.from({ length: max - min + 1 }, (_, i) => min + i);
  return new Set(versions.map((version) => versionClass(name, version))).size;
}

const listing = (rows: readonly string[]): string => rows.map((each) => `- ${each}`).join('\n');

const title = (name: ApiName) => apis[name].request.name.replace(/Request$/, '');

function pageOf(count: string, table: readonly string[]): string {
  const listed = (kind: 'meant' | 'open') =>
    listOf(knownDifferences, kind, (api) => (api === 'any' ? 'Any API' : title(api)));
  return `# Compared with Kafka

Written by \`test/differential\`, which fails if it finds anything else. Each scenario there runs against our broker
and against one real Kafka 4.4 with the same settings, and those about ACLs against a second one that has an authorizer;
every field of every answer, and every batch in the logs, is compared after ids, times, ports and folders have been
given common names.

**${count}.** An outcome is an error, or an answer without one in a form of its own: versions whose messages
have the same fields count once.

| API | Forms answered without error | Errors | Errors not reached |
| --- | --- | --- | --- |
${table.join('\n')}

\`closed\` means that the broker closes the connection, or stays silent for ten seconds, instead of answering.

The words of an \`errorMessage\` are our own; compared is whether there are any.

## Differences that are meant

${listed('meant')}

Meant as well, and without a scenario:

${listing(meantUncompared)}

Bounds that Kafka does not have, or leaves to Java's heap and the operating system. No client that means well comes to
them; they keep one that does not from taking the broker's memory or time:

${listing(ownBounds)}

## Differences that are still to be mended

${listed('open')}
`;
}
