import { expect } from 'chai';
import { LIMIT_NAMES, limitsInForce, shownLimits, testLimits, whyExceeded } from '#src/domain/targets/test-limits.js';

describe('limits of a test', () => {
  it('must be whole numbers within bounds', () => {
    const problem = (limits: unknown) => testLimits.validate(limits).error?.message;
    expect(problem({ memoryMiB: 512, processes: 1, outputMiB: 1024, diskMiB: 1 })).to.equal(undefined);
    expect(problem({ memoryMiB: '512' })).to.equal(undefined);
    for (const name of LIMIT_NAMES) expect(problem({ [name]: 0 }), name).to.match(new RegExp(name));
    expect(problem({ cpu: 2 })).to.match(/is not a limit; the limits are memoryMiB, processes, outputMiB, diskMiB/);
    expect(problem('512')).to.match(/must be a map/);
  });

  it('are the lower ones of the test and its worker', () => {
    const inForce = limitsInForce({ memoryMiB: 512, processes: 900 }, { processes: 100, diskMiB: 64 });
    expect(inForce).to.deep.equal({ memoryMiB: 512, processes: 100, diskMiB: 64 });
    expect(shownLimits(inForce)).to.equal('memory 512 MiB, 100 processes, disk 64 MiB');
    expect(limitsInForce({}, {})).to.deep.equal({});
  });

  it('are reported with what was exceeded and which limit to raise', () => {
    expect(whyExceeded('memoryMiB', 512, false, 530)).to.equal(
      "The test used more than 512 MiB of memory (measured: 530) and was killed. Reduce its memory usage, or raise the test's limits.memoryMiB.",
    );
    expect(whyExceeded('outputMiB', 64, true)).to.match(/printed more than 64 MiB .*RUNHOOK_TEST_OUTPUT_MIB/);
  });
});
