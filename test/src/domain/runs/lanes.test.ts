import { expect } from 'chai';
import { lanesOf } from '#src/domain/runs/lanes.js';

describe('lanesOf', () => {
  const lanes = (...spans: [from: number, to: number][]) => lanesOf(spans.map(([from, to]) => ({ from, to })));

  it('reuses the first free lane', () => {
    expect(lanes([0, 10], [0, 4], [4, 8], [9, 12], [10, 11])).to.deep.equal({ lanes: [0, 1, 1, 1, 0], count: 2 });
  });

  it('keeps the order of its input', () => {
    expect(lanes([5, 9], [0, 6])).to.deep.equal({ lanes: [1, 0], count: 2 });
  });

  it('never puts overlapping spans into one lane', () => {
    const spans = Array.from({ length: 500 }, (_, index) => {
      const from = (index * 7919) % 1000;
      return { from, to: from + 1 + ((index * 31) % 90) };
    });
    const { lanes, count } = lanesOf(spans);
    for (let lane = 0; lane < count; lane++) {
      const own = spans.filter((_, index) => lanes[index] === lane).sort((a, b) => a.from - b.from);
      own.slice(1).forEach(({ from }, index) => expect(from).to.be.at.least(own[index]!.to));
    }
  });

  it('returns no lanes without spans', () => {
    expect(lanesOf([])).to.deep.equal({ lanes: [], count: 0 });
  });
});
