/*
 * The table of all rights. Only `services/access` evaluates it; routes specify the required right.
 */

/** Roles in a project; each includes the rights of the previous ones. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Scopes of API tokens. A signed-in person has all of them. `admin` covers members, invitations, tokens and users; only a
 * session can grant it, so that a token cannot create tokens that outlive it.
 */
export const SCOPES = ['read', 'run', 'edit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes of a project's API token: it acts as an editor, who cannot manage people. */
export const PROJECT_TOKEN_SCOPES = ['read', 'run', 'edit'] as const satisfies readonly Scope[];

interface ProjectRightRule {
  /** Minimum role; `admin`: only admins of the instance, who have access to every project. */
  role: Role | 'admin';
  scope: Scope;
}

/** Rights in a project. A project's API token acts as an editor. */
export const PROJECT_RIGHTS = {
  'project.read': { role: 'viewer', scope: 'read' },
  'project.edit': { role: 'owner', scope: 'edit' },
  'project.remove': { role: 'owner', scope: 'edit' },
  'members.read': { role: 'viewer', scope: 'read' },
  'members.edit': { role: 'owner', scope: 'admin' },
  'membership.leave': { role: 'viewer', scope: 'admin' },
  'definitions.read': { role: 'viewer', scope: 'read' },
  'definitions.edit': { role: 'editor', scope: 'edit' },
  // Names and plain values; secret values are never shown.
  'variables.read': { role: 'viewer', scope: 'read' },
  'variables.edit': { role: 'editor', scope: 'edit' },
  'runs.read': { role: 'viewer', scope: 'read' },
  'runs.start': { role: 'editor', scope: 'run' },
  'runs.stop': { role: 'editor', scope: 'run' },
  // The webhook URL lets its readers start runs.
  'webhookTokens.read': { role: 'editor', scope: 'edit' },
  'webhookTokens.edit': { role: 'owner', scope: 'admin' },
  'apiTokens.read': { role: 'owner', scope: 'edit' },
  'apiTokens.edit': { role: 'owner', scope: 'admin' },
  'audit.read': { role: 'owner', scope: 'read' },
  'limits.read': { role: 'viewer', scope: 'read' },
  'limits.edit': { role: 'admin', scope: 'edit' },
} as const satisfies Record<string, ProjectRightRule>;

export type ProjectRight = keyof typeof PROJECT_RIGHTS;

interface InstanceRightRule {
  /** `anybody`: any credentials; `person`: not a project's token; `session`: signed in. */
  who: 'anybody' | 'person' | 'session' | 'admin';
  scope: Scope;
}

/** Rights that belong to no project. */
export const INSTANCE_RIGHTS = {
  // The response contains only the caller's own account and projects.
  'self.read': { who: 'anybody', scope: 'read' },
  'projects.create': { who: 'person', scope: 'edit' },
  // A stolen API token must not become a password, or another token.
  'account.edit': { who: 'session', scope: 'edit' },
  'users.read': { who: 'admin', scope: 'read' },
  'users.edit': { who: 'admin', scope: 'admin' },
  'instance.read': { who: 'admin', scope: 'read' },
  'pools.edit': { who: 'admin', scope: 'edit' },
} as const satisfies Record<string, InstanceRightRule>;

export type InstanceRight = keyof typeof INSTANCE_RIGHTS;

/** The authenticated caller: a person, with a session or an API token, or a project's token. */
export interface Principal {
  via: 'session' | 'token';
  /** Set for a person. */
  userId?: string;
  /** Set for a project's token. */
  projectId?: string;
  /** For the audit log: the email of a person, the name of a project's token. */
  name: string;
  isAdmin: boolean;
  scopes: readonly Scope[];
  /** The API token's id or the session's. */
  credentialId: string;
  /** Send the session cookie again, to extend its lifetime. */
  renewsCookie?: boolean;
}

/** `hidden`: indistinguishable from a missing resource. */
export type Decision = 'allowed' | 'forbidden' | 'hidden';

/** The role of a principal in a project. */
export function roleIn(
  principal: Principal,
  projectId: string,
  membership: Role | undefined,
): Role | 'admin' | undefined {
  if (principal.projectId !== undefined) return principal.projectId === projectId ? 'editor' : undefined;
  return principal.isAdmin ? 'admin' : membership;
}

/**
 * Whether a principal may do something in a project.
 * @param membership the person's role in it, if any
 */
export function decideInProject(
  principal: Principal,
  right: ProjectRight,
  projectId: string,
  membership: Role | undefined,
): Decision {
  const role = roleIn(principal, projectId, membership);
  if (role === undefined) return 'hidden';
  const rule: ProjectRightRule = PROJECT_RIGHTS[right];
  return rank(role) >= rank(rule.role) && principal.scopes.includes(rule.scope) ? 'allowed' : 'forbidden';
}

/** Rights of admins in a removed project, whose runs are kept and may still be stopping. */
const RIGHTS_IN_REMOVED: readonly ProjectRight[] = ['runs.read', 'runs.stop'];

/** Like `decideInProject`, for a removed project: it is hidden, except its runs for admins. */
export function decideInRemovedProject(principal: Principal, right: ProjectRight, projectId: string): Decision {
  if (!principal.isAdmin || !RIGHTS_IN_REMOVED.includes(right)) return 'hidden';
  return decideInProject(principal, right, projectId, undefined);
}

/** Whether a principal may do something outside of projects. */
export function decideInInstance(principal: Principal, right: InstanceRight): Decision {
  const { who, scope }: InstanceRightRule = INSTANCE_RIGHTS[right];
  const isPerson = principal.userId !== undefined;
  const fits = {
    anybody: true,
    person: isPerson,
    session: isPerson && principal.via === 'session',
    admin: isPerson && principal.isAdmin,
  }[who];
  return fits && principal.scopes.includes(scope) ? 'allowed' : 'forbidden';
}

function rank(role: Role | 'admin'): number {
  return role === 'admin' ? ROLES.length : ROLES.indexOf(role);
}
