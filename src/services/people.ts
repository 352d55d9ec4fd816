import { createAuditStore } from '../db/audit.js';
import { createInvitationStore } from '../db/invitations.js';
import { createMembershipStore } from '../db/memberships.js';
import { findProject } from '../db/projects.js';
import { createSessionStore } from '../db/sessions.js';
import { createUserStore } from '../db/users.js';
import { createInvitationTaking } from './people/accept-invitation.js';
import { createAccount } from './people/account.js';
import { createAuditReader } from './people/audit-reader.js';
import { createInvitations } from './people/invitations.js';
import { createMembers } from './people/members.js';
import { createExpiryRemoval } from './people/remove-expired.js';
import { createSessionOpener } from './people/open-session.js';
import { createPasswordHasher } from './people/password-hasher.js';
import { createSignIn } from './people/sign-in.js';
import { createSignInThrottle } from './people/sign-in-throttle.js';
import { createUsers } from './people/users.js';
import type { ServiceDeps } from './service-deps.js';

export type PeopleServices = ReturnType<typeof createPeopleServices>;

/** @param sessionMs how long an unused session stays open, in ms */
export function createPeopleServices({ sessionMs, ...deps }: ServiceDeps & { sessionMs: number }) {
  const { collections } = deps;
  const users = createUserStore(collections);
  const sessions = createSessionStore(collections);
  const memberships = createMembershipStore(collections);
  const invitations = createInvitationStore(collections);
  const auditStore = createAuditStore(collections);
  const hasher = createPasswordHasher();
  const throttle = createSignInThrottle(collections);
  const openSession = createSessionOpener({ ...deps, sessions, users, sessionMs });
  const removeExpired = createExpiryRemoval([sessions.removeExpired, throttle.removeExpired]);
  const all = { ...deps, users, sessions, memberships, invitations, hasher, throttle, openSession };
  return {
    signIn: createSignIn({ ...all, removeExpired }),
    account: createAccount(all),
    members: createMembers(all),
    users: createUsers(all),
    invitations: createInvitations(all),
    invitationTaking: createInvitationTaking({
      ...all,
      projectName: async (id) => (await findProject(collections.projects, id))?.name,
    }),
    audit: createAuditReader(auditStore),
  };
}
