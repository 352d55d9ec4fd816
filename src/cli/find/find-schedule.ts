import type { TargetKind } from '#src/domain/targets/target-kind.js';
import { closestName } from '#src/domain/project-file/closest.js';
import { isUuid } from '#src/domain/ids.js';
import { allItems } from '#src/cli/api/pages.js';
import type { ScheduleView, TargetView } from '#src/cli/api/responses.js';
import type { Cli } from '#src/cli/cli.js';
import { UsageError } from '#src/cli/cli-error.js';
import { oneLine } from '#src/cli/text.js';
import { findProject } from './find-project.js';

/** Finds a schedule by name or ID. @throws UsageError, which suggests the closest name */
export async function findSchedule(cli: Cli, nameOrId: string): Promise<ScheduleView> {
  if (isUuid(nameOrId.toLowerCase())) return cli.http().json({ path: schedulePath({ id: nameOrId.toLowerCase() }) });
  const project = await findProject(cli);
  const all = await allItems<ScheduleView>(cli.http(), { path: `/projects/${project.id}/schedules/` });
  const exact = all.find(({ name }) => name === nameOrId);
  if (exact) return exact;
  const closest = closestName(
    nameOrId,
    all.map(({ name }) => name),
  );
  throw new UsageError(
    `The project "${oneLine(project.name)}" has no schedule "${oneLine(nameOrId)}".${closest ? ` Did you mean "${oneLine(closest)}"?` : ' List schedules with `runhook schedule list`.'}`,
  );
}

export function schedulePath({ id }: Pick<ScheduleView, 'id'>): `/${string}` {
  return `/schedules/${id}/`;
}

/** Names of the targets of schedules, by ID. */
export async function namesOfTargets(cli: Cli, schedules: readonly ScheduleView[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const schedule of schedules) {
    const { kind, id } = startedBy(schedule);
    if (!names.has(id)) names.set(id, (await cli.http().json<TargetView>({ path: `/${kind}s/${id}/` })).name);
  }
  return names;
}

/** The target of a schedule. */
export function startedBy({ testId, suiteId }: ScheduleView): { kind: TargetKind; id: string } {
  return testId === null ? { kind: 'suite', id: suiteId! } : { kind: 'test', id: testId };
}
