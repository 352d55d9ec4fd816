import { expect } from 'chai';
import { createStartWindow } from '#src/services/trigger/start-window.js';

describe('start window', () => {
  let now = 0;
  const windowOf = (most: number) => {
    now = 0;
    return createStartWindow(most, () => now);
  };

  it('is halved by an overload, down to one start', () => {
    const window = windowOf(24);
    const sizes = Array.from({ length: 6 }, () => {
      window.overloaded(++now);
      return window.size();
    });
    expect(sizes).to.deep.equal([12, 6, 3, 1, 1, 1]);
  });

  it('is halved once per round of starts', () => {
    const window = windowOf(24);
    now = 10;
    const lowered = [1, 2, 3].map((beganAt) => window.overloaded(beganAt));
    expect([lowered, window.size()]).to.deep.equal([[true, false, false], 12]);
  });

  it('grows by one with each round of successes, up to what is configured', () => {
    const window = windowOf(8);
    window.overloaded(++now);
    const sizes = Array.from({ length: 5 }, () => {
      for (let success = window.size() + 1; success > 0; success--) window.succeeded();
      return window.size();
    });
    expect(sizes).to.deep.equal([5, 6, 7, 8, 8]);
  });

  it('pauses after an overload, longer each time and for 5 s at most, until a start succeeds', () => {
    const window = windowOf(8);
    expect(window.pauseMs()).to.equal(0);
    const pauses = Array.from({ length: 12 }, () => {
      now += 10_000;
      window.overloaded(now);
      return window.pauseMs();
    });
    expect(pauses[0]).to.be.within(50, 100);
    expect(pauses[5]).to.be.within(1600, 3200);
    expect(pauses[11]).to.be.within(2500, 5000);
    window.succeeded();
    now += 10_000;
    window.overloaded(now);
    expect(window.pauseMs()).to.be.within(50, 100);
    now += 100;
    expect(window.pauseMs()).to.equal(0);
  });
});
