import { createLeaseStore } from '#src/db/instance/lease-store.js';
import { createRemovedProjectStore } from '#src/db/projects/removed-project-store.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { createEndedRunCounts } from '#src/db/stats/count-ended.js';
import { randomId } from '#src/domain/ids.js';
import { stopRemovedRuns } from '#src/services/projects/stop-removed-runs.js';
import { startScheduleSync } from '#src/services/schedules/schedule-sync.js';
import { startStatsUpdater } from '#src/services/stats/stats-updater.js';
import { cancelRun } from '#src/temporal/cancel-run.js';
import { removeLegacySchedules } from '#src/temporal/legacy-schedules.js';
import {
  isUpToDate,
  isRefusal,
  upsertSchedule,
  removeSchedule,
  shownSchedules,
} from '#src/temporal/target-schedules.js';
import type { SharedContext } from './shared-context.js';

/** Background jobs that one server of an installation runs at a time, each with a lease: statistics, schedules, removed projects. */
export function createBackgroundContext({ collections, binding, statuses, log }: SharedContext) {
  const leaseOf = (name: string) => createLeaseStore(collections, name, randomId());
  const schedules = createScheduleStore(collections);
  const keepers = {
    stats: startStatsUpdater({ counts: createEndedRunCounts(collections), lease: leaseOf('stats'), log }),
    removedRuns: stopRemovedRuns({
      removed: createRemovedProjectStore(collections),
      statuses,
      cancel: async (runId: string) => cancelRun(await binding.use(), runId),
      lease: leaseOf('removed-runs'),
      log,
    }),
    schedules: startScheduleSync({
      schedules,
      engine: {
        shown: async () => shownSchedules(await binding.use()),
        isUpToDate,
        put: async (schedule) => upsertSchedule(await binding.use(), schedule),
        remove: async (id) => removeSchedule(await binding.use(), id),
        removeLegacy: async () => removeLegacySchedules(await binding.use(), schedules.known),
        isRefusal,
      },
      lease: leaseOf('schedules'),
      log,
    }),
  };
  return {
    /** Applies a schedule's change in Temporal immediately. */
    scheduleChanged: keepers.schedules.changed,
    close: () => Promise.all(Object.values(keepers).map((keeper) => keeper.stop())),
  };
}
