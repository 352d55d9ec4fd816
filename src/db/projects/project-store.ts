import type { Collection, Filter } from 'mongodb';
import type { PageRequest } from '#src/domain/page.js';
import type { Project, ProjectOrigin } from '#src/domain/records.js';
import { containing } from '#src/db/query/containing.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';
import { idsOf } from '#src/db/query/ids-of.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { readPage } from '#src/db/query/page.js';
import { slugOf } from '#src/db/query/slug.js';

const OPTIONS = { maxTimeMS: 2000 };

/** The editable settings of a project; without `retentionDays` the servers' default applies. */
export interface ProjectSettings {
  name: string;
  retentionDays?: number;
}

export type ProjectStore = ReturnType<typeof createProjectStore>;

/** The projects. Each call throws the driver's error when the database does not answer in time. */
export function createProjectStore({ projects }: { projects: Collection<Project> }) {
  const find = async (id: string) => (await projects.findOne({ _id: id }, OPTIONS)) ?? undefined;
  const findByOrigin = async (origin: ProjectOrigin | undefined) =>
    origin?.name === undefined
      ? undefined
      : ((await projects.findOne({ 'origin.by': origin.by, 'origin.name': origin.name }, OPTIONS)) ?? undefined);
  return {
    /** Includes archived projects. */
    find,
    /** The project that this import created, archived or not. */
    findByOrigin,
    /** Live projects, by name. @param ids undefined: all. @throws InvalidInputError for a cursor of another list */
    page: (ids: readonly string[] | undefined, search: string | undefined, request: PageRequest) =>
      readPage<Project, Project>(
        projects,
        {
          filter: {
            archivedAt: { $exists: false },
            _id: ids && { $in: [...ids] },
            name: search === undefined ? undefined : containing(search),
          } as Filter<Project>,
          sort: [
            { field: 'name', order: 1, type: 'text' },
            { field: '_id', order: 1, type: 'text' },
          ],
        },
        request,
      ),
    /** Imports no longer find the project by its origin. Safe to repeat. */
    async forgetOrigin(id: string) {
      await projects.updateOne({ _id: id }, { $unset: { 'origin.name': '' } });
    },
    async isArchived(id: string) {
      const filter = { _id: id, archivedAt: { $exists: true } };
      return (await projects.findOne(filter, { ...OPTIONS, projection: { _id: 1 } })) !== null;
    },
    /** The `ids` of projects that are not archived. */
    liveAmong: (ids: readonly string[]) =>
      idsOf(projects, { _id: { $in: [...ids] }, archivedAt: { $exists: false } }, OPTIONS),
    /** Inserts it with a unique slug, or returns the project that its origin has created. @throws IdempotencyConflictError; see insertOnce */
    async insert(project: Omit<Project, 'slug'>) {
      const slug = slugOf(project.name);
      // Servers may accept runs before they know the setting, so retention checks them. Timed by the database's clock.
      const retentionChangedAt = project.retentionDays === undefined ? undefined : project.createdAt;
      // The id makes a taken slug unique, and stays the same on a retry.
      for (const candidate of [slug, `${slug}-${project._id.slice(0, 8)}`, `${slug}-${project._id}`]) {
        try {
          const inserted = await insertOnce(projects, { ...project, retentionChangedAt, slug: candidate });
          if (inserted.isNew && project.retentionDays !== undefined)
            await projects.updateOne({ _id: project._id }, { $currentDate: { retentionChangedAt: true } });
          return inserted;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          const existing = (await find(project._id)) ?? (await findByOrigin(project.origin));
          if (existing) return { document: existing, isNew: false };
        }
      }
      throw new Error(`No slug is available for the project "${project.name}". Choose a different name.`);
    },
    /** Writes the next revision and restores an archived project. @returns undefined when the revision has changed */
    async replace(existing: Project, { name, retentionDays }: ProjectSettings): Promise<Project | undefined> {
      const replaced = await projects.findOneAndUpdate(
        { _id: existing._id, revision: existing.revision },
        {
          // A field that is in both would be refused, even if it is undefined here.
          $set: { name, revision: existing.revision + 1, ...(retentionDays !== undefined && { retentionDays }) },
          $unset: { archivedAt: '', stopRunsSince: '', ...(retentionDays === undefined && { retentionDays: '' }) },
          // Retention then updates the expiry of existing runs.
          ...(retentionDays === existing.retentionDays ? {} : { $currentDate: { retentionChangedAt: true } }),
        },
        { returnDocument: 'after' },
      );
      return replaced ?? undefined;
    },
    /** Its open runs are then stopped (see removed-project-store.ts). @returns false when the revision has changed */
    async archive({ _id, revision }: Project) {
      const { matchedCount } = await projects.updateOne(
        { _id, revision },
        { $currentDate: { archivedAt: true, stopRunsSince: true } },
      );
      return matchedCount === 1;
    },
  };
}

export function settingsOf({ name, retentionDays }: Project): ProjectSettings {
  return { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
}
