// npm test [-- STAGE ...]: what every change has to pass, in half an hour or so. The limits are for what hangs, on a
// machine half as fast.
import { runStages, script, suite } from './support/stages.mjs';

/** JVMs, browsers and other people's clients take part, and are waited for. */
const outside = { needs: ['build'], repeatable: true };
const first = { ...outside, lane: 'first' };
const second = { ...outside, lane: 'second' };

await runStages(
  [
    script('check', 16, '.ci/check.mjs'),
    script('build', 4, '.ci/package.mjs'),
    suite('unit', 8, 'test/unit/**/*.test.ts', { shown: 'Dot' }),
    suite('vscode', 50, 'test/vscode/**/*.test.ts', first),
    suite('wire', 20, 'test/wire/**/*.test.ts', second),
    suite('differential', 15, 'test/differential/**/*.test.ts', { shown: 'Dot', lane: 'second' }),
    suite('interop', 25, 'test/interop/**/*.test.ts', second),
    suite('scenarios', 20, 'test/scenarios/**/*.test.ts', second),
    suite('panels', 20, 'test/panels/**/*.test.ts', second),
  ],
  process.argv.slice(2),
);
