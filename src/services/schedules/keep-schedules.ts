import type { LeaseStore } from '../../db/leases.js';
import { refusalOf, type Schedule } from '../../domain/schedule.js';
import type { Logger } from '../../logger.js';
import type { ShownSchedule } from '../../temporal/target-schedules.js';

const LOOK_EVERY_MS = 10_000;
/** How long a server holds the job without a word. */
const LEASE_MS = 30_000;
/** How long an edit waits for Temporal; what is not done then, the next look does. */
const EDIT_WAIT_MS = 1500;
/** As many are brought at once; an import of more leaves the rest to the next look. */
const AT_ONCE = 20;

export interface ScheduleKeeperDeps {
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
    isAsWanted(shown: ShownSchedule | undefined, schedule: Schedule): boolean;
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

export interface ScheduleKeeper {
  /** Brings schedules that were just changed to Temporal, within a bounded time. Never throws: a look repeats what failed. */
  changed(...ids: string[]): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Keeps Temporal's schedules as the database has them, whatever happened in between: one server at a time compares all of
 * them every ten seconds. So an edit needs no Temporal, and a Temporal that has lost its data gets them again.
 */
export function keepSchedules(deps: ScheduleKeeperDeps): ScheduleKeeper {
  const { schedules, engine, lease, log } = deps;
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let lastProblem = '';
  let looking = Promise.resolve();

  async function bring(id: string): Promise<void> {
    const schedule = await schedules.find(id);
    if (schedule && !schedule.archivedAt) await putAndNote(deps, schedule);
    else await engine.remove(id);
  }

  const next = () => void (looking = once());
  async function once(): Promise<void> {
    try {
      if (await lease.take(LEASE_MS)) {
        const mended = await mendSchedules(deps);
        if (mended > 0) log.info({ schedules: mended }, 'schedules were brought to Temporal');
      }
      lastProblem = '';
    } catch (error) {
      const problem = (error as Error).message;
      if (problem !== lastProblem && !stopping) log.warn({ err: error }, 'schedules could not be brought to Temporal');
      lastProblem = problem;
    }
    if (!stopping) timer = setTimeout(next, LOOK_EVERY_MS).unref();
  }
  next();

  return {
    async changed(...ids) {
      const bringAll = Promise.all(ids.slice(0, AT_ONCE).map(bring)).catch((error: unknown) => {
        log.debug({ err: error }, 'a changed schedule is brought to Temporal later');
      });
      let wait: NodeJS.Timeout | undefined;
      await Promise.race([bringAll, new Promise((resolve) => (wait = setTimeout(resolve, EDIT_WAIT_MS)))]);
      clearTimeout(wait);
    },
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await looking;
      await lease.release().catch((error: unknown) => {
        log.debug({ err: error }, 'the hold on the schedules could not be given back; it runs out by itself');
      });
    },
  };
}

/** Brings a schedule to Temporal. A refusal stands on its record until it is accepted. @throws as engine.put */
async function putAndNote({ schedules, engine }: Pick<ScheduleKeeperDeps, 'schedules' | 'engine'>, schedule: Schedule) {
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
export async function mendSchedules({ schedules, engine }: Pick<ScheduleKeeperDeps, 'schedules' | 'engine'>) {
  // In this order: what is in Temporal was in the database before.
  const shown = await engine.shown();
  const live = new Map((await schedules.live()).map((schedule) => [schedule._id, schedule]));
  let refusal: unknown;
  let mended = 0;
  for (const schedule of live.values()) {
    if (engine.isAsWanted(shown.get(schedule._id), schedule)) continue;
    try {
      await putAndNote({ schedules, engine }, schedule);
      mended++;
    } catch (error) {
      if (!engine.isRefusal(error)) throw error;
      refusal ??= error;
    }
  }
  for (const id of shown.keys())
    if (!live.has(id)) {
      await engine.remove(id);
      mended++;
    }
  mended += await engine.removeLegacy();
  if (refusal) throw refusal;
  return mended;
}
