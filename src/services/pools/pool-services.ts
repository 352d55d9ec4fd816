import { createPoolStore, projectsUsing } from '#src/db/pools/pool-store.js';
import { createProjectStore, type ProjectStore } from '#src/db/projects/project-store.js';
import { ConflictError, InvalidInputError, NotFoundError, type FieldProblem } from '#src/domain/errors.js';
import { DEFAULT_POOL, type Pool, type PoolSettings } from '#src/domain/pool.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '#src/domain/targets/revision.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Caller } from '#src/services/people/audit-log.js';
import type { ServiceDeps } from '#src/services/service-deps.js';

const PROJECTS_NAMED = 3;

export type PoolServices = ReturnType<typeof createPoolServices>;

/** Operations of admins on pools. Each throws the driver's error when the database does not respond in time. */
export function createPoolServices({ collections, audit }: Pick<ServiceDeps, 'collections' | 'audit'>) {
  const store = createPoolStore(collections);
  const projects = createProjectStore(collections);

  async function get(name: string): Promise<Pool> {
    const pool = await store.find(name);
    if (!pool) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return pool;
  }

  const note = (caller: Caller, verb: string, name: string, { projects: open }: PoolSettings) =>
    audit.note(caller, `pool.${verb}`, { target: { type: 'pool', id: name, name }, details: { projects: open } });

  return {
    /** All of them, by name. */
    list: store.list,
    /** @throws NotFoundError */
    get,
    /** Names of the pools that a project may use. */
    openTo: store.openTo,
    /** The first projects by name, for the options of a form. */
    async projects(max: number) {
      const { items } = await projects.page(undefined, undefined, { limit: max });
      return items.map(({ _id: id, name }) => ({ id, name }));
    },

    /** @throws ConflictError `name_taken`; InvalidInputError for a project that does not exist */
    async create(caller: Caller, name: string, settings: PoolSettings) {
      await checkProjects(projects, settings);
      if (!(await store.insert(name, settings)))
        throw new ConflictError(
          'name_taken',
          `A pool named "${name}" already exists. Choose a different name, or change that pool.`,
        );
      await note(caller, 'create', name, settings);
      return get(name);
    },

    /** @throws ChangedMeanwhileError, NotFoundError; InvalidInputError for a project that does not exist */
    async change(caller: Caller, name: string, expected: ExpectedRevision, changes: Partial<PoolSettings>) {
      await checkProjects(projects, changes);
      const pool = await get(name);
      checkRevision(expected, pool.revision);
      const { description = pool.description, projects: open = pool.projects } = changes;
      const changed = await store.replace(name, pool.revision, { description, projects: open });
      if (!changed) throw changedMeanwhile();
      await note(caller, 'change', name, changed);
      return changed;
    },

    /** @throws ChangedMeanwhileError, NotFoundError; ConflictError `in_use` with the projects whose tests use it */
    async remove(caller: Caller, name: string, expected: ExpectedRevision) {
      const pool = await get(name);
      checkRevision(expected, pool.revision);
      if (name === DEFAULT_POOL)
        throw new ConflictError('in_use', 'The default pool cannot be deleted. Remove its projects instead.');
      const using = await projectsUsing(collections, name);
      if (using.length > 0) throw inUse(await namesOf(projects, using), using.length);
      if (!(await store.remove(name, pool.revision))) throw changedMeanwhile();
      await note(caller, 'remove', name, pool);
    },
  };
}

async function checkProjects(store: ProjectStore, { projects }: Partial<PoolSettings>): Promise<void> {
  if (projects === undefined || projects === 'all') return;
  const live = new Set(await store.liveAmong(projects));
  const fields = projects.flatMap((id, index): FieldProblem[] => {
    const field = `projects.${index}`;
    return live.has(id) ? [] : [{ field, message: `${field}: no project has the ID ${id}` }];
  });
  if (fields.length > 0) throw new InvalidInputError(fields[0]!.message, { fields });
}

async function namesOf(store: ProjectStore, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.slice(0, PROJECTS_NAMED).map((id) => store.find(id)));
  return found.map((project, index) => `"${project?.name ?? ids[index]}"`);
}

function inUse(names: readonly string[], count: number): ConflictError {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const message = `Tests in the projects ${names.join(', ')}${more} use this pool. Choose a different pool for them first.`;
  return new ConflictError('in_use', message);
}
