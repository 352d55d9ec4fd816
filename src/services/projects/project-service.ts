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

/** A round is lost only to somebody who has changed the same project in it. */
const MAX_ROUNDS = 10;

/** A project, and what its reader is in it. */
export interface SeenProject {
  project: Project;
  role: Role | 'admin';
}

export interface ProjectServiceDeps {
  store: ProjectStore;
  memberships: MembershipStore;
  access: AccessControl;
  audit: Audit;
  /** The database's. */
  clock: Clock;
  /** Makes a webhook token for a project without one. Safe to repeat. */
  openWebhooks(projectId: string): Promise<void>;
  /** Counts open runs, tests of suites included, up to a limit. */
  countOpen: OpenRunCounter;
  /** Revokes its webhook tokens and open invitations, and ends its schedules. Safe to repeat. */
  closeTriggers(projectId: string): Promise<void>;
}

/** Each throws the driver's error when the database does not answer in time. */
export interface ProjectService {
  /** What the caller may see, by name. @throws InvalidInputError for a cursor of another list */
  list(caller: Caller, search: string | undefined, request: PageRequest): Promise<Page<SeenProject>>;
  /** @throws NotFoundError */
  get(caller: Caller, id: string): Promise<SeenProject>;
  /** The caller becomes its owner. @param key Idempotency-Key. @throws IdempotencyConflictError */
  create(caller: Caller, wanted: NewProject, key: string | undefined): Promise<SeenProject & { isNew: boolean }>;
  /** @throws ChangedMeanwhileError, NotFoundError */
  edit(caller: Caller, id: string, expected: ExpectedRevision, changes: ProjectChanges): Promise<SeenProject>;
  /** How many runs a removal stops, tests of suites included; counted up to OPEN_RUNS_COUNTED. */
  countOpenRuns(id: string): Promise<number>;
  /** Hides it, closes its webhooks and ends its schedules. Its open runs are stopped soon after, and all stay until their retention. Safe to repeat. @throws ChangedMeanwhileError, NotFoundError */
  remove(caller: Caller, id: string, expected: ExpectedRevision): Promise<void>;
}

export function createProjectService(deps: ProjectServiceDeps): ProjectService {
  const { store, memberships, access, audit, clock, openWebhooks, closeTriggers, countOpen } = deps;

  async function live(id: string): Promise<Project> {
    const project = await store.find(id);
    if (!project || project.archivedAt) throw new NotFoundError(RESOURCE_NOT_FOUND);
    return project;
  }

  async function seen(principal: Principal, project: Project): Promise<SeenProject> {
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

    get: async ({ principal }, id) => seen(principal!, await live(id)),

    async create(caller, wanted, key) {
      const creation = creationOf(caller.principal!, 'project', key, wanted);
      const createdBy = caller.principal!.userId!;
      const { document, isNew } = await store.insert({
        ...creation,
        ...wanted,
        createdAt: clock.now(),
        createdBy,
        revision: 1,
      });
      if (!document.archivedAt) {
        await ensureOwner(memberships, document);
        await openWebhooks(document._id);
      }
      // It may be long ago, and somebody else's by now.
      if (!isNew) await access.inProject(caller.principal!, 'project.read', document._id);
      if (isNew) await note(caller, 'project.create', document);
      return { ...(await seen(caller.principal!, document)), isNew };
    },

    async edit(caller, id, expected, { name, retentionDays }) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const there = await live(id);
        checkRevision(expected, there.revision);
        const before = settingsOf(there);
        const days = retentionDays === undefined ? before.retentionDays : (retentionDays ?? undefined);
        const next = { name: name ?? before.name, ...(days === undefined ? {} : { retentionDays: days }) };
        const fields = changedFields(before, next);
        const project = fields.length === 0 ? there : await store.replace(there, next);
        if (!project) continue;
        if (fields.length > 0) await note(caller, 'project.edit', project, fields);
        return seen(caller.principal!, project);
      }
      throw changedMeanwhile();
    },

    countOpenRuns: (id) => countOpen(id, OPEN_RUNS_COUNTED),

    async remove(caller, id, expected) {
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const there = await store.find(id);
        if (!there) throw new NotFoundError(RESOURCE_NOT_FOUND);
        if (!there.archivedAt) {
          checkRevision(expected, there.revision);
          if (!(await store.archive(there))) continue;
          await note(caller, 'project.remove', there);
        }
        return closeTriggers(id);
      }
      throw changedMeanwhile();
    },
  };
}
