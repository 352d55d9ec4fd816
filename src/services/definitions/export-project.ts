import type { Collections } from '../../db/collections.js';
import { createProjectStore } from '../../db/projects.js';
import { createScheduleStore } from '../../db/schedules.js';
import { statesOf } from '../../db/put-definitions.js';
import { ConflictError, NotFoundError } from '../../domain/errors.js';
import { projectFileTextOf } from '../../domain/project-file-text.js';
import type { Suite, Test } from '../../domain/records.js';
import { NOTHING_HERE } from '../access.js';

/**
 * A project as the YAML of a project file, which imports again without a change.
 * @throws NotFoundError; ConflictError `archived_test` when a suite names a test that is not there any more; the driver's
 *   error when the database does not answer
 */
export async function exportProject(collections: Collections, projectId: string): Promise<string> {
  const project = await createProjectStore(collections).find(projectId);
  if (!project || project.archivedAt) throw new NotFoundError(NOTHING_HERE);
  const live = <T extends { archivedAt?: Date; name: string }>(states: T[]) =>
    states.filter(({ archivedAt }) => !archivedAt).sort((a, b) => (a.name < b.name ? -1 : 1));
  const tests = live(await statesOf(collections.tests, projectId)) as Test[];
  const suites = live(await statesOf(collections.suites, projectId)) as Suite[];
  const ids = new Set(tests.map(({ _id }) => _id));
  const broken = suites.find(({ definition }) => definition.tests.some((id) => !ids.has(id)));
  if (broken)
    throw new ConflictError(
      'archived_test',
      `The suite "${broken.name}" names a test that was removed; take it out of the suite, then export again.`,
    );
  return projectFileTextOf(project, tests, suites, await createScheduleStore(collections).ofProject(projectId));
}
