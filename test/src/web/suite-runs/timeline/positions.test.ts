import { expect } from 'chai';
import { POSITIONS, readPositions, writePositions } from '#src/web/suite-runs/timeline/positions.js';

describe('positions in a URL', () => {
  it('are compact when consecutive, and parsed again', () => {
    const positions = [...Array(100).keys(), 120, 400, 401];
    const text = writePositions(positions);
    expect(text).to.equal('0-99,120,400-401').and.to.match(POSITIONS);
    expect(readPositions(text, 200)).to.deep.equal(positions);
  });

  it('are limited in number', () => {
    expect(readPositions('0-999999,5', 3)).to.deep.equal([0, 1, 2]);
  });

  it('are rejected in any other form', () => {
    for (const text of ['', 'a', '1-', '-1', '1,,2', '1-2-3', '1234567']) expect(text).not.to.match(POSITIONS);
  });
});
