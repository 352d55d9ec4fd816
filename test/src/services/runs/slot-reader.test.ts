import { expect } from 'chai';
import type { Slot } from '#src/db/suite-runs/suite-slots.js';
import { createSlotReader } from '#src/services/runs/slot-reader.js';

describe('createSlotReader', () => {
  const slot: Slot = { name: 'Login', status: 'running', startedAt: new Date() };

  it('reads once for concurrent calls', async () => {
    let reads = 0;
    const slotsOf = createSlotReader(async () => (reads++, [slot]));
    await Promise.all([slotsOf({ _id: 'a', status: 'running' }), slotsOf({ _id: 'a', status: 'running' })]);
    expect(await slotsOf({ _id: 'a', status: 'running' })).to.deep.equal([slot]);
    expect(reads).to.equal(1);
    await slotsOf({ _id: 'b', status: 'running' });
    expect(reads).to.equal(2);
  });

  it('reads again when the suite run has ended', async () => {
    let reads = 0;
    const slotsOf = createSlotReader(async () => (reads++, [slot]));
    await slotsOf({ _id: 'a', status: 'running' });
    await slotsOf({ _id: 'a', status: 'passed' });
    expect(reads).to.equal(2);
  });

  it('reads again after a failure', async () => {
    let reads = 0;
    const slotsOf = createSlotReader(async () => {
      if (reads++ === 0) throw new Error('away');
      return [slot];
    });
    const first: unknown = await slotsOf({ _id: 'a', status: 'running' }).catch((error: unknown) => error);
    expect(first).to.be.an('error');
    expect(await slotsOf({ _id: 'a', status: 'running' })).to.deep.equal([slot]);
  });
});
