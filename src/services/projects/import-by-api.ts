import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { PoolStore } from '#src/db/pools/pool-store.js';
import type { ProjectStore } from '#src/db/projects/project-store.js';
import { InvalidInputError, NotFoundError } from '#src/domain/errors.js';
import { randomId } from '#src/domain/ids.js';
import { ProjectFileError } from '#src/domain/project-file/project-file-error.js';
import { withIds, type ParsedProjectFile, type ProjectFile } from '#src/domain/project-file/project-file.js';
import type { Project } from '#src/domain/records.js';
import type { Principal } from '#src/domain/people/rights.js';
import type { AccessControl } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import { applyProjectFile, refuseIdsOfOthers, refuseUnknownIds, type ProjectDeps } from './apply-project-file.js';
import { checkPoolsOfFile } from '#src/services/targets/check-pool.js';
import { ensureOwner } from './ensure-owner.js';
import type { ProjectFileParser } from './parse-in-thread.js';
import { changeOfProject, planImport, type ImportPlan, type PlannedChange } from './plan-import.js';
import { originOf, projectOfFile } from './project-of-file.js';

const MAX_PROBLEMS = 100;
const MAX_RECORDED_CHANGES = 100;

export interface ImportOptions {
  /** Report the changes without applying them. */
  dryRun: boolean;
  /** Absolute base of relative `cwd`s; undefined: they are rejected. */
  folder?: string;
}

/** IDs are absent in a dry run that would create the project. */
export interface ImportOutcome {
  projectId?: string;
  name: string;
  dryRun: boolean;
  changes: (Omit<PlannedChange, 'id'> & { id?: string })[];
  /** Number of tests, suites and schedules that the file does not change. */
  unchanged: number;
}

export interface ProjectImporterDeps extends ProjectDeps {
  store: ProjectStore;
  memberships: MembershipStore;
  pools: Pick<PoolStore, 'openTo' | 'list'>;
  access: AccessControl;
  audit: Audit;
  parse: ProjectFileParser;
  /** Called after schedules were recorded; never throws. */
  schedulesChanged(...ids: string[]): Promise<void>;
}

/**
 * Imports a project file. The caller needs `definitions.edit`; `project.edit` if the file changes the project itself;
 * `project.remove` to restore a deleted project; `projects.create` for a new one. A file without `id` is matched by
 * name, see projectOfFile; only an admin may import an unknown ID.
 * @throws InvalidInputError with a field `line <n>` for each problem; NotFoundError, ForbiddenError
 */
export type ProjectImporter = (caller: Caller, text: string, options: ImportOptions) => Promise<ImportOutcome>;

