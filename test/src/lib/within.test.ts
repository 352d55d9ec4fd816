import { expect } from 'chai';
import { within } from '#src/lib/within.js';

describe('within', () => {
  it('returns the result, or throws the error of the work', async () => {
    expect(await within(1000, 'The write', Promise.resolve('done'))).to.equal('done');
    const refused = within(1000, 'The write', Promise.reject(new Error('refused')));
    expect(await refused.catch((error: Error) => error.message)).to.equal('refused');
  });

  it('reports what took too long, and ignores a later result', async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<never>((_, reject) => (fail = reject));
    const error = await within(20, 'The write', work).catch((thrown: Error) => thrown);
    expect(error).to.include({ name: 'TimeoutError', message: 'The write took longer than 0.02 s' });
    fail(new Error('too late to be unhandled'));
  });
});
