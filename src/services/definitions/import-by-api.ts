import type { MembershipStore } from '../../db/memberships.js';
import type { ProjectStore } from '../../db/projects.js';
import { InvalidInputError } from '../../domain/errors.js';
import { ProjectFileError } from '../../domain/project-file-error.js';
import type { ProjectFile } from '../../domain/project-file.js';
import type { Project } from '../../domain/records.js';
import type { AccessControl } from '../access.js';
import type { Audit, Caller } from '../audit.js';
import { applyProjectFile, refuseIdsOfOthers, type ProjectDeps } from './apply-project-file.js';
import { ensureOwner } from './ensure-owner.js';
import type { ProjectFileParser } from './parse-in-thread.js';
import { changeOfProject, planImport, type ImportPlan, type PlannedChange } from './plan-import.js';

const PROBLEMS_AT_MOST = 100;
const NOTED_AT_MOST = 100;

export interface ImportOptions {
  /** Only says what it would do. */
  dryRun: boolean;
  /** Absolute base of each relative `cwd`; none, they are refused. */
  folder?: string;
}

export interface ImportOutcome extends ImportPlan {
  projectId: string;
  name: string;
  dryRun: boolean;
}

export interface ProjectImporterDeps extends ProjectDeps {
  store: ProjectStore;
  memberships: MembershipStore;
  access: AccessControl;
  audit: Audit;
  parse: ProjectFileParser;
  /** Told of schedules once they are on record; never throws. */
  schedulesChanged(...ids: string[]): Promise<void>;
}

/**
 * Imports a project file for somebody, who needs `definitions.edit` in its project, `project.edit` too when it changes the
 * project itself, `project.remove` when it brings it back; `projects.create` when it is new.
 * @throws InvalidInputError with a field `line <n>` for each problem; NotFoundError, ForbiddenError
 */
export type ProjectImporter = (caller: Caller, text: string, options: ImportOptions) => Promise<ImportOutcome>;

export function createProjectImporter(deps: ProjectImporterDeps): ProjectImporter {
  const { collections, store, memberships, access, audit, parse, schedulesChanged } = deps;

  async function checkRights({ principal }: Caller, file: ProjectFile, project: Project | undefined): Promise<void> {
    if (!project) return access.inInstance(principal!, 'projects.create');
    await access.inProject(principal!, project.archivedAt ? 'project.remove' : 'definitions.edit', project._id);
    if (!project.archivedAt && changeOfProject(project, file))
      await access.inProject(principal!, 'project.edit', project._id);
  }

  /** Makes the project, unless somebody else is quicker: then it is his. */
  async function make(caller: Caller, { id, name, retentionDays }: ProjectFile): Promise<Project> {
    const days = retentionDays === undefined ? {} : { retentionDays };
    const created = { createdAt: new Date(), createdBy: caller.principal!.userId! };
    return (await store.insert({ _id: id, name, ...days, revision: 1, ...created })).document;
  }

  async function run(caller: Caller, file: ProjectFile, dryRun: boolean): Promise<ImportOutcome> {
    const there = await store.find(file.id);
    await checkRights(caller, file, there && (await owned(there)));
    await refuseIdsOfOthers(collections, file, '');
    const plan = await planImport(collections, there, file);
    if (!dryRun) {
      if (!there) await checkRights(caller, file, await owned(await make(caller, file)));
      await applyProjectFile(deps, file);
      if (plan.changes.length > 0) await note(caller, file, plan.changes);
      await schedulesChanged(...plan.changes.filter(({ kind }) => kind === 'schedule').map(({ id }) => id));
    }
    return { projectId: file.id, name: file.name, dryRun, ...plan };
  }

  async function owned(project: Project): Promise<Project> {
    await ensureOwner(memberships, project);
    return project;
  }

  const note = (caller: Caller, { id, name }: ProjectFile, changes: PlannedChange[]) =>
    audit.note(caller, 'project.import', {
      projectId: id,
      target: { type: 'project', id, name },
      details: { count: changes.length, changes: changes.slice(0, NOTED_AT_MOST).map(inWords) },
    });

  return async (caller, text, { dryRun, folder }) => {
    try {
      const file = await parse({ text, ...(folder === undefined ? {} : { folder }), fileName: '' });
      return await run(caller, file, dryRun);
    } catch (error) {
      throw error instanceof ProjectFileError ? asInvalidInput(error) : error;
    }
  };
}

function inWords({ change, kind, name, fields }: PlannedChange): string {
  return `${change} ${kind} "${name}"${fields ? `: ${fields.join(', ')}` : ''}`;
}

function asInvalidInput({ problems }: ProjectFileError): InvalidInputError {
  const { line, message } = problems[0]!;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const fields = problems.slice(0, PROBLEMS_AT_MOST).map(({ line, message }) => ({ field: `line ${line}`, message }));
  return new InvalidInputError(`The project file has a problem on line ${line}: ${message}${more}`, { fields });
}
