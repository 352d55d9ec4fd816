import { expect } from 'chai';
import { randomId } from '#src/domain/ids.js';
import { cancelRun } from '#src/temporal/cancel-run.js';
import { workflowState } from '#src/temporal/describe-run.js';
import { removeLegacySchedules } from '#src/temporal/legacy-schedules.js';
import { upsertSchedules } from '#src/temporal/schedules.js';
import { startRun, WorkflowIdTakenError } from '#src/temporal/start-run.js';
import { aTestRun } from '#test/builders/run.js';
import { eventually } from '#test/support/eventually.js';
import type { WorkflowEnvironment } from './support/environment.js';
import { sharedEnvironment } from './support/shared-environment.js';

describe('another installation in the same namespace', () => {
  let environment: WorkflowEnvironment;
  before(async () => {
    environment = await sharedEnvironment();
  });

  it('contains workflows that are neither listed as ours, nor canceled, nor accepted as the start of a run', async () => {
    const { temporal } = environment;
    const other = { ...temporal, installationId: 'other' };
    const run = aTestRun();
    const handle = temporal.client.workflow.getHandle(run._id);
    await startRun(other, run);
    try {
      expect(await workflowState(temporal, run._id)).to.equal(undefined);
      expect(await cancelRun(temporal, run._id)).to.equal(false);
      const error = await startRun(temporal, run).catch((error: unknown) => error);
      expect(error).to.be.instanceOf(WorkflowIdTakenError);
      expect((await handle.describe()).status.name).to.equal('RUNNING');
      expect(await workflowState(other, run._id)).to.include({ status: 'RUNNING' });
      await startRun(other, run);
    } finally {
      await handle.terminate();
    }
  });

  it('without an installation id counts as ours while legacy names exist', async () => {
    const { temporal } = environment;
    const workflowId = randomId();
    const handle = await temporal.client.workflow.start('testRun', { workflowId, taskQueue: 'runhook', args: [] });
    expect(await workflowState(temporal, workflowId)).to.equal(undefined);
    const upgraded = { ...temporal, hasLegacyNames: true };
    expect(await workflowState(upgraded, workflowId)).to.include({ status: 'RUNNING' });
    await handle.terminate();
  });

  it('keeps its schedules from before the upgrade; ours are removed once new ones exist', async () => {
    const { temporal } = environment;
    const { schedule } = temporal.client;
    const [own, foreign] = [randomId(), randomId()];
    const ids = ['runhook-reconcile', `runhook-schedule-${own}`, `runhook-schedule-${foreign}`, 'somebody-else'];
    const action = { type: 'startWorkflow' as const, workflowType: 'testRun', taskQueue: 'nobody' };
    for (const scheduleId of ids) await schedule.create({ scheduleId, spec: {}, action, state: { paused: true } });
    const listed = async () => {
      const found: string[] = [];
      for await (const { scheduleId } of schedule.list()) found.push(scheduleId);
      return found;
    };
    await eventually(async () => {
      const found = await listed();
      return ids.every((id) => found.includes(id)) || undefined;
    });
    const known = async (candidates: string[]) => candidates.filter((id) => id === own);
    const upgraded = { ...temporal, hasLegacyNames: true };
    expect(await removeLegacySchedules(upgraded, known), 'there are no new ones').to.equal(0);
    await upsertSchedules(temporal);
    expect(await removeLegacySchedules(temporal, known), 'not an upgrade').to.equal(0);
    expect(await removeLegacySchedules(upgraded, known)).to.equal(2);
    const left = async () => (await listed()).filter((id) => ids.includes(id)).sort();
    await eventually(async () => (await left()).length === 2 || undefined);
    expect(await left()).to.deep.equal([`runhook-schedule-${foreign}`, 'somebody-else'].sort());
    for (const id of [
      ...(await left()),
      ...['reconcile', 'retention'].map((job) => `runhook-${temporal.installationId}-${job}`),
    ])
      await schedule.getHandle(id).delete();
  });
});
