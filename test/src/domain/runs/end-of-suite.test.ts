import { expect } from 'chai';
import { endOfSuite } from '#src/domain/runs/end-of-suite.js';
import { statusCounts } from '#src/domain/runs/run-status.js';

describe('end of a suite', () => {
  it('reports why a suite without tests is an error', () => {
    expect(endOfSuite(statusCounts(), false)).to.include({ status: 'error', errorCode: 'SUITE_EMPTY' });
    expect(endOfSuite(statusCounts(), true)).to.deep.equal({ status: 'stopped' });
  });

  it('follows from its tests otherwise', () => {
    expect(endOfSuite(statusCounts({ passed: 1 }), false)).to.deep.equal({ status: 'passed' });
    expect(endOfSuite(statusCounts({ error: 1 }), false)).to.deep.equal({ status: 'error' });
  });
});
