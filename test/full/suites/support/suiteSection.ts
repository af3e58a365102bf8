import type { Section } from './otherSuitesPage.ts';
import type { Outcome, Suite, SuiteRun } from './suite.ts';

/** What docs/other-suites.md says of a suite. What Kafka fails too is counted, and not listed. */
export function suiteSection(
  { name, version, description, exclusions, chance }: Suite,
  { kafka, ours }: { readonly kafka: SuiteRun; readonly ours: SuiteRun },
): Section {
  const both = [...kafka.outcomes].filter(
    ([test, outcome]) => outcome === 'failed' && ours.outcomes.get(test) === 'failed',
  );
  const rows = Object.entries(exclusions)
    .filter(([test]) => kafka.outcomes.get(test) === 'passed')
    .map(([test, why]) => `| ${named(test)} | ${why} |`);
  const left = Object.entries(chance).map(([test, why]) => `- ${named(test)}: ${why}`);
  return {
    title: name,
    text: `Version ${version}. ${description}

| | Kafka 4.4 | Embedded |
| --- | --- | --- |
| passed | ${count(kafka, 'passed')} | ${count(ours, 'passed')} |
| failed | ${count(kafka, 'failed')} | ${count(ours, 'failed')} |
| skipped by the suite | ${count(kafka, 'skipped')} | ${count(ours, 'skipped')} |

${both.length} fail on both${rows.length === 0 ? '; what passes on Kafka passes on our broker.' : '. What passes on Kafka alone:'}
${rows.length === 0 ? '' : `\n| Test | Why not |\n| --- | --- |\n${rows.join('\n')}\n`}
${left.length === 0 ? '' : `Left out, since chance decides on either broker:\n\n${left.join('\n')}\n`}`,
  };
}

/** A test's name as it is, whatever Markdown would make of it. */
const named = (test: string): string => `\`${test.replaceAll('|', '\\|')}\``;

const count = ({ outcomes }: SuiteRun, wanted: Outcome): number =>
  [...outcomes.values()].filter((outcome) => outcome === wanted).length;
