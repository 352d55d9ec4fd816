/* `npm run chaos -- --seed N --faults M [--minutes T]`: exits with 1 on a violation. */
import { chaosOptions, USAGE } from './command-line.js';
import { runChaos } from './chaos.js';
import { repeatCommand, reportOf, writeEvidence } from './report.js';

const options = chaosOptions(process.argv.slice(2));
if (typeof options === 'string') {
  console.error(`${options}\n\n${USAGE}`);
  process.exit(2);
}
console.log(repeatCommand(options));
const outcome = await runChaos(options, (line) => console.log(line));
console.log(`\n${reportOf(options, outcome)}`);
if (outcome.violations.length > 0) writeEvidence(outcome);
process.exit(outcome.violations.length > 0 ? 1 : 0);
