import type { Profile } from '../domain/variables.js';
import type { Collections } from './collections.js';
import { insertOnce } from './insert-once.js';

const OPTIONS = { maxTimeMS: 2000 };

export type ProfileChange = Partial<Pick<Profile, 'name' | 'isDefault' | 'variables'>>;

/**
 * Sets of variables. Each call throws the driver's error when the database does not answer in time; writes throw its
 * duplicate-key error for a name that the project has already.
 */
export interface ProfileStore {
  find(id: string): Promise<Profile | undefined>;
  /** All of a project, by name. */
  ofProject(projectId: string): Promise<Profile[]>;
  /** Those that count for a run: the project's default one, then the chosen one. */
  ofRun(projectId: string, chosenId: string | undefined): Promise<Profile[]>;
  /** As insertOnce. */
  insertOnce(profile: Profile): Promise<{ document: Profile; isNew: boolean }>;
  /** @returns the profile after the change; undefined when its revision is another, or it is gone */
  change(id: string, revision: number, change: ProfileChange): Promise<Profile | undefined>;
  /** @returns false when its revision is another, or it is gone */
  remove(id: string, revision: number): Promise<boolean>;
  /** Takes the place of the default from whatever profile has it, except `id`. */
  clearDefault(projectId: string, id: string): Promise<void>;
}

export function createProfileStore({ profiles }: Pick<Collections, 'profiles'>): ProfileStore {
  return {
    find: async (id) => (await profiles.findOne({ _id: id }, OPTIONS)) ?? undefined,

    ofProject: (projectId) =>
      profiles
        .find({ projectId }, { ...OPTIONS, hint: 'profiles_of_project' })
        .sort({ name: 1 })
        .toArray(),

    async ofRun(projectId, chosenId) {
      const ofProject = { projectId, isDefault: true };
      const found = await profiles
        .find(chosenId === undefined ? ofProject : { $or: [ofProject, { _id: chosenId, projectId }] }, OPTIONS)
        .toArray();
      return found.sort((a, b) => Number(a._id === chosenId) - Number(b._id === chosenId));
    },

    insertOnce: (profile) => insertOnce(profiles, profile),

    change: async (id, revision, change) =>
      (await profiles.findOneAndUpdate(
        { _id: id, revision },
        { $set: change, $currentDate: { modifiedAt: true }, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )) ?? undefined,

    remove: async (id, revision) => (await profiles.deleteOne({ _id: id, revision })).deletedCount === 1,

    clearDefault: async (projectId, id) =>
      void (await profiles.updateMany(
        { projectId, isDefault: true, _id: { $ne: id } },
        { $set: { isDefault: false }, $currentDate: { modifiedAt: true }, $inc: { revision: 1 } },
        { hint: 'default_profile' },
      )),
  };
}
