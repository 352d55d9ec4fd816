import type { Collection, Filter } from 'mongodb';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { Project, ProjectOrigin } from '#src/domain/records.js';
import { containing } from '#src/db/query/containing.js';
import { isDuplicateKey } from '#src/db/query/duplicate-key.js';
import { insertOnce } from '#src/db/query/insert-once.js';
import { readPage } from '#src/db/query/page.js';
import { slugOf } from '#src/db/query/slug.js';

const OPTIONS = { maxTimeMS: 2000 };

/** What can be changed of a project; without days its runs are kept as the servers are told. */
export interface ProjectSettings {
  name: string;
  retentionDays?: number;
}

/** The projects. Each call throws the driver's error when the database does not answer in time. */
export interface ProjectStore {
  /** Live ones, by name. @param ids none: of all. @throws InvalidInputError for a cursor of another list */
  page(ids: readonly string[] | undefined, search: string | undefined, request: PageRequest): Promise<Page<Project>>;
  /** Also one that is archived. */
  find(id: string): Promise<Project | undefined>;
  /** The one that this import created; also one that is archived. */
  findByOrigin(origin: ProjectOrigin): Promise<Project | undefined>;
  /** An import by `origin` does not find it any more. Safe to repeat. */
  forgetOrigin(id: string): Promise<void>;
  isArchived(id: string): Promise<boolean>;
  /** Those of `ids` that are not archived. */
  liveAmong(ids: readonly string[]): Promise<string[]>;
  /** Gives it an address of its own; where its origin has created one, that one is returned. @throws IdempotencyConflictError; see insertOnce */
  insert(project: Omit<Project, 'slug'>): Promise<{ document: Project; isNew: boolean }>;
  /** Makes the next revision, live. @returns undefined when it is not in this revision any more */
  replace(there: Project, next: ProjectSettings): Promise<Project | undefined>;
  /** Its open runs are stopped from now on (see db/removed-projects.ts). @returns false when it is not in this revision any more */
  archive(there: Project): Promise<boolean>;
}

export function createProjectStore({ projects }: { projects: Collection<Project> }): ProjectStore {
  const find = async (id: string) => (await projects.findOne({ _id: id }, OPTIONS)) ?? undefined;
  const findByOrigin = async (origin: ProjectOrigin | undefined) =>
    origin?.name === undefined
      ? undefined
      : ((await projects.findOne({ 'origin.by': origin.by, 'origin.name': origin.name }, OPTIONS)) ?? undefined);
  return {
    find,
    findByOrigin,
    page: (ids, search, request) =>
      readPage<Project, Project>(
        projects,
        {
          filter: {
            archivedAt: { $exists: false },
            ...(ids === undefined ? {} : { _id: { $in: [...ids] } }),
            ...(search === undefined ? {} : { name: containing(search) }),
          } as Filter<Project>,
          sort: [
            { field: 'name', order: 1, type: 'text' },
            { field: '_id', order: 1, type: 'text' },
          ],
        },
        request,
      ),
    async forgetOrigin(id) {
      await projects.updateOne({ _id: id }, { $unset: { 'origin.name': '' } });
    },
    async isArchived(id) {
      const filter = { _id: id, archivedAt: { $exists: true } };
      return (await projects.findOne(filter, { ...OPTIONS, projection: { _id: 1 } })) !== null;
    },
    async liveAmong(ids) {
      const filter = { _id: { $in: [...ids] }, archivedAt: { $exists: false } };
      return (await projects.find(filter, { ...OPTIONS, projection: { _id: 1 } }).toArray()).map(({ _id }) => _id);
    },
    async insert(project) {
      const slug = slugOf(project.name);
      // Runs may have been accepted before every server knows the days. The database's clock decides when it does.
      const followed = project.retentionDays === undefined ? {} : { retentionChangedAt: project.createdAt };
      // A slug that another project has gets a part of the id, which is the same at every try.
      for (const candidate of [slug, `${slug}-${project._id.slice(0, 8)}`, `${slug}-${project._id}`]) {
        try {
          const made = await insertOnce(projects, { ...project, ...followed, slug: candidate });
          if (made.isNew && project.retentionDays !== undefined)
            await projects.updateOne({ _id: project._id }, { $currentDate: { retentionChangedAt: true } });
          return made;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
          const there = (await find(project._id)) ?? (await findByOrigin(project.origin));
          if (there) return { document: there, isNew: false };
        }
      }
      throw new Error(`No slug is available for the project "${project.name}". Choose a different name.`);
    },
    async replace(there, { name, retentionDays }) {
      const days = retentionDays === undefined ? { $unset: { retentionDays: '' as const } } : {};
      const replaced = await projects.findOneAndUpdate(
        { _id: there._id, revision: there.revision },
        {
          $set: { name, revision: there.revision + 1, ...(retentionDays === undefined ? {} : { retentionDays }) },
          $unset: { archivedAt: '', stopRunsSince: '', ...days.$unset },
          // Retention lets the runs on record follow.
          ...(retentionDays === there.retentionDays ? {} : { $currentDate: { retentionChangedAt: true } }),
        },
        { returnDocument: 'after' },
      );
      return replaced ?? undefined;
    },
    async archive({ _id, revision }) {
      const { matchedCount } = await projects.updateOne(
        { _id, revision },
        { $currentDate: { archivedAt: true, stopRunsSince: true } },
      );
      return matchedCount === 1;
    },
  };
}

/** What of a project can be changed. */
export function settingsOf({ name, retentionDays }: Project): ProjectSettings {
  return { name, ...(retentionDays === undefined ? {} : { retentionDays }) };
}
