import { expect } from 'chai';
import { evidence } from '#test/builders/chaos-evidence.js';
import { checkInvariants } from './invariants/index.js';
import { reportOf } from './report.js';

const OPTIONS = { seed: 7, faults: 1, minutes: 1 };
const outcomeOf = (all = evidence()) => ({
  violations: checkInvariants(all),
  evidence: all,
  settledMs: 1234,
  folder: '/tmp/of-this-run',
});

describe('reportOf', () => {
  it('shows the faults and the load of a run without violations', () => {
    const report = reportOf(OPTIONS, outcomeOf());
    expect(report).to.contain('kill-server server-2').and.to.contain('No violation');
    expect(report).to.match(/7 calls, 14 POSTs, 7 × 200, 7 × 503, 0 lost/);
    expect(report).to.not.contain('/tmp/of-this-run');
  });

  it('shows the evidence of a violation, and how to reproduce it', () => {
    const all = evidence();
    const flaky = all.runs.find(({ targetName }) => targetName === 'Flaky')!;
    flaky.status = 'error';
    const report = reportOf(OPTIONS, outcomeOf(all));
    expect(report).to.contain('a fault changes no verdict: Flaky: error instead of passed');
    expect(report)
      .to.contain(`run       ${flaky._id}`)
      .and.to.match(/seen {6}queued .* → passed/);
    expect(report)
      .to.match(/workflow {2}COMPLETED/)
      .and.to.match(/answered {2}200 by server-1/);
    expect(report).to.contain('/tmp/of-this-run').and.to.contain('--seed 7 --faults 1 --minutes 1');
  });
});
