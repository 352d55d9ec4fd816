import type { VariableSet } from '#src/domain/variables/variables.js';
import type { Collections } from '#src/db/schema/collections.js';
import { insertOnce } from '#src/db/query/insert-once.js';

const OPTIONS = { maxTimeMS: 2000 };

export type VariableSetChange = Partial<Pick<VariableSet, 'name' | 'isDefault' | 'variables'>>;

export type VariableSetStore = ReturnType<typeof createVariableSetStore>;

/**
 * Variable sets. Each call throws the driver's error when the database does not answer in time; writes throw its
 * duplicate-key error for a name that exists in the project.
 */
export function createVariableSetStore({ variableSets }: Pick<Collections, 'variableSets'>) {
  return {
    find: async (id: string): Promise<VariableSet | undefined> =>
      (await variableSets.findOne({ _id: id }, OPTIONS)) ?? undefined,

    /** By name. */
    ofProject: (projectId: string): Promise<VariableSet[]> =>
      variableSets
        .find({ projectId }, { ...OPTIONS, hint: 'profiles_of_project' })
        .sort({ name: 1 })
        .toArray(),

    /** The variable sets of a run: the project's default one, then the chosen one. */
    async ofRun(projectId: string, chosenId: string | undefined): Promise<VariableSet[]> {
      const ofProject = { projectId, isDefault: true };
      const found = await variableSets
        .find(chosenId === undefined ? ofProject : { $or: [ofProject, { _id: chosenId, projectId }] }, OPTIONS)
        .toArray();
      return found.sort((a, b) => Number(a._id === chosenId) - Number(b._id === chosenId));
    },

    insertOnce: (variableSet: VariableSet) => insertOnce(variableSets, variableSet),

    /** @returns the changed variable set; undefined when it is missing or its revision has changed */
    change: async (id: string, revision: number, change: VariableSetChange): Promise<VariableSet | undefined> =>
      (await variableSets.findOneAndUpdate(
        { _id: id, revision },
        { $set: change, $currentDate: { modifiedAt: true }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )) ?? undefined,

    /** @returns false when it is missing or its revision has changed */
    remove: async (id: string, revision: number) =>
      (await variableSets.deleteOne({ _id: id, revision })).deletedCount === 1,

    /** Makes the project's other variable sets non-default. */
    clearDefault: async (projectId: string, id: string): Promise<void> =>
      void (await variableSets.updateMany(
        { projectId, isDefault: true, _id: { $ne: id } },
        { $set: { isDefault: false }, $currentDate: { modifiedAt: true }, $inc: { revision: 1 } },
        { hint: 'default_profile' },
      )),
  };
}
