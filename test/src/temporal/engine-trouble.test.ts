import { ServiceError } from '@temporalio/client';
import { expect } from 'chai';
import { TemporalDeadlineError } from '#src/temporal/deadline.js';
import { engineTroubleOf } from '#src/temporal/engine-trouble.js';

describe('engine trouble', () => {
  const grpc = (code: number) => Object.assign(new Error('gRPC'), { code, details: '', metadata: {} });
  const failed = (code: number) => new ServiceError('the call failed', { cause: grpc(code) });

  it('is an overload only when Temporal reports one', () => {
    expect(engineTroubleOf(failed(8))).to.equal('overloaded');
    expect(engineTroubleOf(grpc(8))).to.equal('overloaded');
  });

  it('is a call without a proper response', () => {
    for (const code of [1, 4, 13, 14]) expect(engineTroubleOf(failed(code)), `code ${code}`).to.equal('unavailable');
    expect(engineTroubleOf(new TemporalDeadlineError('late'))).to.equal('unavailable');
  });

  it('is not a call that Temporal rejects', () => {
    for (const code of [3, 5, 7, 16]) expect(engineTroubleOf(failed(code)), `code ${code}`).to.equal(undefined);
    expect(engineTroubleOf(new Error('a bug'))).to.equal(undefined);
  });
});
