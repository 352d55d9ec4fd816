import type { InvitationStore } from '#src/db/people/invitation-store.js';
import type { Clock } from '#src/domain/clock.js';
import { NotFoundError } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { Role } from '#src/domain/people/rights.js';
import { open, seal } from '#src/domain/variables/secret-box.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from './audit-log.js';

const VALID_MS = 7 * 24 * 3_600_000;

export type Invitations = ReturnType<typeof createInvitations>;

export interface InvitationsDeps {
  invitations: InvitationStore;
  audit: Audit;
  clock: Clock;
  secretKeys: Buffer[];
  publicUrl: string;
}

/** Invitation links to a project. */
export function createInvitations({ invitations, audit, clock, secretKeys, publicUrl }: InvitationsDeps) {
  const urlOf = (token: string) => `${publicUrl}/invitations/${token}`;

  return {
    /** Lists invitations that can be accepted. */
    of: (projectId: string) => invitations.open(projectId),

    /** Returns the link, which only a repeat with the same key returns again. @throws IdempotencyConflictError */
    async create(
      caller: Caller,
      projectId: string,
      { role, email }: { role: Role; email?: string | undefined },
      idempotencyKey?: string,
    ) {
      const principal = caller.principal!;
      const token = newToken('invitation');
      const now = clock.now();
      const { document: invitation, isNew } = await invitations.create({
        ...creationOf(principal, `invitation ${projectId}`, idempotencyKey, { role, email }),
        hash: hashOfToken(token),
        projectId,
        role,
        email,
        createdAt: now,
        createdBy: principal.name,
        createdById: principal.userId,
        expiresAt: new Date(now.getTime() + VALID_MS),
        encrypted: idempotencyKey === undefined ? undefined : seal(secretKeys, token),
      });
      if (!isNew) return { invitation, url: urlOf(open(secretKeys, invitation.encrypted!)) };
      const target = { type: 'invitation', id: invitation._id };
      await audit.note(caller, 'invitation.create', {
        projectId,
        target,
        details: email === undefined ? { role } : { role, email },
      });
      return { invitation, url: urlOf(token) };
    },

    /** @throws NotFoundError when it is missing or not open */
    async revoke(caller: Caller, projectId: string, id: string) {
      if (!(await invitations.revoke(projectId, id))) throw new NotFoundError(RESOURCE_NOT_FOUND);
      await audit.note(caller, 'invitation.revoke', { projectId, target: { type: 'invitation', id } });
    },
  };
}
