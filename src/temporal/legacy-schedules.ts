import { ScheduleNotFoundError } from '@temporalio/client';
import { LEGACY_QUEUE } from '#workflows/messages.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { hasSchedules } from './schedules.js';

const CALL_MS = 5000;
const PAGE = 1000;
const JOBS = ['reconcile', 'retention'].map((job) => `${LEGACY_QUEUE}-${job}`);
const PREFIX = `${LEGACY_QUEUE}-schedule-`;

/**
 * Removes the schedules of versions without installation ids once their replacements exist. Safe to repeat.
 * @param ownIds returns the ids that exist in the database, live or archived
 * @returns how many were removed
 * @throws when a store does not answer
 */
export async function removeLegacySchedules(
  temporal: InstallationTemporal,
  ownIds: (ids: string[]) => Promise<string[]>,
): Promise<number> {
  if (!temporal.hasLegacyNames || !(await hasSchedules(temporal))) return 0;
  const { client, connection } = temporal;
  const found: string[] = [];
  const pages = client.schedule.list({ pageSize: PAGE })[Symbol.asyncIterator]();
  for (;;) {
    const { done, value } = await withinDeadline(connection, CALL_MS, () => pages.next());
    if (done) break;
    found.push(value.scheduleId);
  }
  const ids = found.filter((id) => id.startsWith(PREFIX)).map((id) => id.slice(PREFIX.length));
  const own = [...found.filter((id) => JOBS.includes(id)), ...(await ownIds(ids)).map((id) => `${PREFIX}${id}`)];
  for (const id of own)
    await withinDeadline(connection, CALL_MS, () => client.schedule.getHandle(id).delete()).catch((error: unknown) => {
      if (!(error instanceof ScheduleNotFoundError)) throw error;
    });
  return own.length;
}
