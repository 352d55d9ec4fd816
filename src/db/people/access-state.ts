import type { ApiToken, Session, User } from '#src/domain/people/people.js';
import type { Role } from '#src/domain/people/rights.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 2000;

/** Distinct ids of the records that determine the viewers' rights. */
export interface AccessStateRequest {
  userIds: string[];
  sessionIds: string[];
  tokenIds: string[];
  projectIds: string[];
}

/** Missing and deleted records are absent. */
export interface AccessState {
  users: Map<string, Pick<User, '_id' | 'isAdmin' | 'disabledAt' | 'credentialVersion'>>;
  sessions: Map<string, Pick<Session, 'id' | 'createdAt' | 'expiresAt' | 'credentialVersion'>>;
  tokens: Map<string, Pick<ApiToken, 'id' | 'scopes' | 'expiresAt'>>;
  /** By `<project id>:<user id>`. */
  roles: Map<string, Role>;
  archivedProjects: Set<string>;
}

/**
 * Reads the records that determine the rights of all viewers of live pages, in at most five queries.
 * @throws the driver's error when the database does not answer in time
 */
export async function readAccessState(
  { users, sessions, apiTokens, memberships, projects }: Collections,
  { userIds, sessionIds, tokenIds, projectIds }: AccessStateRequest,
): Promise<AccessState> {
  const options = { maxTimeMS: MAX_TIME_MS };
  const ofUsers = { userId: { $in: userIds } };
  const [foundUsers, foundSessions, foundTokens, foundRoles, archived] = await Promise.all([
    userIds.length === 0
      ? []
      : users
          .find(
            { _id: { $in: userIds } },
            { ...options, projection: { isAdmin: 1, disabledAt: 1, credentialVersion: 1 } },
          )
          .toArray(),
    sessionIds.length === 0
      ? []
      : sessions
          .find(
            { ...ofUsers, id: { $in: sessionIds } },
            { ...options, projection: { _id: 0, id: 1, createdAt: 1, expiresAt: 1, credentialVersion: 1 } },
          )
          .toArray(),
    tokenIds.length === 0
      ? []
      : apiTokens
          .find(
            { id: { $in: tokenIds }, revokedAt: { $exists: false } },
            { ...options, projection: { _id: 0, id: 1, scopes: 1, expiresAt: 1 } },
          )
          .toArray(),
    userIds.length === 0
      ? []
      : memberships
          .find(
            { ...ofUsers, projectId: { $in: projectIds }, role: { $exists: true } },
            { ...options, projection: { role: 1 } },
          )
          .toArray(),
    projects.distinct('_id', { _id: { $in: projectIds }, archivedAt: { $exists: true } }, options),
  ]);
  return {
    users: new Map(foundUsers.map((user) => [user._id, user])),
    sessions: new Map(foundSessions.map((session) => [session.id, session])),
    tokens: new Map(foundTokens.map((token) => [token.id, token])),
    roles: new Map(foundRoles.map(({ _id, role }) => [_id, role])),
    archivedProjects: new Set(archived),
  };
}
