import { createApiTokenStore } from '#src/db/tokens/api-token-store.js';
import { createAuditStore } from '#src/db/instance/audit-store.js';
import { createInvitationStore } from '#src/db/people/invitation-store.js';
import { createMembershipStore } from '#src/db/people/membership-store.js';
import { createProjectStore } from '#src/db/projects/project-store.js';
import { createSessionStore } from '#src/db/people/session-store.js';
import { createUserStore } from '#src/db/people/user-store.js';
import type { SessionLifetime } from '#src/domain/people/session-lifetime.js';
import { createInvitationAcceptance } from './accept-invitation.js';
import { createAccount } from './account-service.js';
import { createAuditReader } from './audit-reader.js';
import { createInvitations } from './invitation-service.js';
import { createMembers } from './member-service.js';
import { createExpiryRemoval } from './remove-expired.js';
import { createOpenIdClient, type OpenIdConfig } from './open-id.js';
import { createOpenIdSignIn, type OpenIdSignIn } from './open-id-sign-in.js';
import { createSessionOpener, type SignInOrigin } from './open-session.js';
import { createPasswordHasher } from './password-hasher.js';
import { createSignIn } from './sign-in.js';
import { createSignInThrottle } from './sign-in-throttle.js';
import { createUsers } from './user-service.js';
import type { ServiceDeps } from '#src/services/service-deps.js';

export type PeopleServices = ReturnType<typeof createPeopleServices>;

export interface PeopleDeps extends ServiceDeps, SessionLifetime {
  /** The OpenID Connect provider, if configured. */
  openId?: OpenIdConfig | undefined;
}

export function createPeopleServices({ openId, ...deps }: PeopleDeps) {
  const { collections } = deps;
  const users = createUserStore(collections);
  const sessions = createSessionStore(collections);
  const memberships = createMembershipStore(collections);
  const invitations = createInvitationStore(collections);
  const auditStore = createAuditStore(collections);
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle(collections);
  const openSession = createSessionOpener({ ...deps, sessions, users });
  const removeExpired = createExpiryRemoval([sessions.removeExpired, throttle.removeExpired], deps.clock);
  const apiTokens = createApiTokenStore(collections);
  const all = { ...deps, users, sessions, memberships, invitations, apiTokens, hasher, throttle, openSession };
  return {
    signIn: createSignIn({ ...all, removeExpired }),
    account: createAccount(all),
    members: createMembers(all),
    users: createUsers(all),
    invitations: createInvitations(all),
    invitationAcceptance: createInvitationAcceptance({
      ...all,
      projectName: async (id) => {
        const project = await createProjectStore(collections).find(id);
        return project?.archivedAt ? undefined : project?.name;
      },
    }),
    audit: createAuditReader(auditStore),
    openId: openId && openIdOf(openId, deps, createOpenIdSignIn(all)),
  };
}

/** Sign-in with the provider, up to an open session. */
function openIdOf(config: OpenIdConfig, deps: ServiceDeps, signIn: OpenIdSignIn) {
  const client = createOpenIdClient(config, deps);
  return {
    name: config.name,
    start: client.start,
    async finish(answer: URL, trip: string, origin: SignInOrigin) {
      const { claims, next } = await client.finish(answer, trip);
      return { signedIn: await signIn(claims, config.allowsSignUp, origin), next };
    },
  };
}
