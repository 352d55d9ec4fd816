import { expect } from 'chai';
import { POSITIONS, readPositions, writePositions } from '#src/web/suite-runs/timeline/positions.js';

describe('positions in an address', () => {
  it('are short where they follow each other, and read again', () => {
    const positions = [...Array(100).keys(), 120, 400, 401];
    const text = writePositions(positions);
    expect(text).to.equal('0-99,120,400-401').and.to.match(POSITIONS);
    expect(readPositions(text, 200)).to.deep.equal(positions);
  });

  it('are no more than asked for', () => {
    expect(readPositions('0-999999,5', 3)).to.deep.equal([0, 1, 2]);
  });

  it('are nothing else', () => {
    for (const text of ['', 'a', '1-', '-1', '1,,2', '1-2-3', '1234567']) expect(text).not.to.match(POSITIONS);
  });
});
