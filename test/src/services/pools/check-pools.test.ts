import { expect } from 'chai';
import { checkPools } from '#src/services/pools/check-pools.js';
import type { PoolState } from '#src/services/pools/pool-states.js';

const OK = [{ level: 'ok', name: 'Pools', message: 'workers with free slots take waiting tests' }];

describe('check of pools', () => {
  const queue = (oldestMs: number) => ({ pollers: [], backlog: 1, oldestMs });
  const stalled: PoolState = { pool: 'gpu', runners: 2, slots: 8, queue: queue(90_000) };
  const check = (pools: PoolState[], running = 1) =>
    checkPools({ poolStates: async () => pools, queues: { countRunning: async () => running } });

  it('warns about a pool whose workers have free slots and leave a test waiting', async () => {
    const [found, ...others] = await check([{ ...stalled, pool: 'default', queue: queue(0) }, stalled]);
    expect(others).to.deep.equal([]);
    expect(found).to.include({
      level: 'warn',
      name: 'Pool gpu',
      message: 'a test has been waiting for 90 s, although its 2 workers use only 1 of 8 slots',
    });
    expect(found!.remedy).to.match(/RUNHOOK_TARGET_MEMORY.*RUNHOOK_BUILD_ID.*restart/);
  });

  it('accepts a wait of less than a minute, for a slot, and for a worker', async () => {
    expect(await check([{ ...stalled, queue: queue(59_000) }])).to.deep.equal(OK);
    expect(await check([stalled], 8)).to.deep.equal(OK);
    expect(await check([{ ...stalled, runners: 0, slots: 0 }], 0)).to.deep.equal(OK);
  });

  it('finds nothing while Temporal is unavailable', async () => {
    expect(await check([{ ...stalled, queue: undefined }])).to.deep.equal([]);
  });
});
