import type { Collection } from 'mongodb';
import { addWebhookToken, nextNumber } from '#src/db/tokens/webhook-tokens.js';
import type { TokenChange, WebhookTokenStore } from '#src/db/tokens/webhook-token-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ConflictError, IdempotencyConflictError, NotFoundError, UnavailableError } from '#src/domain/errors.js';
import { idempotentId } from '#src/domain/idempotent-creation.js';
import type { WebhookToken } from '#src/domain/records.js';
import { open } from '#src/domain/variables/secret-box.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';

const HOUR_MS = 3_600_000;
/** Each retry follows a concurrent rotation. */
const ROUNDS = 5;

/** A webhook token as members see it. */
export type ShownWebhookToken = Omit<WebhookToken, '_id' | 'encrypted' | 'madeBy'> & {
  /** Decrypted; absent when revoked. */
  token?: string;
};

export type LiveWebhookToken = ShownWebhookToken & { token: string };

/** Whether a token is valid: neither revoked nor expired. */
export function isLive(token: ShownWebhookToken, now: Date): token is LiveWebhookToken {
  return token.token !== undefined && (token.expiresAt === undefined || token.expiresAt > now);
}

export interface Rotation {
  projectId: string;
  /** How long the previous tokens stay valid; 0 revokes them. */
  keepOldForHours: number;
  idempotencyKey?: string | undefined;
}

export type WebhookTokenServices = ReturnType<typeof createWebhookTokenServices>;

export interface WebhookTokenDeps {
  webhookTokens: Collection<WebhookToken>;
  store: WebhookTokenStore;
  /** AES-256 keys, newest first. */
  secretKeys: readonly Buffer[];
  clock: Clock;
  audit: Audit;
}

export function createWebhookTokenServices(deps: WebhookTokenDeps) {
  const { webhookTokens, store, secretKeys, clock, audit } = deps;

  function shown({ _id: _hash, encrypted, madeBy: _call, ...facts }: WebhookToken): ShownWebhookToken {
    return { ...facts, ...(facts.revokedAt ? {} : { token: open(secretKeys, encrypted) }) };
  }

  /** Creates a token, or finds the one of an earlier call with the same key. */
  async function findOrCreate({ projectId }: Rotation, madeBy: WebhookToken['madeBy']) {
    for (let round = 0; round < ROUNDS; round++) {
      const number = await nextNumber(webhookTokens, projectId);
      const earlier = madeBy && (await store.createdByRequest(projectId, madeBy.key));
      if (earlier) return { record: earlier, isNew: false };
      const allowedNetworks = (await store.ofProject(projectId)).find((one) => !one.revokedAt)?.allowedNetworks;
      const record = await addWebhookToken(webhookTokens, secretKeys, {
        projectId,
        number,
        madeBy,
        // A project that restricts its tokens must not get an unrestricted one.
        allowedNetworks,
      });
      if (record) return { record, isNew: true };
    }
    throw new UnavailableError('The webhook tokens of this project are being rotated. Try again.', 1);
  }

  const note = (caller: Caller, verb: string, { projectId, number }: WebhookToken, details = {}) =>
    audit.note(caller, `webhookToken.${verb}`, {
      projectId,
      target: { type: 'webhookToken', id: String(number) },
      details,
    });

  const list = async (projectId: string) => (await store.ofProject(projectId)).map(shown);

  return {
    /** Newest first. @throws SecretBoxError when the key that encrypted a token is missing */
    list,

    /** The newest valid token, if any. @throws SecretBoxError like list */
    async current(projectId: string) {
      const now = clock.now();
      return (await list(projectId)).find((one): one is LiveWebhookToken => isLive(one, now));
    },

    /**
     * Creates a new token and ends the others.
     * @throws IdempotencyConflictError
     */
    async rotate(caller: Caller, rotation: Rotation) {
      const { projectId, keepOldForHours, idempotencyKey } = rotation;
      const madeBy =
        idempotencyKey === undefined
          ? undefined
          : { key: idempotentId(caller.principal!, `webhookToken of ${projectId}`, idempotencyKey), keepOldForHours };
      const { record, isNew } = await findOrCreate(rotation, madeBy);
      if (!isNew && record.madeBy?.keepOldForHours !== keepOldForHours)
        throw new IdempotencyConflictError(
          'This Idempotency-Key was already used for a different request. Use a new key.',
        );
      // Also at a repeat: the earlier call may have been interrupted before this point.
      if (keepOldForHours === 0) await store.revokeBefore(projectId, record.number);
      else {
        const at = new Date(record.createdAt.getTime() + keepOldForHours * HOUR_MS);
        await store.expireBefore(projectId, record.number, at);
      }
      if (isNew) await note(caller, 'rotate', record, { keepOldForHours });
      return { token: shown(record), isNew };
    },

    /** @throws NotFoundError; ConflictError when the token is revoked */
    async change(caller: Caller, projectId: string, number: number, change: TokenChange) {
      const changed = await store.change(projectId, number, change);
      if (!changed) {
        const exists = (await store.ofProject(projectId)).some((one) => one.number === number);
        if (!exists) throw new NotFoundError(RESOURCE_NOT_FOUND);
        throw new ConflictError(
          'token_revoked',
          'This token is revoked, which cannot be undone. Rotate the webhook token to get a new one.',
        );
      }
      await note(caller, 'edit', changed, {
        ...(change.expiresAt === undefined ? {} : { expiresAt: change.expiresAt?.toISOString() ?? 'never' }),
        ...(change.allowedNetworks === undefined ? {} : { allowedNetworks: change.allowedNetworks ?? [] }),
      });
      return shown(changed);
    },

    /** Takes effect on all servers before it returns. @throws NotFoundError */
    async revoke(caller: Caller, projectId: string, number: number) {
      const revoked = await store.revoke(projectId, number);
      if (!revoked) throw new NotFoundError(RESOURCE_NOT_FOUND);
      if (revoked.isNew) await note(caller, 'revoke', revoked.token);
      return shown(revoked.token);
    },
  };
}
