import type { OpenRunCounter } from '#src/db/runs/count-open-runs.js';
import type { MembershipStore } from '#src/db/people/membership-store.js';
import { settingsOf, type ProjectStore } from '#src/db/projects/project-store.js';
import { changedFields } from '#src/domain/targets/definition-changes.js';
import type { NewProject, ProjectChanges } from '#src/domain/targets/definition-schemas.js';
import type { Clock } from '#src/domain/clock.js';
import { NotFoundError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import { OPEN_RUNS_COUNTED } from '#src/domain/runs/open-runs-counted.js';
import type { Page, PageRequest } from '#src/domain/page.js';
import type { Project } from '#src/domain/records.js';
import { changedMeanwhile, checkRevision, type ExpectedRevision } from '#src/domain/targets/revision.js';
import { roleIn, type Principal, type Role } from '#src/domain/people/rights.js';
import { RESOURCE_NOT_FOUND, type AccessControl } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';
import { ensureOwner } from './ensure-owner.js';

/** Each retry follows a concurrent change of the same project. */
const MAX_ROUNDS = 10;

/** A project, and the caller's role in it. */
export interface SeenProject {
  project: Project;
  role: Role | 'admin';
}

export interface ProjectServiceDeps {
  store: ProjectStore;
  memberships: MembershipStore;
  access: AccessControl;
  audit: Audit;
  /** The database's clock. */
  clock: Clock;
  /** Creates a webhook token if the project has none. Safe to repeat. */
  openWebhooks(projectId: string): Promise<void>;
  /** Counts open runs, including tests of suites, up to a limit. */
  countOpen: OpenRunCounter;
  /** Revokes webhook tokens and open invitations, and archives schedules. Safe to repeat. */
  closeTriggers(projectId: string): Promise<void>;
}

/** Each throws the driver's error when the database does not respond in time. */
export interface ProjectService {
  /** Lists the projects that the caller may read, by name. @throws InvalidInputError for a cursor of another list */
  list(caller: Caller, search: string | undefined, request: PageRequest): Promise<Page<SeenProject>>;
  /** @throws NotFoundError */
  get(caller: Caller, id: string): Promise<SeenProject>;
  /** The caller becomes its owner. @param key Idempotency-Key. @throws IdempotencyConflictError */
  create(caller: Caller, input: NewProject, key: string | undefined): Promise<SeenProject & { isNew: boolean }>;
  /** @throws ChangedMeanwhileError, NotFoundError */
  edit(caller: Caller, id: string, expected: ExpectedRevision, changes: ProjectChanges): Promise<SeenProject>;
  /** Counts the runs that a deletion stops, including tests of suites, up to OPEN_RUNS_COUNTED. */
  countOpenRuns(id: string): Promise<number>;
  /**
   * Deletes a project: hides it, revokes its webhook tokens and archives its schedules. Its open runs are stopped soon
   * after; all runs stay until their retention. Safe to repeat. @throws ChangedMeanwhileError, NotFoundError
   */
  remove(caller: Caller, id: string, expected: ExpectedRevision): Promise<void>;
}

export function createProjectService(deps: ProjectServiceDeps): ProjectService {
  const { store, memberships, access, audit, clock, openWebhooks, closeTriggers, countOpen } = deps;

  async function live(id: string): Promise<Project> {
    const project = await store.find(id);
    if (!project || project.archivedAt) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return project;
  }

  async function withRole(principal: Principal, project: Project): Promise<SeenProject> {
    const membership = principal.userId && (await memberships.roleOf(principal.userId, project._id));
    return { project, role: roleIn(principal, project._id, membership || undefined) ?? 'viewer' };
  }

  const note = (caller: Caller, action: string, { _id, name }: Project, fields?: string[]) =>
    audit.note(caller, action, {
      projectId: _id,
      target: { type: 'project', id: _id, name },
      ...(fields ? { details: { fields } } : {}),
    });

  return {
    async list({ principal }, search, request) {
      const who = principal!;
      const page = await store.page(await access.visibleProjects(who), search, request);
      const roles = new Map<string, Role>();
      if (who.userId !== undefined)
        for (const { projectId, role } of await memberships.ofUser(who.userId)) roles.set(projectId, role);
      const items = page.items.map((project) => ({
        project,
        role: roleIn(who, project._id, roles.get(project._id)) ?? 'viewer',
      }));
      return { ...page, items };
    },

    get: async ({ principal }, id) => withRole(principal!, await live(id)),

    async create(caller, input, key) {
      const creation = creationOf(caller.principal!, 'project', key, input);
      const createdBy = caller.principal!.userId!;
      const { document, isNew } = await store.insert({
        ...creation,
        ...input,
        createdAt: clock.now(),
        createdBy,
        revision: 1,
      });
      if (!document.archivedAt) {
        await ensureOwner(memberships, document);
        await openWebhooks(document._id);
      }
      // The earlier call may be long ago, and the caller no longer a member.
      if (!isNew) await access.inProject(caller.principal!, 'project.read', document._id);
      if (isNew) await note(caller, 'project.create', document);
      return { ...(await withRole(caller.principal!, document)), isNew };
    },

    async edit(caller, id, expected, { name, retentionDays }) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const existing = await live(id);
        checkRevision(expected, existing.revision);
        const before = settingsOf(existing);
        const days = retentionDays === undefined ? before.retentionDays : (retentionDays ?? undefined);
        const next = { name: name ?? before.name, ...(days === undefined ? {} : { retentionDays: days }) };
        const fields = changedFields(before, next);
        const project = fields.length === 0 ? existing : await store.replace(existing, next);
        if (!project) continue;
        if (fields.length > 0) await note(caller, 'project.edit', project, fields);
        return withRole(caller.principal!, project);
      }
      throw changedMeanwhile();
    },

    countOpenRuns: (id) => countOpen(id, OPEN_RUNS_COUNTED),

    async remove(caller, id, expected) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const existing = await store.find(id);
        if (!existing) throw new NotFoundError(RESOURCE_NOT_FOUND);
        if (!existing.archivedAt) {
          checkRevision(expected, existing.revision);
          if (!(await store.archive(existing))) continue;
          await note(caller, 'project.remove', existing);
        }
        return closeTriggers(id);
      }
      throw changedMeanwhile();
    },
  };
}
