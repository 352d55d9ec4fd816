import { expect } from 'chai';
import { chaosOptions } from './command-line.js';
import { repeatCommand } from './report.js';

describe('chaosOptions', () => {
  it('parses the options, and what repeatCommand prints', () => {
    const options = { seed: 7, faults: 3, minutes: 0.5 };
    expect(chaosOptions(['--seed', '7', '--faults', '3', '--minutes', '0.5'])).to.deep.equal(options);
    expect(chaosOptions(repeatCommand(options).split(' -- ')[1]!.split(' '))).to.deep.equal(options);
  });

  it('has defaults, with 12 s per fault and a random seed', () => {
    expect(chaosOptions(['--faults', '5'])).to.deep.include({ faults: 5, minutes: 1 });
    expect(chaosOptions([])).to.deep.include({ faults: 10, minutes: 2 });
    const seeds = new Set(Array.from({ length: 5 }, () => (chaosOptions([]) as { seed: number }).seed));
    expect(seeds.size).to.be.greaterThan(1);
  });

  it('reports invalid options', () => {
    expect(chaosOptions(['--seed', 'x'])).to.contain('--seed');
    expect(chaosOptions(['--faults', '0'])).to.contain('--faults');
    expect(chaosOptions(['--minutes', '-1'])).to.contain('--minutes');
    expect(chaosOptions(['--sede', '1'])).to.contain('--sede');
  });
});
