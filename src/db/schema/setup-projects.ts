import { legacyProjectIdOf } from '#src/domain/ids.js';
import type { Project } from '#src/domain/records.js';
import type { Collections } from './collections.js';
import { createProjectStore } from '#src/db/projects/project-store.js';

/** Origin of projects created by `runhook setup` and `npm start`; see ProjectOrigin. */
export const SETUP_ORIGIN = 'setup';

/**
 * Marks projects that `runhook setup` created before projects had an origin: those without a creator. Safe to repeat.
 */
export async function markSetupProjects({ projects }: Pick<Collections, 'projects'>): Promise<void> {
  await projects.updateMany(
    { createdBy: { $exists: false }, origin: { $exists: false } },
    { $set: { origin: { by: SETUP_ORIGIN } } },
  );
}

/** The project that `runhook setup` created from a file without an id, archived or not. @param name in the file */
export async function findSetupProject(
  collections: Pick<Collections, 'projects'>,
  name: string,
): Promise<Project | undefined> {
  const store = createProjectStore(collections);
  const project = await store.findByOrigin({ by: SETUP_ORIGIN, name });
  if (project) return project;
  const legacy = await store.find(legacyProjectIdOf(name));
  return legacy?.origin?.by === SETUP_ORIGIN ? legacy : undefined;
}
