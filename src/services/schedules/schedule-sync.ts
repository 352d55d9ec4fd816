import pTimeout from 'p-timeout';
import type { LeaseStore } from '#src/db/instance/lease-store.js';
import { refusalOf, type Schedule } from '#src/domain/schedules/schedule.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat } from '#src/lib/repeat.js';
import { releaseLease } from '#src/services/instance/leased-loop.js';
import type { ShownSchedule } from '#src/temporal/target-schedules.js';

const SYNC_EVERY_MS = 10_000;
/** Lease of the server that runs the job, in ms. */
const LEASE_MS = 30_000;
/** How long an edit waits for Temporal; the next pass completes the rest. */
const EDIT_WAIT_MS = 1500;
/** Most schedules to synchronize at an edit; an import of more leaves the rest to the next pass. */
const MAX_PER_EDIT = 20;

export interface ScheduleSyncDeps {
  schedules: {
    find(id: string): Promise<Schedule | undefined>;
    /** All that are not archived. */
    live(): Promise<Schedule[]>;
    /** Records whether Temporal accepts a schedule, to be shown in the web app. */
    noteAcceptance(schedule: Schedule, refusedBecause?: string): Promise<void>;
  };
  /** Each throws when Temporal does not respond. */
  engine: {
    shown(): Promise<Map<string, ShownSchedule>>;
    isUpToDate(shown: ShownSchedule | undefined, schedule: Schedule): boolean;
    put(schedule: Schedule): Promise<void>;
    remove(id: string): Promise<void>;
    /** Removes schedules that versions without installation IDs created. @returns how many */
    removeLegacy(): Promise<number>;
    /** Whether Temporal responded and rejected the schedule. */
    isRefusal(error: unknown): boolean;
  };
  lease: LeaseStore;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

export type ScheduleSync = ReturnType<typeof startScheduleSync>;

/**
 * Synchronizes Temporal's schedules with the database: one server at a time compares all of them every ten seconds. So
 * an edit does not require Temporal, and a Temporal that has lost its data gets the schedules again.
 */
export function startScheduleSync(deps: ScheduleSyncDeps) {
  const { schedules, engine, lease, log } = deps;
  async function syncOne(id: string): Promise<void> {
    const schedule = await schedules.find(id);
    if (schedule && !schedule.archivedAt) await putAndRecord(deps, schedule);
    else await engine.remove(id);
  }

  async function pass(): Promise<void> {
    if (!(await lease.acquire(LEASE_MS))) return;
    const repaired = await repairSchedules(deps);
    if (repaired > 0) log.info({ schedules: repaired }, 'schedules synchronized with Temporal');
  }
  const failing = 'could not synchronize schedules with Temporal';
  const outage = createOutageLog(log, { failing }, (error, last) => error.message !== last.message);
  const passes = repeat(pass, { everyMs: SYNC_EVERY_MS, outage });

  return {
    /** Synchronizes changed schedules within a bounded time. Never throws: the next pass repeats what failed. */
    async changed(...ids: string[]) {
      const synced = Promise.all(ids.slice(0, MAX_PER_EDIT).map(syncOne)).catch((error: unknown) => {
        log.debug({ err: error }, 'could not synchronize a changed schedule with Temporal; retrying later');
      });
      await pTimeout(synced, { milliseconds: EDIT_WAIT_MS, message: false });
    },
    async stop() {
      await passes.stop();
      await releaseLease(lease, log, 'could not release the schedules lease; it will expire');
    },
  };
}

/** Writes a schedule to Temporal. A rejection stays on its record until the schedule is accepted. @throws like engine.put */
async function putAndRecord({ schedules, engine }: Pick<ScheduleSyncDeps, 'schedules' | 'engine'>, schedule: Schedule) {
  try {
    await engine.put(schedule);
  } catch (error) {
    const message = (error as Error).message;
    // Each pass retries: do not write the same rejection again.
    if (engine.isRefusal(error) && refusalOf(schedule)?.message !== message)
      await schedules.noteAcceptance(schedule, message);
    throw error;
  }
  if (schedule.engineRefusal) await schedules.noteAcceptance(schedule);
}

/**
 * Makes Temporal's schedules match the database.
 * @returns how many differed
 * @throws when a store does not respond; at the end, for the first schedule that Temporal rejected
 */
export async function repairSchedules({ schedules, engine }: Pick<ScheduleSyncDeps, 'schedules' | 'engine'>) {
  // Temporal is read first: its schedules were in the database before, so a new one is not removed.
  const shown = await engine.shown();
  const live = new Map((await schedules.live()).map((schedule) => [schedule._id, schedule]));
  let refusal: unknown;
  let repaired = 0;
  for (const schedule of live.values()) {
    if (engine.isUpToDate(shown.get(schedule._id), schedule)) continue;
    try {
      await putAndRecord({ schedules, engine }, schedule);
      repaired++;
    } catch (error) {
      if (!engine.isRefusal(error)) throw error;
      refusal ??= error;
    }
  }
  for (const id of shown.keys())
    if (!live.has(id)) {
      await engine.remove(id);
      repaired++;
    }
  repaired += await engine.removeLegacy();
  if (refusal) throw refusal;
  return repaired;
}
