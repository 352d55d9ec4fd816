import type { Collections } from '#src/db/schema/collections.js';
import { readAccessState, type AccessState } from '#src/db/people/access-state.js';
import type { Clock } from '#src/domain/clock.js';
import {
  decideInProject,
  decideInRemovedProject,
  type Principal,
  type ProjectRight,
} from '#src/domain/people/rights.js';
import { isSessionValid, type SessionLifetime } from '#src/domain/people/session-lifetime.js';

/** The reader of a stream, and the right that the stream requires. */
export interface StreamViewer {
  principal: Principal;
  right: ProjectRight;
  projectId: string;
}

/**
 * Filters the viewers who have lost their right: signed out, account disabled, membership removed, token revoked.
 * @throws the driver's error when the database does not respond in time
 */
export type StreamRights = <V extends StreamViewer>(viewers: readonly V[]) => Promise<V[]>;

export function createStreamRights(
  collections: Collections,
  clock: Clock,
  lifetime: Pick<SessionLifetime, 'sessionMaxMs'>,
): StreamRights {
  return async (viewers) => {
    const state = await readAccessState(collections, {
      userIds: distinct(viewers.map(({ principal }) => principal.userId)),
      sessionIds: distinct(viewers.map(({ principal }) => credentialOf(principal, 'session'))),
      tokenIds: distinct(viewers.map(({ principal }) => credentialOf(principal, 'token'))),
      projectIds: distinct(viewers.map(({ projectId }) => projectId)),
    });
    const now = clock.now();
    return viewers.filter((viewer) => !isAllowed(viewer, state, now, lifetime));
  };
}

function isAllowed(
  { principal, right, projectId }: StreamViewer,
  { users, sessions, tokens, roles, archivedProjects }: AccessState,
  now: Date,
  lifetime: Pick<SessionLifetime, 'sessionMaxMs'>,
): boolean {
  const { userId, via, credentialId } = principal;
  const user = userId === undefined ? undefined : users.get(userId);
  if (userId !== undefined && (!user || user.disabledAt)) return false;
  if (via === 'session') {
    const session = sessions.get(credentialId);
    if (!session || !user || !isSessionValid(session, user, now, lifetime)) return false;
  } else {
    const token = tokens.get(credentialId);
    if (!token || (token.expiresAt !== undefined && token.expiresAt <= now)) return false;
  }
  const current = { ...principal, isAdmin: user?.isAdmin ?? false };
  if (archivedProjects.has(projectId)) return decideInRemovedProject(current, right, projectId) === 'allowed';
  return decideInProject(current, right, projectId, roles.get(`${projectId}:${userId}`)) === 'allowed';
}

function credentialOf({ via, credentialId }: Principal, type: Principal['via']): string | undefined {
  return via === type ? credentialId : undefined;
}

function distinct(values: (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}
