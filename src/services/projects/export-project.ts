import type { Collections } from '#src/db/schema/collections.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createScheduleStore } from '#src/db/schedules/schedule-store.js';
import { statesOf } from '#src/db/targets/upsert-definitions.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { projectFileTextOf } from '#src/domain/project-file/text.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';

/**
 * Exports a project as a YAML project file, whose import changes nothing.
 * @throws NotFoundError; ConflictError `archived_test` when a suite contains an archived test; the driver's error when
 *   the database does not respond
 */
export async function exportProject(collections: Collections, projectId: string): Promise<string> {
  const project = await createProjectStore(collections).find(projectId);
  if (!project || project.archivedAt) throw new NotFoundError(RESOURCE_NOT_FOUND);
  const live = <T extends { archivedAt?: Date; name: string }>(states: T[]) =>
    states.filter(({ archivedAt }) => !archivedAt).sort((a, b) => (a.name < b.name ? -1 : 1));
  const tests = live(await statesOf(collections.tests, projectId));
  const suites = live(await statesOf(collections.suites, projectId));
  const ids = new Set(tests.map(({ _id }) => _id));
  const broken = suites.find(({ definition }) => definition.tests.some((id) => !ids.has(id)));
  if (broken)
    throw new ConflictError(
      'archived_test',
      `The suite "${broken.name}" contains an archived test. Remove the test from the suite, then export again.`,
    );
  return projectFileTextOf(project, tests, suites, await createScheduleStore(collections).ofProject(projectId));
}
