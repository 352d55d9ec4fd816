import { expect } from 'chai';
import type { Check } from '#src/domain/check.js';
import type { Readiness } from '#src/services/instance/check-readiness.js';
import { createInstanceHealth, type InstanceHealthDeps } from '#src/services/instance/health.js';

const READY: Readiness = {
  status: 'ready',
  draining: false,
  dependencies: { mongodb: { status: 'up' }, temporal: { status: 'up' } },
};
const ok = (name: string): Check => ({ level: 'ok', name, message: 'fine' });

const health = (some: Partial<InstanceHealthDeps> = {}) =>
  createInstanceHealth({
    checkReadiness: async () => READY,
    pending: { count: async () => ({ pending: 3 }) },
    readReports: async () => [],
    checkOpenDatabase: async () => [ok('MongoDB')],
    checkOpenTemporal: async () => [ok('Temporal')],
    checkPools: async () => [ok('Pools')],
    ...some,
  })();

const unavailable = async () => {
  throw new Error('no answer');
};

describe('health of the instance', () => {
  it('contains the results of all reads', async () => {
    expect(await health()).to.deep.equal({
      dependencies: READY.dependencies,
      checks: [ok('MongoDB'), ok('Temporal'), ok('Pools')],
      pendingStarts: { pending: 3 },
      maintenance: [],
    });
  });

  it('omits values that could not be read', async () => {
    const found = await health({
      pending: { count: unavailable },
      readReports: unavailable,
      checkOpenDatabase: unavailable,
    });
    expect(found.pendingStarts).to.equal(undefined);
    expect(found.maintenance).to.equal(undefined);
    expect(found.checks).to.deep.equal([ok('Temporal'), ok('Pools')]);
  });

  it('does not wait for reads that never complete', async () => {
    const started = performance.now();
    const found = await health({ checkOpenTemporal: () => new Promise<never>(() => {}) });
    expect(found.checks).to.deep.equal([ok('MongoDB'), ok('Pools')]);
    expect(performance.now() - started).to.be.within(3000, 4500);
  });
});
