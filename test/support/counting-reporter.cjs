// Mocha's spec reporter, which also writes its counts, and what failed, to the file named by the reporter option `counts`.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const { counts } = options.reporterOptions ?? {};
    const problems = [];
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      problems.push(`${test.fullTitle()}: ${String(error?.message ?? error)}`),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      const counted = { passed: passes, failed: failures, skipped: pending, problems };
      if (counts) writeFileSync(counts, JSON.stringify(counted));
    });
  }
};
