// Mocha's spec reporter, which also writes its counts to the file named by the reporter option `counts`.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const { counts } = options.reporterOptions ?? {};
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures, pending } = this.stats;
      if (counts) writeFileSync(counts, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
