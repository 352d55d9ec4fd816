import pTimeout from 'p-timeout';
import type { LeaseStore } from '#src/db/instance/lease-store.js';
import { refusalOf, type Schedule } from '#src/domain/schedules/schedule.js';
import type { Logger } from '#src/lib/logger.js';
import { createOutageLog } from '#src/lib/outage-log.js';
import { repeat } from '#src/lib/repeat.js';
import { releaseLease } from '#src/services/instance/leased-loop.js';
import type { ShownSchedule } from '#src/temporal/target-schedules.js';

const LOOK_EVERY_MS = 10_000;
/** How long a server holds the job without a word. */
const LEASE_MS = 30_000;
/** How long an edit waits for Temporal; what is not done then, the next look does. */
const EDIT_WAIT_MS = 1500;
/** As many are brought at once; an import of more leaves the rest to the next look. */
const AT_ONCE = 20;

export interface ScheduleSyncDeps {
  schedules: {
    find(id: string): Promise<Schedule | undefined>;
    /** Every one that is not archived. */
    live(): Promise<Schedule[]>;
    /** Notes whether Temporal accepts a schedule, for people to see. */
    noteAcceptance(schedule: Schedule, refusedBecause?: string): Promise<void>;
  };
  /** Each throws when Temporal does not answer. */
  engine: {
    shown(): Promise<Map<string, ShownSchedule>>;
    isUpToDate(shown: ShownSchedule | undefined, schedule: Schedule): boolean;
    put(schedule: Schedule): Promise<void>;
    remove(id: string): Promise<void>;
    /** Removes what versions without installation ids have made of ours. @returns how many */
    removeLegacy(): Promise<number>;
    /** It is there, and does not take this one. */
    isRefusal(error: unknown): boolean;
  };
  lease: LeaseStore;
  log: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

export interface ScheduleSync {
  /** Brings schedules that were just changed to Temporal, within a bounded time. Never throws: a look repeats what failed. */
  changed(...ids: string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Keeps Temporal's schedules as the database has them, whatever happened in between: one server at a time compares all of
 * them every ten seconds. So an edit needs no Temporal, and a Temporal that has lost its data gets them again.
 */
export function startScheduleSync(deps: ScheduleSyncDeps): ScheduleSync {
  const { schedules, engine, lease, log } = deps;
  async function bring(id: string): Promise<void> {
    const schedule = await schedules.find(id);
    if (schedule && !schedule.archivedAt) await putAndNote(deps, schedule);
    else await engine.remove(id);
  }

  async function look(): Promise<void> {
    if (!(await lease.acquire(LEASE_MS))) return;
    const repaired = await repairSchedules(deps);
    if (repaired > 0) log.info({ schedules: repaired }, 'schedules synchronized with Temporal');
  }
  const failing = 'could not synchronize schedules with Temporal';
  const outage = createOutageLog(log, { failing }, (error, last) => error.message !== last.message);
  const looking = repeat(look, { everyMs: LOOK_EVERY_MS, outage });

  return {
    async changed(...ids) {
      const bringAll = Promise.all(ids.slice(0, AT_ONCE).map(bring)).catch((error: unknown) => {
        log.debug({ err: error }, 'could not synchronize a changed schedule with Temporal; retrying later');
      });
      await pTimeout(bringAll, { milliseconds: EDIT_WAIT_MS, message: false });
    },
    async stop() {
      await looking.stop();
      await releaseLease(lease, log, 'could not release the schedules lease; it will expire');
    },
  };
}

/** Brings a schedule to Temporal. A refusal stands on its record until it is accepted. @throws as engine.put */
async function putAndNote({ schedules, engine }: Pick<ScheduleSyncDeps, 'schedules' | 'engine'>, schedule: Schedule) {
  try {
    await engine.put(schedule);
  } catch (error) {
    const message = (error as Error).message;
    // Each look tries again: what is on record already is not written again.
    if (engine.isRefusal(error) && refusalOf(schedule)?.message !== message)
      await schedules.noteAcceptance(schedule, message);
    throw error;
  }
  if (schedule.engineRefusal) await schedules.noteAcceptance(schedule);
}

/**
 * Makes Temporal's schedules what the database says.
 * @returns how many differed
 * @throws when a store does not answer; and when all that is possible is done, for the first that Temporal refuses
 */
export async function repairSchedules({ schedules, engine }: Pick<ScheduleSyncDeps, 'schedules' | 'engine'>) {
  // In this order: what is in Temporal was in the database before.
  const shown = await engine.shown();
  const live = new Map((await schedules.live()).map((schedule) => [schedule._id, schedule]));
  let refusal: unknown;
  let repaired = 0;
  for (const schedule of live.values()) {
    if (engine.isUpToDate(shown.get(schedule._id), schedule)) continue;
    try {
      await putAndNote({ schedules, engine }, schedule);
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
