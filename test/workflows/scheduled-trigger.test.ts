import { expect } from 'chai';
import type { WorkflowEnvironment } from './support/environment.js';
import { scheduleCases } from './support/schedule-cases.js';
import { sharedEnvironment } from './support/shared-environment.js';

describe('scheduledTrigger', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('uses the scheduled time, however late it runs', async () => {
    const { scheduleId, inputs, result } = await scheduleCases.fired(environment);
    expect(inputs).to.deep.equal([{ scheduleId, at: '2026-03-02T06:00:00.000Z' }]);
    expect(result).to.deep.equal({ runId: 'c0ffee00-1d2e-8f3a-9b4c-5d6e7f8091a2' });
  });

  it('retries failures with the same time', async () => {
    const { scheduleId, inputs } = await scheduleCases['delivered-again'](environment);
    const at = '2026-03-02T06:00:00.000Z';
    expect(inputs).to.deep.equal([
      { scheduleId, at },
      { scheduleId, at },
    ]);
  });
});
