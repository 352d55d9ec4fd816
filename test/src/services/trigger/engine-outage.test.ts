import { expect } from 'chai';
import { createEngineOutage } from '#src/services/trigger/engine-outage.js';

describe('engine outage', () => {
  let now = 0;
  const outageWatch = () => {
    now = 0;
    return createEngineOutage(() => now);
  };

  it('begins with the third failure in a row, and ends with a success', () => {
    const outage = outageWatch();
    expect(['a', 'b', 'c', 'd'].map((run) => outage.failed(run, ++now))).to.deep.equal([false, false, true, false]);
    expect(outage.since()).to.be.a('date');
    outage.succeeded();
    expect(outage.since()).to.equal(undefined);
    expect(outage.failed('a', ++now)).to.equal(false);
  });

  it('counts concurrent failed starts as one failure', () => {
    const outage = outageWatch();
    now = 10;
    expect([1, 2, 3, 4, 5].map((beganAt) => outage.failed(`run ${beganAt}`, beganAt))).to.not.include(true);
  });

  it('does not begin with failures of a single run', () => {
    const outage = outageWatch();
    for (let time = 0; time < 10; time++) expect(outage.failed('a', ++now)).to.equal(false);
    expect(outage.failed('b', ++now)).to.equal(true);
  });

  it('does not begin while starts succeed', () => {
    const outage = outageWatch();
    for (let time = 0; time < 10; time++) {
      expect(outage.failed(`run ${time}`, ++now)).to.equal(false);
      expect(outage.caution()).to.equal(2);
      outage.succeeded();
      expect(outage.caution()).to.equal(1);
    }
  });
});
