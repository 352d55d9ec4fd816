import type { InvitationStore } from '../../db/invitations.js';
import { ConflictError, IdempotencyConflictError, NotFoundError } from '../../domain/errors.js';
import { idOfKey, randomId } from '../../domain/ids.js';
import type { Invitation } from '../../domain/people.js';
import type { Role } from '../../domain/rights.js';
import { open, seal } from '../../domain/secret-box.js';
import { hashOfToken, newToken } from '../../domain/token-format.js';
import { NOTHING_HERE } from '../access.js';
import type { Audit, Caller } from '../audit.js';

const VALID_MS = 7 * 24 * 3_600_000;

/** Invitations to a project, by a link. */
export interface Invitations {
  /** Those that can still be taken. */
  of(projectId: string): Promise<Invitation[]>;
  /** @returns with the link, which is not told again. @throws IdempotencyConflictError; ConflictError when it was used */
  create(
    caller: Caller,
    projectId: string,
    wanted: { role: Role; email?: string | undefined },
    idempotencyKey?: string,
  ): Promise<{ invitation: Invitation; url: string }>;
  /** @throws NotFoundError when it is not there or was taken */
  revoke(caller: Caller, projectId: string, id: string): Promise<void>;
}

export interface InvitationsDeps {
  invitations: InvitationStore;
  audit: Audit;
  secretKeys: Buffer[];
  publicUrl: string;
}

export function createInvitations({ invitations, audit, secretKeys, publicUrl }: InvitationsDeps): Invitations {
  const urlOf = (token: string) => `${publicUrl}/invitations/${token}`;

  /** One that was made with the same key. */
  function again(earlier: Invitation, role: Role, email: string | undefined) {
    if (earlier.role !== role || earlier.email !== email)
      throw new IdempotencyConflictError('This Idempotency-Key was used for another invitation. Use a new key.');
    return { invitation: earlier, url: urlOf(open(secretKeys, earlier.encrypted!)) };
  }

  return {
    of: (projectId) => invitations.open(projectId, new Date()),

    async create(caller, projectId, { role, email }, idempotencyKey) {
      const { name, credentialId, userId } = caller.principal!;
      const hasKey = idempotencyKey !== undefined;
      const id = hasKey ? idOfKey(`invitation ${projectId}`, userId ?? credentialId, idempotencyKey) : randomId();
      const earlier = hasKey && (await invitations.find(projectId, id));
      if (earlier) return again(earlier, role, email);
      const token = newToken('invitation');
      const now = new Date();
      const invitation: Invitation = {
        _id: hashOfToken(token),
        id,
        projectId,
        role,
        ...(email === undefined ? {} : { email }),
        createdAt: now,
        createdBy: name,
        expiresAt: new Date(now.getTime() + VALID_MS),
        ...(hasKey ? { encrypted: seal(secretKeys, token) } : {}),
      };
      if (!(await invitations.insert(invitation))) {
        const concurrent = await invitations.find(projectId, id);
        if (concurrent) return again(concurrent, role, email);
        throw new ConflictError('conflict', 'Somebody made the same invitation at this moment. Try again.');
      }
      const details = { role, ...(email === undefined ? {} : { email }) };
      await audit.note(caller, 'invitation.create', { projectId, target: { type: 'invitation', id }, details });
      return { invitation, url: urlOf(token) };
    },

    async revoke(caller, projectId, id) {
      if (!(await invitations.revoke(projectId, id, new Date()))) throw new NotFoundError(NOTHING_HERE);
      await audit.note(caller, 'invitation.revoke', { projectId, target: { type: 'invitation', id } });
    },
  };
}
