import { expect } from 'chai';
import { pino } from 'pino';
import { createServer } from '#src/server/server.js';
import { createInstanceServices } from '#src/services/instance/instance-services.js';
import { addToReport } from '#src/db/instance/maintenance.js';
import { aTestDefinition, aTestRun } from '#test/builders/run.js';
import { serverDeps } from '#test/builders/server-deps.js';
import { aPool, aWorker } from '#test/builders/worker.js';
import { createWorkerStore } from '#src/db/pools/worker-store.js';
import { settingsWorld } from '#test/src/web/settings/settings-world.js';

const BROWSER = { accept: 'text/html' };

describe('admin pages of health and workers', () => {
  // Temporal is not running.
  const world = settingsWorld();

  it('are restricted to admins', async () => {
    const { people } = await world.project();
    for (const tab of ['', '/health', '/workers', '/users', '/users/new', '/audit'])
      expect((await people.owner.get(`/admin${tab}`)).status, tab).to.equal(403);
    const admin = await world.somebody({ isAdmin: true });
    expect((await admin.get('/admin')).location).to.equal('/admin/health');
  });

  it('show that Temporal is unavailable, the remedy, and everything else', async () => {
    await addToReport(world.real.collections, 'reconcile', { pass: '1', counts: { endedRuns: 4 }, succeeded: true });
    const admin = await world.somebody({ isAdmin: true });
    const { status, html } = await admin.get('/admin/health');
    expect(status).to.equal(200);
    expect(html).to.include('Attention needed').and.to.include('Triggers are still accepted');
    expect(html).to.include('Indexes').and.to.include('Stored secrets').and.to.include('complete');
    expect(html).to.include('ended runs: 4').and.to.include('Every accepted run has been started');
  });

  it('show what is available when the database fails during the request', async () => {
    const unavailable = async () => {
      throw new Error('secret cause');
    };
    const down = { status: 'down' as const, message: 'MongoDB does not answer.' };
    const server = await createServer(
      { host: '127.0.0.1', port: 0 },
      serverDeps({
        log: pino({ level: 'silent' }),
        instance: createInstanceServices({
          checkReadiness: async () => ({
            status: 'not ready',
            draining: false,
            dependencies: { mongodb: down, temporal: { status: 'degraded', since: '2026-01-02T03:04:05.000Z' } },
          }),
          pending: { count: unavailable },
          readReports: unavailable,
          checkOpenDatabase: unavailable,
          checkOpenTemporal: unavailable,
          checkPools: unavailable,
          poolStates: unavailable,
          workers: { seen: unavailable },
          queues: { lengths: unavailable },
          describeWorkflowQueue: unavailable,
        }),
      }),
    );
    const { statusCode, payload } = await server.inject({ url: '/admin/health', headers: BROWSER });
    expect(statusCode).to.equal(200);
    expect(payload).to.include('MongoDB does not answer.').and.to.include('No accepted run is lost');
    expect(payload).to.include('2026-01-02 03:04:05 UTC').and.not.to.include('secret cause');
  });

  it('show pools without a runner, queued runs, and dead and live workers', async () => {
    const { collections } = world.real;
    const [served, empty] = [aPool(), aPool()];
    const workers = createWorkerStore(collections);
    const live = aWorker({ pools: [served], host: '<live>', buildId: 'build-7', slots: 3, limits: 'cgroup v2' });
    const gone = aWorker({ pools: [empty], host: 'gone-host' });
    await workers.heartbeat(live);
    await workers.heartbeat(gone);
    await collections.workers.updateOne({ _id: gone._id }, [{ $set: { seenAt: { $subtract: ['$$NOW', 60_000] } } }]);
    await collections.runs.insertOne(aTestRun({ definition: aTestDefinition({ pool: empty }), status: 'queued' }));
    const admin = await world.somebody({ isAdmin: true });
    const { status, html } = await admin.get('/admin/workers');
    expect(status).to.equal(200);
    expect(html).to.include(`no runner in pool ${empty}`).and.to.include(`RUNHOOK_POOLS=${empty}`);
    expect(html).not.to.include(`no runner in pool ${served}`);
    expect(html).to.include('&lt;live>').and.to.include('build-7').and.to.include('lost');
    expect(html).to.include('limits: cgroup v2');
    expect(html).to.include('1 min ago').and.to.include('Temporal is unavailable');
  });
});
