import { effectiveLimits, type InstanceLimits, type ProjectLimits } from '#src/domain/limits.js';
import type { Logger } from '#src/lib/logger.js';
import { repeat } from '#src/lib/repeat.js';
import type { Collections } from '#src/db/schema/collections.js';
import { DAY_MS } from './project-retention-store.js';

/** Together with the leases of rate limit permits, a change applies on all servers within 5 s. */
const REFRESH_MS = 3500;

export type ProjectSettings = ReturnType<typeof openProjectSettings>;

/**
 * Settings of projects, cached in memory: the trigger path needs no lookup for them.
 * Reads the settings now and then every few seconds. While the database is unavailable, the last values stay.
 * @param defaults for projects without settings, and for projects that have not been read yet
 */
export function openProjectSettings(
  { projects }: Pick<Collections, 'projects'>,
  defaults: { retentionMs: number; limits: InstanceLimits },
  log: Logger,
) {
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
    retentionMs(projectId: string) {
      const own = days.get(projectId);
      return own === undefined ? defaults.retentionMs : own * DAY_MS;
    },
    /** Limits of the project's triggers. */
    limitsOf: (projectId: string) => limits.get(projectId) ?? defaultLimits,
    close: (): void => void refreshing.stop(),
  };
}