export function createProjectImporter(deps: ProjectImporterDeps): ProjectImporter {
  const { collections, clock, store, memberships, pools, access, audit, parse, schedulesChanged } = deps;

  async function checkRights({ principal }: Caller, file: ProjectFile, project: Project | undefined): Promise<void> {
    if (!project) return access.inInstance(principal!, 'projects.create');
    await access.inProject(principal!, project.archivedAt ? 'project.remove' : 'definitions.edit', project._id);
    if (!project.archivedAt && changeOfProject(project, file))
      await access.inProject(principal!, 'project.edit', project._id);
  }

  /** Finds the project of a file. @throws NotFoundError, the same for an unknown ID and for an inaccessible project */
  async function find({ principal }: Caller, { id, name }: ParsedProjectFile): Promise<Project | undefined> {
    if (id === undefined) return projectOfFile(deps, principal!, name);
    const project = await store.find(id);
    if (!project && !principal!.isAdmin) throw new NotFoundError(unknownProject(id));
    return project && withOwner(project);
  }

  /** @returns another project if a concurrent import of the same file created it first */
  async function create({ principal }: Caller, { id, name, retentionDays }: ProjectFile, isFoundByName: boolean) {
    const origin = { origin: isFoundByName ? originOf(principal!, name) : { by: originOf(principal!, name).by } };
    const created = { createdAt: clock.now(), createdBy: principal!.userId! };
    const project = { _id: id, name, retentionDays, revision: 1, ...created, ...origin };
    const { document } = await store.insert(project);
    if (document._id === id || (await hasAccess(principal!, await withOwner(document)))) return document;
    // The caller has left the project that they imported by this name, so the name may be used for a new one.
    await store.forgetOrigin(document._id);
    return (await store.insert(project)).document;
  }

  async function hasAccess(principal: Principal, { _id }: Project): Promise<boolean> {
    return principal.isAdmin || (await memberships.roleOf(principal.userId!, _id)) !== undefined;
  }

  async function run(caller: Caller, parsed: ParsedProjectFile, dryRun: boolean): Promise<ImportOutcome> {
    const existing = await find(caller, parsed);
    const planned = withIds(parsed, existing?._id ?? parsed.id ?? randomId(), '');
    await checkRights(caller, planned, existing).catch((error: unknown) => {
      throw error instanceof NotFoundError && parsed.id !== undefined
        ? new NotFoundError(unknownProject(parsed.id))
        : error;
    });
    if (caller.principal!.isAdmin) await refuseIdsOfOthers(collections, planned, '');
    else await refuseUnknownIds(collections, parsed, existing?._id, '');
    await checkPoolsOfFile(pools, planned, '');
    if (dryRun)
      return outcome(planned, await planImport(collections, existing, planned), dryRun, existing !== undefined);

    const project = existing ?? (await withOwner(await create(caller, planned, parsed.id === undefined)));
    const file = project._id === planned.id ? planned : withIds(parsed, project._id, '');
    if (!existing) await checkRights(caller, file, project);
    const plan = await planImport(collections, existing, file);
    await applyProjectFile(deps, file);
    if (plan.changes.length > 0) await note(caller, file, plan.changes);
    await schedulesChanged(...plan.changes.filter(({ kind }) => kind === 'schedule').map(({ id }) => id));
    return outcome(file, plan, dryRun, true);
  }

  async function withOwner(project: Project): Promise<Project> {
    await ensureOwner(memberships, project);
    return project;
  }

  const note = (caller: Caller, { id, name }: ProjectFile, changes: PlannedChange[]) =>
    audit.note(caller, 'project.import', {
      projectId: id,
      target: { type: 'project', id, name },
      details: { count: changes.length, changes: changes.slice(0, MAX_RECORDED_CHANGES).map(inWords) },
    });

  return async (caller, text, { dryRun, folder }) => {
    try {
      const parsed = await parse({ text, folder, fileName: '' });
      return await run(caller, parsed, dryRun);
    } catch (error) {
      throw error instanceof ProjectFileError ? asInvalidInput(error) : error;
    }
  };
}

function outcome(
  { id, name }: ProjectFile,
  { changes, unchanged }: ImportPlan,
  dryRun: boolean,
  exists: boolean,
): ImportOutcome {
  const listed = changes.map(({ id: changed, ...change }) => (exists ? { id: changed, ...change } : change));
  return { ...(exists ? { projectId: id } : {}), name, dryRun, changes: listed, unchanged };
}

const unknownProject = (id: string) =>
  `You have no project with the ID ${id} that you can edit. Correct \`id\` in the file, or remove it to import by name.`;

function inWords({ change, kind, name, fields }: PlannedChange): string {
  return `${change} ${kind} "${name}"${fields ? `: ${fields.join(', ')}` : ''}`;
}

function asInvalidInput({ problems }: ProjectFileError): InvalidInputError {
  const { line, message } = problems[0]!;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const fields = problems.slice(0, MAX_PROBLEMS).map(({ line, message }) => ({ field: `line ${line}`, message }));
  return new InvalidInputError(`The project file has an error on line ${line}: ${message}${more}`, { fields });
}
