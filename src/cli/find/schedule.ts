import { closestName } from '../../domain/project-file-closest.js';
import { isUuid } from '../../domain/ids.js';
import { allItems } from '../api/pages.js';
import type { ScheduleView, TargetKind, TargetView } from '../api/shapes.js';
import type { Cli } from '../cli.js';
import { UsageError } from '../cli-error.js';
import { oneLine } from '../text.js';
import { findProject } from './project.js';

/** @throws UsageError when no schedule has this name or id; it suggests the closest */
export async function findSchedule(cli: Cli, wanted: string): Promise<ScheduleView> {
  if (isUuid(wanted.toLowerCase())) return cli.http().json({ path: schedulePath({ id: wanted.toLowerCase() }) });
  const project = await findProject(cli);
  const all = await allItems<ScheduleView>(cli.http(), { path: `/projects/${project.id}/schedules/` });
  const exact = all.find(({ name }) => name === wanted);
  if (exact) return exact;
  const closest = closestName(
    wanted,
    all.map(({ name }) => name),
  );
  throw new UsageError(
    `The project "${oneLine(project.name)}" has no schedule "${oneLine(wanted)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : ' See: runhook schedule list'}`,
  );
}

export function schedulePath({ id }: Pick<ScheduleView, 'id'>): `/${string}` {
  return `/schedules/${id}/`;
}

/** Names by id of what schedules start. */
export async function namesOfTargets(cli: Cli, schedules: readonly ScheduleView[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const schedule of schedules) {
    const { kind, id } = startedBy(schedule);
    if (!names.has(id)) names.set(id, (await cli.http().json<TargetView>({ path: `/${kind}s/${id}/` })).name);
  }
  return names;
}

/** What a schedule starts. */
export function startedBy({ testId, suiteId }: ScheduleView): { kind: TargetKind; id: string } {
  return testId === null ? { kind: 'suite', id: suiteId! } : { kind: 'test', id: testId };
}
