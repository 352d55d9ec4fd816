import { ApplicationFailure } from '@temporalio/activity';
import type { WorkflowHandle } from '@temporalio/client';
import type { ScheduleActivities } from '#activities/fire-schedule.js';
import { upsertSchedule, removeSchedule } from '#src/temporal/target-schedules.js';
import { aSchedule } from '#test/builders/schedule.js';
import { eventually } from '#test/support/eventually.js';
import { workflowQueue } from '#workflows/messages.js';
import type { WorkflowEnvironment } from './environment.js';
import { stubActivities } from './stub-activities.js';

/** A scheduled time that was processed. */
export interface FiredSchedule {
  handle: WorkflowHandle;
  scheduleId: string;
  result: unknown;
  /** Inputs of the activity, for each delivery. */
  inputs: { scheduleId: string; at: string }[];
}

/** Starts the workflow through Temporal like a schedule, for a time in the past. */
async function fire({ temporal, withWorkers }: WorkflowEnvironment, at: Date, failures = 0): Promise<FiredSchedule> {
  const schedule = aSchedule({ definition: { cron: '0 6 * * *' } });
  const inputs: FiredSchedule['inputs'] = [];
  const activities: ScheduleActivities = {
    async fireSchedule(input) {
      inputs.push(input);
      if (inputs.length <= failures) throw ApplicationFailure.retryable('the database is unavailable');
      return { runId: 'c0ffee00-1d2e-8f3a-9b4c-5d6e7f8091a2' };
    },
  };
  const started = () => temporal.client.workflow.list({ query: `WorkflowType = 'scheduledTrigger'` });
  return withWorkers(
    { ...stubActivities().activities, ...activities },
    async () => {
      await upsertSchedule(temporal, schedule);
      const inTemporal = temporal.client.schedule.getHandle(
        `${workflowQueue(temporal.installationId)}-schedule-${schedule._id}`,
      );
      await inTemporal.backfill({ start: new Date(at.getTime() - 1000), end: at, overlap: 'ALLOW_ALL' });
      const workflowId = await eventually(async () => {
        for await (const one of started()) if (one.workflowId.includes(schedule._id)) return one.workflowId;
        return undefined;
      });
      await removeSchedule(temporal, schedule._id);
      const handle = temporal.client.workflow.getHandle(workflowId);
      return { handle, scheduleId: schedule._id, result: await handle.result(), inputs };
    },
    { runner: false },
  );
}

const TIME = new Date('2026-03-02T06:00:00.000Z');

export const scheduleCases = {
  fired: (environment: WorkflowEnvironment) => fire(environment, TIME),
  'delivered-again': (environment: WorkflowEnvironment) => fire(environment, TIME, 1),
};
