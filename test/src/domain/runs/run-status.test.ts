import { expect } from 'chai';
import { isTerminal, RUN_STATUSES, statusCounts, suiteStatus } from '#src/domain/runs/run-status.js';

describe('run status', () => {
  it('is terminal or not', () => {
    const open = RUN_STATUSES.filter((status) => !isTerminal(status));
    expect(open).to.deep.equal(['queued', 'running', 'auto_retrying']);
  });

  it('counts every status, from zero', () => {
    expect(Object.keys(statusCounts())).to.have.members([...RUN_STATUSES]);
    expect(statusCounts({ passed: 2 })).to.include({ passed: 2, failed: 0 });
  });

  for (const [counts, wasStopped, verdict] of [
    [{ passed: 3 }, false, 'passed'],
    [{}, false, 'error'],
    [{}, true, 'stopped'],
    [{ skipped: 2 }, false, 'error'],
    [{ passed: 1, skipped: 2 }, false, 'passed'],
    [{ passed: 1, failed: 1, error: 1, stopped: 1 }, true, 'failed'],
    [{ passed: 1, error: 1, stopped: 1 }, true, 'error'],
    [{ passed: 1, stopped: 1 }, false, 'stopped'],
    [{ passed: 1, skipped: 1 }, true, 'stopped'],
  ] as const)
    it(`is ${verdict} for ${JSON.stringify(counts)}${wasStopped ? ', stopped' : ''}`, () => {
      expect(suiteStatus(statusCounts(counts), wasStopped)).to.equal(verdict);
    });
});
