import type { Logger } from '../logger.js';
import type { Collections } from './collections.js';
import { DAY_MS } from './project-retention.js';

const REFRESH_MS = 5000;

/** What projects have settings of their own for, kept in memory: the trigger path makes no look-up for it. */
export interface ProjectSettings {
  /** How long a run of this project is kept, in ms. */
  retentionMs(projectId: string): number;
  close(): void;
}

/**
 * Reads the table at once and then every few seconds; while the database is away the last one stays.
 * @param defaultRetentionMs of a project that has no days of its own, or is not known yet
 */
export function openProjectSettings(
  { projects }: Pick<Collections, 'projects'>,
  defaultRetentionMs: number,
  log: Logger,
): ProjectSettings {
  let days = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  async function refresh(): Promise<void> {
    try {
      const own = await projects
        .find({ retentionDays: { $exists: true } }, { projection: { retentionDays: 1 }, maxTimeMS: 2000 })
        .toArray();
      days = new Map(own.map(({ _id, retentionDays }) => [_id, retentionDays!]));
    } catch (error) {
      log.debug({ err: error }, 'settings of projects could not be read; the last ones stay');
    }
    if (!closed) timer = setTimeout(() => void refresh(), REFRESH_MS).unref();
  }
  void refresh();

  return {
    retentionMs(projectId) {
      const own = days.get(projectId);
      return own === undefined ? defaultRetentionMs : own * DAY_MS;
    },
    close() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
