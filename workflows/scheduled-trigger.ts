import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FireResult, ScheduleActivities } from '../activities/fire-schedule.js';

const { fireSchedule } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '30s',
  // Without an end: once the time is longer ago than the schedule's catch-up window, the activity says so and ends.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Set by Temporal on what its schedules start: the time by the cron, however late it is. */
const nominalTime = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** One time of a schedule: starts the run of its test or suite. Started by Temporal's schedule, once for each time. */
export async function scheduledTrigger({ scheduleId }: { scheduleId: string }): Promise<FireResult> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const at = typedSearchAttributes.get(nominalTime) ?? startTime;
  return await fireSchedule({ scheduleId, at: at.toISOString() });
}
