import { expect } from 'chai';
import { axisFor } from '#src/web/suite-runs/timeline/axis.js';

describe('axisFor', () => {
  it('covers the whole time in round steps', () => {
    expect(axisFor(83_000)).to.deep.equal({ ms: 90_000, labels: ['0', '30 s', '1 min', '1 min 30 s'] });
    expect(axisFor(17 * 60_000).labels).to.deep.equal(['0', '5 min', '10 min', '15 min', '20 min']);
  });

  it('supports any duration, in few steps', () => {
    for (const ms of [0, 1, 999, 61_000, 3_600_001, 40 * 86_400_000]) {
      const axis = axisFor(ms);
      expect(axis.ms, String(ms)).to.be.at.least(Math.max(1, ms));
      expect(axis.labels.length, String(ms)).to.be.within(2, 6);
      expect(new Set(axis.labels).size, String(ms)).to.equal(axis.labels.length);
    }
  });
});
