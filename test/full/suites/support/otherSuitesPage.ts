// docs/other-suites.md: a section for each suite, which the suite's own test writes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { checkPage } from '../../../support/generatedPage.ts';

export interface Section {
  readonly title: string;
  /** Markdown. */
  readonly text: string;
}

const NAME = 'other-suites.md';
const file = path.join(import.meta.dirname, '../../../../docs', NAME);

const head = `# Other people's suites

Run with \`npm run test:full -- suites\`, which fails if it finds anything else than this page says, and writes it with
\`KAFKA_WORKBENCH_REWRITE=1\`. Every suite is run from where its makers keep it, at one version, on Apache Kafka and on
our broker with the same settings: one broker, so that tests which need more fail on both.`;

/** Fails unless the page has this section as it is; with KAFKA_WORKBENCH_REWRITE set, rewrites it. */
export async function checkSection({ title, text }: Section): Promise<void> {
  const page = await readFile(file, 'utf8').catch(() => '');
  const kept = page
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section.trim()] as const);
  const sections = new Map([...kept, [title, `${title}\n\n${text}`] as const]);
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
  await checkPage(NAME, [head, ...sorted].join('\n\n## '));
}
