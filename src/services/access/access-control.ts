import type { MembershipStore } from '#src/db/people/membership-store.js';
import type { ProjectStore } from '#src/db/projects/project-store.js';
import { ForbiddenError, NotFoundError } from '#src/domain/errors.js';
import {
  decideInInstance,
  decideInProject,
  decideInRemovedProject,
  INSTANCE_RIGHTS,
  PROJECT_RIGHTS,
  type Decision,
  type InstanceRight,
  type Principal,
  type ProjectRight,
  type Scope,
} from '#src/domain/people/rights.js';
import { SERVICE_RESPONSE_MS, withinResponseTime } from '#src/services/within-response-time.js';

export type AccessControl = ReturnType<typeof createAccessControl>;

export const RESOURCE_NOT_FOUND = 'The resource does not exist, or you do not have access to it.';

export interface AccessControlDeps {
  memberships: Pick<MembershipStore, 'roleOf' | 'ofUser'>;
  projects: Pick<ProjectStore, 'isArchived' | 'liveAmong'>;
}

/** The only place where rights are checked. */
export function createAccessControl({ memberships, projects }: AccessControlDeps) {
  return {
    /**
     * @param projectId undefined: the requested resource does not exist
     * @returns the project, and the caller's role as a member of it
     * @throws NotFoundError, the same for a missing and an inaccessible project; ForbiddenError when the caller may see
     *   the project but lacks the right; UnavailableError when the database does not respond. A deleted project counts
     *   as missing, except for callers who may delete it (to repeat or undo that) and for admins, who still see and
     *   stop its runs
     */
    async inProject(principal: Principal, right: ProjectRight, projectId: string | undefined) {
      if (projectId === undefined) throw new NotFoundError(RESOURCE_NOT_FOUND);
      const [role, isRemoved] = await withinResponseTime(SERVICE_RESPONSE_MS, () =>
        Promise.all([
          principal.userId === undefined || principal.isAdmin
            ? undefined
            : memberships.roleOf(principal.userId, projectId),
          right !== 'project.remove' && projects.isArchived(projectId),
        ]),
      );
      const decision = isRemoved
        ? decideInRemovedProject(principal, right, projectId)
        : decideInProject(principal, right, projectId, role);
      refuseUnlessAllowed(decision, principal, PROJECT_RIGHTS[right].scope);
      return { id: projectId, role, isRemoved: isRemoved || undefined };
    },

    /** @throws ForbiddenError */
    inInstance(principal: Principal, right: InstanceRight) {
      refuseUnlessAllowed(decideInInstance(principal, right), principal, INSTANCE_RIGHTS[right].scope);
    },

    /** The projects that a caller may read; undefined: all. */
    async visibleProjects(principal: Principal) {
      if (principal.projectId !== undefined) return [principal.projectId];
      if (principal.isAdmin) return undefined;
      return withinResponseTime(SERVICE_RESPONSE_MS, async () => {
        const own = await memberships.ofUser(principal.userId!);
        return projects.liveAmong(own.map(({ projectId }) => projectId));
      });
    },
  };
}

function refuseUnlessAllowed(decision: Decision, { scopes }: Principal, scope: Scope): void {
  if (decision === 'hidden') throw new NotFoundError(RESOURCE_NOT_FOUND);
  if (decision === 'allowed') return;
  if (!scopes.includes(scope)) throw new ForbiddenError(missingScope(scope), 'scope_missing');
  throw new ForbiddenError('Your role does not allow this. Ask a project owner or an admin.');
}

function missingScope(scope: Scope): string {
  const remedy =
    scope === 'admin'
      ? 'Sign in, or for a program create a personal API token with this scope in your account settings.'
      : 'Use a token that has it, or sign in.';
  return `This API token lacks the scope "${scope}". ${remedy}`;
}
