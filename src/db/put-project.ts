import { changedFields } from '../domain/definition-changes.js';
import { ConflictError } from '../domain/errors.js';
import { settingsOf, type ProjectSettings, type ProjectStore } from './projects.js';

/** A round is lost only to somebody who has changed the same project in it. */
const MAX_ROUNDS = 10;

/** What a project file says of its project. */
export interface WantedProject extends ProjectSettings {
  id: string;
}

/**
 * Makes a project, or changes the one with this id. Its slug stays as it was first: addresses hold it. Safe to repeat,
 * and to call at the same time.
 * @throws ConflictError when others keep changing it
 */
export async function putProject(store: ProjectStore, { id, name, retentionDays }: WantedProject): Promise<void> {
  const wanted = { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const there = await store.find(id);
    if (there) {
      if (!there.archivedAt && changedFields(settingsOf(there), wanted).length === 0) return;
      if (await store.replace(there, wanted)) return;
    } else {
      if ((await store.insert({ _id: id, ...wanted, revision: 1, createdAt: new Date() })).isNew) return;
    }
  }
  throw new ConflictError('changing', 'Somebody else is changing the same project; import the file again.');
}
