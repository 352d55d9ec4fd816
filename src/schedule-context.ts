import { createScheduleActivities } from '../activities/fire-schedule.js';
import type { WorkerConfig } from './config.js';
import type { Collections } from './db/collections.js';
import { createOpenRunCounter, createWaitingRunCounter } from './db/count-open-runs.js';
import { createTargetFinder } from './db/find-target.js';
import { createRunInserter, type RunInserter } from './db/insert-run.js';
import { addToReport } from './db/maintenance.js';
import { createPendingStarts, type PendingRun } from './db/pending-starts.js';
import { createProfileStore } from './db/profiles.js';
import { openProjectSettings } from './db/project-settings.js';
import { createProjectStore } from './db/projects.js';
import { createRateBuckets } from './db/rate-buckets.js';
import { createScheduleStore } from './db/schedules.js';
import type { Clock } from './domain/clock.js';
import { runIdOfKey } from './domain/ids.js';
import type { Schedule } from './domain/schedule.js';
import type { Logger } from './logger.js';
import { LEASE_MS } from './services/dispatcher.js';
import { createTriggerLimiter } from './services/limits/trigger-limiter.js';
import { createRunTrigger } from './services/trigger-run.js';

export interface ScheduleContext {
  collections: Collections;
  /** The database's. */
  clock: Clock;
  /** Starts the workflow; idempotent. */
  startRun(run: PendingRun): Promise<void>;
  config: Pick<WorkerConfig, 'retentionMs' | 'limits'>;
  log: Logger;
}

/** What a worker of the workflow queue starts the runs of schedules with: the trigger of the servers, without one of them. */
export function createScheduleContext({ collections, clock, startRun, config, log }: ScheduleContext) {
  const settings = openProjectSettings(collections, config, log);
  const pending = createPendingStarts(collections, clock);
  const inserter = createRunInserter(collections);
  const projects = createProjectStore(collections);
  const profiles = createProfileStore(collections);

  async function start(run: PendingRun): Promise<void> {
    try {
      await startRun(run);
      await pending.clear(run._id);
    } catch (error) {
      log.debug(
        { err: error, runId: run._id },
        'a scheduled run could not be started; a sweep or the reconciliation does it',
      );
    }
  }

  const trigger = createRunTrigger({
    finder: createTargetFinder(collections),
    inserter,
    limiter: createTriggerLimiter({
      buckets: createRateBuckets(collections),
      countOpen: createOpenRunCounter(collections),
      countWaiting: createWaitingRunCounter(collections),
      limitsOf: settings.limitsOf,
    }),
    tokenUses: { note: () => {} },
    clock,
    // The record is committed: whatever happens to the start made here, the sweep of a server repeats it.
    dispatcher: {
      enqueue: (run) => void start(run),
      firstSweepAt: (now) => new Date(now.getTime() + LEASE_MS),
      isFull: () => false,
    },
    retentionMs: settings.retentionMs,
  });

  return {
    activities: createScheduleActivities({
      schedules: createScheduleStore(collections),
      isProjectLive: async (id) => {
        const project = await projects.find(id);
        return project !== undefined && project.archivedAt === undefined;
      },
      profileName: async (projectId, profileId) => {
        const profile = await profiles.find(profileId);
        return profile?.projectId === projectId ? profile.name : undefined;
      },
      trigger: trigger.byApi,
      earlierRunId: (schedule, at) => earlierRunId(inserter, schedule, at),
      report: (pass) => addToReport(collections, 'schedules', pass),
      log: (line) => log[line.refusedBecause === undefined ? 'info' : 'warn'](line, 'schedule fired'),
    }),
    close: () => settings.close(),
  };
}

/**
 * Earlier versions derived the id of a scheduled run as that of a key of a caller, with the key as `creation`. A time that was
 * delivered before an upgrade and again after it is that run.
 */
async function earlierRunId(inserter: RunInserter, schedule: Pick<Schedule, '_id' | 'projectId'>, at: Date) {
  const key = `schedule ${schedule._id} ${at.toISOString()}`;
  const earlier = await inserter.find(runIdOfKey(schedule.projectId, key), Infinity);
  return earlier?.creation === key ? earlier._id : undefined;
}
