import { runChaos } from './chaos.js';
import { reportOf, writeEvidence } from './report.js';

/** Temporal, a worker in a test, MongoDB and a server after its insert are killed, a link is cut, the servers deployed. */
const OPTIONS = { seed: 24386, faults: 6, minutes: 0.5 };

describe('chaos', () => {
  it('nothing is lost, doubled or turned round by the faults of a fixed seed', async () => {
    const events: string[] = [];
    const outcome = await runChaos(OPTIONS, (line) => events.push(line));
    if (outcome.violations.length === 0) return;
    writeEvidence(outcome);
    throw new Error([...events, reportOf(OPTIONS, outcome)].join('\n'));
  }).timeout(420_000);
});
