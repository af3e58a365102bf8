// npm test [-- STAGE ...]: what every change has to pass, in 25 minutes at most.
import { runStages, script, suite } from './support/stages.mjs';

await runStages(
  [
    script('check', 5, '.ci/check.mjs'),
    script('build', 2, '.ci/package.mjs'),
    suite('unit', 5, 'test/unit/**/*.test.ts', { shown: 'Dot' }),
    suite('wire', 9, 'test/wire/**/*.test.ts', { needs: ['build'] }),
    suite('differential', 6, 'test/differential/**/*.test.ts', { shown: 'Dot' }),
    suite('interop', 8, 'test/interop/**/*.test.ts', { needs: ['build'] }),
    suite('scenarios', 5, 'test/scenarios/**/*.test.ts', { needs: ['build'] }),
    suite('panels', 5, 'test/panels/**/*.test.ts', { needs: ['build'] }),
    suite('vscode', 10, 'test/vscode/**/*.test.ts', { needs: ['build'] }),
  ],
  process.argv.slice(2),
);
