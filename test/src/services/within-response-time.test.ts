import { expect } from 'chai';
import { MongoNetworkError } from 'mongodb';
import { InvalidInputError, UnavailableError } from '#src/domain/errors.js';
import { withinResponseTime } from '#src/services/within-response-time.js';

const failWith = (error: Error) =>
  withinResponseTime(1000, () => Promise.reject(error)).then(
    () => expect.fail('it did not fail'),
    (failure: unknown) => failure,
  );

describe('withinResponseTime', () => {
  it('reports an unavailable database for errors of the driver and of its sockets', async () => {
    const reset = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET', syscall: 'write' });
    for (const error of [new MongoNetworkError('gone'), reset]) {
      const failure = await failWith(error);
      expect(failure).to.be.instanceOf(UnavailableError);
      expect((failure as Error).cause).to.equal(error);
    }
  });

  it('passes on other errors', async () => {
    for (const error of [new InvalidInputError('no'), new TypeError('a bug')])
      expect(await failWith(error)).to.equal(error);
  });
});
