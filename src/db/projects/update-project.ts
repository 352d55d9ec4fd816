import { changedFields } from '#src/domain/targets/definition-changes.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { settingsOf, type ProjectSettings, type ProjectStore } from './project-store.js';

/** A round fails only if someone else changes the same project meanwhile. */
const MAX_ROUNDS = 10;

/** The project settings in a project file. */
export interface ProjectInput extends ProjectSettings {
  id: string;
}

/**
 * Updates the project, and restores it if it is archived. Its slug stays, since URLs contain it.
 * Safe to repeat, and to call concurrently.
 * @throws NotFoundError; ConflictError when others keep changing the project
 */
export async function updateProject(store: ProjectStore, { id, name, retentionDays }: ProjectInput): Promise<void> {
  const next = { name, retentionDays };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const existing = await store.find(id);
    if (!existing) throw new NotFoundError(`No project has the ID ${id}.`);
    if (!existing.archivedAt && changedFields(settingsOf(existing), next).length === 0) return;
    if (await store.replace(existing, next)) return;
  }
  throw new ConflictError('changing', 'Someone else is changing this project. Import the file again.');
}
