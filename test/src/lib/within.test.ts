import { expect } from 'chai';
import { within } from '#src/lib/within.js';

describe('within', () => {
  it('answers with the result, or what the work throws', async () => {
    expect(await within(1000, 'The write', Promise.resolve('done'))).to.equal('done');
    const refused = within(1000, 'The write', Promise.reject(new Error('refused')));
    expect(await refused.catch((error: Error) => error.message)).to.equal('refused');
  });

  it('says what took too long, and ignores what it comes to later', async () => {
    let fail = (_error: Error) => {};
    const work = new Promise<never>((_, reject) => (fail = reject));
    const error = await within(20, 'The write', work).catch((thrown: Error) => thrown);
    expect(error).to.include({ name: 'TimeoutError', message: 'The write took longer than 0.02 s' });
    fail(new Error('too late to be unhandled'));
  });
});
