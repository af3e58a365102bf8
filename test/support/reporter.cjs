// One of Mocha's own outputs, and at the end a file that says what ran: a run that died leaves no file.
const { writeFileSync } = require('node:fs');
const path = require('node:path');
const { reporters, Runner } = require('mocha');

const { KAFKA_WORKBENCH_RESULTS: file, KAFKA_WORKBENCH_REPORTER: shown = 'Spec' } = process.env;
const { EVENT_RUN_END, EVENT_TEST_PASS, EVENT_TEST_FAIL } = Runner.constants;

module.exports = class FileReporter extends reporters[shown] {
  constructor(runner, options) {
    super(runner, options);
    const ran = { passed: [], failed: [] };
    const entry = (test) => ({
      title: test.fullTitle(),
      file: test.file && path.relative(process.cwd(), test.file),
    });
    runner.on(EVENT_TEST_PASS, (test) => ran.passed.push(entry(test)));
    runner.on(EVENT_TEST_FAIL, (test, error) =>
      ran.failed.push({ ...entry(test), message: String(error?.message ?? error) }),
    );
    runner.once(EVENT_RUN_END, () => {
      if (file) writeFileSync(file, JSON.stringify(ran));
      // A test that failed may have left a client open, which would hold the process until the stage is cut off.
      if (ran.failed.length > 0) setTimeout(() => process.exit(ran.failed.length), 5000).unref();
    });
  }
};
