import { randomId } from '#src/domain/ids.js';
import type { Schedule, ScheduleDefinition } from '#src/domain/schedules/schedule.js';

/** A schedule of a test, every day at six in UTC. */
export function aSchedule({
  definition = {},
  ...some
}: Partial<Omit<Schedule, 'definition'>> & { definition?: Partial<ScheduleDefinition> } = {}): Schedule {
  const starts = definition.suiteId === undefined ? { testId: randomId() } : {};
  return {
    _id: randomId(),
    projectId: randomId(),
    name: 'Nightly',
    revision: 1,
    modifiedAt: new Date(),
    ...some,
    definition: { ...starts, cron: '0 6 * * *', timeZone: 'UTC', paused: false, catchUpMs: 3_600_000, ...definition },
  };
}
