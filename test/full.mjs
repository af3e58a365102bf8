// npm run test:full [-- PART ...]: what takes too long for every change. One folder of test/full/ is one part.
import { globSync } from 'node:fs';
import path from 'node:path';
import { runStages, script, suite } from './support/stages.mjs';

const parts = globSync('full/*/', { cwd: import.meta.dirname }).map((folder) =>
  path.basename(folder),
);
await runStages(
  [
    script('build', 2, '.ci/package.mjs'),
    ...parts
      .sort()
      // Other people's suites alone take most of an hour on two cores that do nothing else.
      .map((part) => suite(part, 120, `test/full/${part}/**/*.test.ts`, { needs: ['build'] })),
  ],
  process.argv.slice(2),
);
