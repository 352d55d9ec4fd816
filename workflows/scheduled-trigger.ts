import { defineSearchAttributeKey } from '@temporalio/common';
import { proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { FireResult, ScheduleActivities } from '#activities/fire-schedule.js';

const { fireSchedule } = proxyActivities<ScheduleActivities>({
  startToCloseTimeout: '30s',
  // No timeout: once the time is outside the catch-up window, the activity records that and completes.
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** Set by Temporal Schedules: the scheduled time, regardless of delays. */
const nominalTime = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/** Starts the run for one scheduled time of a test or suite. Started by a Temporal Schedule, once per time. */
export async function scheduledTrigger({ scheduleId }: { scheduleId: string }): Promise<FireResult> {
  const { typedSearchAttributes, startTime } = workflowInfo();
  const at = typedSearchAttributes.get(nominalTime) ?? startTime;
  return await fireSchedule({ scheduleId, at: at.toISOString() });
}
