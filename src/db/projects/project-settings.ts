import { effectiveLimits, type InstanceLimits, type ProjectLimits } from '#src/domain/limits.js';
import type { Logger } from '#src/lib/logger.js';
import { repeat } from '#src/lib/repeat.js';
import type { Collections } from '#src/db/schema/collections.js';
import { DAY_MS } from './project-retention-store.js';

/** With what servers keep in hand beside it (leases of permits), a change holds on all of them within 5 s. */
const REFRESH_MS = 3500;

/** What projects have settings of their own for, kept in memory: the trigger path makes no look-up for it. */
export interface ProjectSettings {
  /** How long a run of this project is kept, in ms. */
  retentionMs(projectId: string): number;
  /** What limits the project's triggers. */
  limitsOf(projectId: string): ProjectLimits;
  close(): void;
}

/**
 * Reads the table at once and then every few seconds; while the database is away the last one stays.
 * @param defaults of a project that has none of its own, or is not known yet
 */
export function openProjectSettings(
  { projects }: Pick<Collections, 'projects'>,
  defaults: { retentionMs: number; limits: InstanceLimits },
  log: Logger,
): ProjectSettings {
  const defaultLimits = effectiveLimits(defaults.limits);
  let days = new Map<string, number>();
  let limits = new Map<string, ProjectLimits>();

  async function refresh(): Promise<void> {
    const own = await projects
      .find(
        { $or: [{ retentionDays: { $exists: true } }, { limits: { $exists: true } }] },
        { projection: { retentionDays: 1, limits: 1 }, maxTimeMS: 2000 },
      )
      .toArray();
    days = new Map(own.flatMap(({ _id, retentionDays }) => (retentionDays ? [[_id, retentionDays]] : [])));
    limits = new Map(
      own.flatMap(({ _id, limits: ofProject }) =>
        ofProject ? [[_id, effectiveLimits(defaults.limits, ofProject)]] : [],
      ),
    );
  }
  const refreshing = repeat(refresh, {
    everyMs: REFRESH_MS,
    outage: {
      failed: (error) => log.debug({ err: error }, 'could not read project settings; keeping the previous ones'),
      succeeded: () => {},
    },
  });

  return {
    retentionMs(projectId) {
      const own = days.get(projectId);
      return own === undefined ? defaults.retentionMs : own * DAY_MS;
    },
    limitsOf: (projectId) => limits.get(projectId) ?? defaultLimits,
    close: () => void refreshing.stop(),
  };
}
