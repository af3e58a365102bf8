// npm test [-- STAGE ...]: what every change has to pass, in 35 minutes or so. The limits are for what hangs, on a
// machine half as fast.
import { runStages, script, suite } from './support/stages.mjs';

/** JVMs, browsers and other people's clients take part. */
const outside = { needs: ['build'], repeatable: true };

await runStages(
  [
    script('check', 16, '.ci/check.mjs'),
    script('build', 4, '.ci/package.mjs'),
    suite('unit', 8, 'test/unit/**/*.test.ts', { shown: 'Dot' }),
    suite('wire', 15, 'test/wire/**/*.test.ts', outside),
    suite('differential', 12, 'test/differential/**/*.test.ts', { shown: 'Dot' }),
    suite('interop', 18, 'test/interop/**/*.test.ts', outside),
    suite('scenarios', 15, 'test/scenarios/**/*.test.ts', outside),
    suite('panels', 15, 'test/panels/**/*.test.ts', outside),
    suite('vscode', 40, 'test/vscode/**/*.test.ts', outside),
  ],
  process.argv.slice(2),
);
