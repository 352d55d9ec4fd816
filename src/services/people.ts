import { createApiTokenStore } from '../db/api-tokens.js';
import { createAuditStore } from '../db/audit.js';
import { createInvitationStore } from '../db/invitations.js';
import { createMembershipStore } from '../db/memberships.js';
import { createProjectStore } from '../db/projects.js';
import { createSessionStore } from '../db/sessions.js';
import { createUserStore } from '../db/users.js';
import type { SessionLifetime } from '../domain/session-lifetime.js';
import { createInvitationTaking } from './people/accept-invitation.js';
import { createAccount } from './people/account.js';
import { createAuditReader } from './people/audit-reader.js';
import { createInvitations } from './people/invitations.js';
import { createMembers } from './people/members.js';
import { createExpiryRemoval } from './people/remove-expired.js';
import { createOpenIdClient, type OpenIdConfig } from './people/open-id.js';
import { createOpenIdSignIn, type OpenIdSignIn } from './people/open-id-sign-in.js';
import { createSessionOpener, type SignInOrigin } from './people/open-session.js';
import { createPasswordHasher } from './people/password-hasher.js';
import { createSignIn } from './people/sign-in.js';
import { createSignInThrottle } from './people/sign-in-throttle.js';
import { createUsers } from './people/users.js';
import type { ServiceDeps } from './service-deps.js';

export type PeopleServices = ReturnType<typeof createPeopleServices>;

export interface PeopleDeps extends ServiceDeps, SessionLifetime {
  /** A provider to sign in with; none, there is none. */
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
    invitationTaking: createInvitationTaking({
      ...all,
      projectName: async (id) => {
        const project = await createProjectStore(collections).find(id);
        return project?.archivedAt ? undefined : project?.name;
      },
    }),
    audit: createAuditReader(auditStore),
    ...(openId ? { openId: openIdOf(openId, deps, createOpenIdSignIn(all)) } : {}),
  };
}

/** Sign-in with the provider, from its start to an open session. */
function openIdOf(config: OpenIdConfig, { publicUrl, secretKeys }: ServiceDeps, signIn: OpenIdSignIn) {
  const client = createOpenIdClient(config, publicUrl, secretKeys);
  return {
    name: config.name,
    start: client.start,
    async finish(answer: URL, trip: string, origin: SignInOrigin) {
      const { claims, next } = await client.finish(answer, trip);
      return { signedIn: await signIn(claims, config.allowsSignUp, origin), next };
    },
  };
}
