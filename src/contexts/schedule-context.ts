import type { Clock } from '#src/domain/clock.js';
import { createScheduleActivities } from '#activities/fire-schedule.js';
import type { WorkerConfig } from '#src/config.js';
import type { RunInserter } from '#src/db/runs/insert-run.js';
import { addToReport } from '#src/db/instance/maintenance.js';
import { createPendingStarts, type PendingRun } from '#src/db/runs/pending-starts.js';
import { createVariableSetStore } from '#src/db/variables/variable-set-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { runIdOfKey } from '#src/domain/ids.js';
import type { Schedule } from '#src/domain/schedules/schedule.js';
import { LEASE_MS } from '#src/services/trigger/dispatcher.js';
import type { SharedContext } from './shared-context.js';
import { createTriggerContext } from './trigger-context.js';

/**
 * Starts the runs of schedules in workers, through the same trigger path as servers.
 * @param startRun starts the workflow; idempotent
 */
export function createScheduleContext(
  shared: Pick<SharedContext, 'collections' | 'log'> & { clock: Clock },
  config: WorkerConfig,
  startRun: (run: PendingRun) => Promise<void>,
) {
  const { collections, clock, log } = shared;
  const pending = createPendingStarts(collections, clock);
  const projects = createProjectStore(collections);
  const variableSets = createVariableSetStore(collections);

  async function start(run: PendingRun): Promise<void> {
    try {
      await startRun(run);
      await pending.clear(run._id);
    } catch (error) {
      log.debug({ err: error, runId: run._id }, 'scheduled run not started yet; a sweep or reconcile will start it');
    }
  }

  const { trigger, inserter, close } = createTriggerContext(shared, config, {
    tokenUses: { note: () => {} },
    // The record is committed: if this start fails, a server's sweep retries it.
    dispatcher: {
      enqueue: (run) => void start(run),
      firstSweepAt: (now) => new Date(now.getTime() + LEASE_MS),
      isFull: () => false,
    },
  });

  return {
    activities: createScheduleActivities({
      schedules: createScheduleStore(collections),
      isProjectLive: async (id) => {
        const project = await projects.find(id);
        return project !== undefined && project.archivedAt === undefined;
      },
      variableSetName: async (projectId, variableSetId) => {
        const variableSet = await variableSets.find(variableSetId);
        return variableSet?.projectId === projectId ? variableSet.name : undefined;
      },
      clock,
      trigger: trigger.byApi,
      earlierRunId: (schedule, at) => earlierRunId(inserter, schedule, at),
      report: (pass) => addToReport(collections, 'schedules', pass),
      log: (line) => log[line.refusedBecause === undefined ? 'info' : 'warn'](line, 'schedule fired'),
    }),
    close,
  };
}

/**
 * Earlier versions derived the id of a scheduled run from an idempotency key, stored as `creation`. Finds that run, so that
 * a time delivered both before and after an upgrade starts only one.
 */
async function earlierRunId(inserter: RunInserter, schedule: Pick<Schedule, '_id' | 'projectId'>, at: Date) {
  const key = `schedule ${schedule._id} ${at.toISOString()}`;
  const earlier = await inserter.find(runIdOfKey(schedule.projectId, key), Infinity);
  return earlier?.creation === key ? earlier._id : undefined;
}
