import { changedFields } from '#src/domain/targets/definition-changes.js';
import { ConflictError, NotFoundError } from '#src/domain/errors.js';
import { settingsOf, type ProjectSettings, type ProjectStore } from './project-store.js';

/** A round is lost only to somebody who has changed the same project in it. */
const MAX_ROUNDS = 10;

/** What a project file says of its project. */
export interface WantedProject extends ProjectSettings {
  id: string;
}

/**
 * Updates the project with this id, and restores one that is archived. Its slug stays as it was first: addresses hold it.
 * Safe to repeat, and to call at the same time.
 * @throws ConflictError when others keep changing it; NotFoundError when there is none
 */
export async function putProject(store: ProjectStore, { id, name, retentionDays }: WantedProject): Promise<void> {
  const wanted = { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const there = await store.find(id);
    if (!there) throw new NotFoundError(`No project has the id ${id}.`);
    if (!there.archivedAt && changedFields(settingsOf(there), wanted).length === 0) return;
    if (await store.replace(there, wanted)) return;
  }
  throw new ConflictError('changing', 'Someone else is changing this project. Import the file again.');
}
