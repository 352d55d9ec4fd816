import { expect } from 'chai';
import { ScheduleOverlapPolicy } from '@temporalio/client';
import { hasSchedules, upsertSchedules } from '#src/temporal/schedules.js';
import { setUpTemporal } from '#src/temporal/set-up.js';
import type { WorkflowEnvironment } from './support/environment.js';
import { reconcileCases, retentionCases } from './support/maintenance-cases.js';
import { sharedEnvironment } from './support/shared-environment.js';

describe('workflows of the schedules', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('reconcileRuns returns the number of repaired runs of each kind', async () => {
    const { result, deliveries } = await reconcileCases.passed(environment);
    expect(result).to.deep.equal({ mended: { stopped: 2 }, failed: 0 });
    expect(deliveries).to.equal(1);
  });

  it('reconcileRuns retries a pass that failed as a whole', async () => {
    const { result, deliveries } = await reconcileCases['delivered-again'](environment);
    expect(result).to.deep.include({ failed: 0 });
    expect(deliveries).to.equal(2);
  });

  it('removeExpiredRuns returns the number of deleted runs', async () => {
    expect((await retentionCases.passed(environment)).result).to.deep.equal({ runs: 3, followed: 1 });
  });

  it('have schedules even if search attributes cannot be registered, which setup reports', async () => {
    const bare = (await environment.withoutAttributes('set-up')).temporal;
    const { connection } = bare;
    const { operatorService } = connection;
    const failing = Object.create(operatorService, {
      addSearchAttributes: { value: () => Promise.reject(new Error('the operator service is down')) },
    }) as typeof operatorService;
    const temporal = {
      ...bare,
      connection: Object.create(connection, { operatorService: { value: failing } }) as typeof connection,
    };
    const error = await setUpTemporal(temporal).catch((error: unknown) => error);
    expect((error as Error).message)
      .to.include('Could not register search attributes')
      .and.include('the operator service is down')
      .and.include('runhook setup');
    expect(await hasSchedules(temporal)).to.equal(true);
  });

  describe('their schedules', () => {
    const ids = ['reconcile', 'retention'];
    const schedule = (job: string) =>
      environment.temporal.client.schedule.getHandle(`runhook-${environment.temporal.installationId}-${job}`);
    afterEach(async () => {
      for (const id of ids) await schedule(id).delete();
    });

    it('are created by setup, which is idempotent', async () => {
      expect(await hasSchedules(environment.temporal)).to.equal(false);
      await setUpTemporal(environment.temporal);
      await setUpTemporal(environment.temporal);
      expect(await hasSchedules(environment.temporal)).to.equal(true);
      const [reconcile, retention] = await Promise.all(ids.map((id) => schedule(id).describe()));
      expect(reconcile!.spec.intervals!.map(({ every }) => every)).to.deep.equal([60_000]);
      expect(retention!.spec.intervals!.map(({ every }) => every)).to.deep.equal([600_000]);
      expect(retention!.policies.overlap).to.equal(ScheduleOverlapPolicy.SKIP);
      expect(reconcile!.action.workflowType).to.equal('reconcileRuns');
      expect(retention!.info.lastUpdatedAt, 'nothing differed').to.equal(undefined);
    });

    it('are updated where they differ from the code, and stay paused', async () => {
      await upsertSchedules(environment.temporal);
      const handle = schedule('reconcile');
      await handle.pause('maintenance');
      await handle.update(({ action, policies, state }) => ({
        action,
        policies,
        state,
        spec: { intervals: [{ every: '5m' }] },
      }));
      await upsertSchedules(environment.temporal);
      const { spec, state } = await handle.describe();
      expect(spec.intervals![0]!.every).to.equal(60_000);
      expect(state).to.include({ paused: true, note: 'maintenance' });
    });
  });
});
