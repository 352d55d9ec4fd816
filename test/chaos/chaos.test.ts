import { runChaos } from './chaos.js';
import { reportOf, writeEvidence } from './report.js';

/** Kills Temporal, a worker during a test, MongoDB, and a server after its insert; cuts a link; deploys the servers. */
const OPTIONS = { seed: 24386, faults: 6, minutes: 0.5 };

describe('chaos', () => {
  it('the faults of a fixed seed lose, duplicate or reverse nothing', async () => {
    const events: string[] = [];
    const outcome = await runChaos(OPTIONS, (line) => events.push(line));
    if (outcome.violations.length === 0) return;
    writeEvidence(outcome);
    throw new Error([...events, reportOf(OPTIONS, outcome)].join('\n'));
  }).timeout(420_000);
});
