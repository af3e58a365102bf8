#!/usr/bin/env node
/** The `kafka-workbench` command. Checks the Node it runs on before it loads anything that needs a new one. */
import { oldNodeProblem } from './cli/nodeVersion.ts';

const problem = oldNodeProblem(process.versions.node);
if (problem === undefined) {
  void import('./cli/main.ts').then(({ main }) => main(process.argv.slice(2)));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
