/*
 * Who may do what: the one table. `services/access.ts` is the one place that asks it; routes only name a right.
 */

/** Roles in a project, each with the rights of those before it. */
export const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What an API token may be used for. A signed-in person has all of them. `admin` is for what makes or ends rights of
 * people and credentials (members, invitations, tokens, users): only a session grants it, so that a token cannot make one
 * that outlives it.
 */
export const SCOPES = ['read', 'run', 'edit', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** The scopes that a project's API token can have: it acts as an editor, who manages nobody. */
export const PROJECT_TOKEN_SCOPES = ['read', 'run', 'edit'] as const satisfies readonly Scope[];

interface ProjectRightRule {
  /** Held from this role up; `admin`: by admins of the instance only, whom every project is open to. */
  role: Role | 'admin';
  scope: Scope;
}

/** Rights in a project. A token that is bound to the project acts as its editor. */
export const PROJECT_RIGHTS = {
  'project.read': { role: 'viewer', scope: 'read' },
  'project.edit': { role: 'owner', scope: 'edit' },
  'project.remove': { role: 'owner', scope: 'edit' },
  'members.read': { role: 'viewer', scope: 'read' },
  'members.edit': { role: 'owner', scope: 'admin' },
  'membership.leave': { role: 'viewer', scope: 'admin' },
  'definitions.read': { role: 'viewer', scope: 'read' },
  'definitions.edit': { role: 'editor', scope: 'edit' },
  // Names and plain values; a secret value is never shown to anybody.
  'variables.read': { role: 'viewer', scope: 'read' },
  'variables.edit': { role: 'editor', scope: 'edit' },
  'runs.read': { role: 'viewer', scope: 'read' },
  'runs.start': { role: 'editor', scope: 'run' },
  'runs.stop': { role: 'editor', scope: 'run' },
  // Whoever sees the webhook URL can start runs.
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
  /** `anybody`: with any credentials; `person`: not with a token that is bound to a project; `session`: signed in. */
  who: 'anybody' | 'person' | 'session' | 'admin';
  scope: Scope;
}

/** Rights that belong to no project. */
export const INSTANCE_RIGHTS = {
  // The answer holds what the caller may see: his own projects, himself.
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

/** Who asks: a person, by a session or an API token, or a token that is bound to a project. */
export interface Principal {
  via: 'session' | 'token';
  /** Of a person. */
  userId?: string;
  /** Of a token that is bound to it. */
  projectId?: string;
  /** The email of a person, the name of a project's token: for the audit. */
  name: string;
  isAdmin: boolean;
  scopes: readonly Scope[];
  /** The API token's id or the session's. */
  credentialId: string;
  /** Of a session: its browser should be given its cookie anew. */
  renewsCookie?: boolean;
}

/** `hidden`: not told from what does not exist. */
export type Decision = 'allowed' | 'forbidden' | 'hidden';

/** The role that a principal has in a project: a member's own, or a bound token's. */
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

/** What admins may do in a removed project: its runs stay on record, and some may still be stopping. */
const RIGHTS_IN_REMOVED: readonly ProjectRight[] = ['runs.read', 'runs.stop'];

/** The same in a project that was removed: it is hidden from everybody, but its runs from admins. */
export function decideInRemovedProject(principal: Principal, right: ProjectRight, projectId: string): Decision {
  if (!principal.isAdmin || !RIGHTS_IN_REMOVED.includes(right)) return 'hidden';
  return decideInProject(principal, right, projectId, undefined);
}

/** Whether a principal may do something that belongs to no project. */
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
