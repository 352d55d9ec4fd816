import type { ApiTokenStore, TokenOwner } from '#src/db/tokens/api-token-store.js';
import type { Clock } from '#src/domain/clock.js';
import { ForbiddenError, IdempotencyConflictError, NotFoundError, invalidField } from '#src/domain/errors.js';
import { creationOf } from '#src/domain/idempotent-creation.js';
import type { ApiToken } from '#src/domain/people/people.js';
import type { Principal, Scope } from '#src/domain/people/rights.js';
import { hashOfToken, newToken } from '#src/domain/tokens/token-format.js';
import { RESOURCE_NOT_FOUND } from '#src/services/access/access-control.js';
import type { Audit, Caller } from '#src/services/people/audit-log.js';

export type { TokenOwner };

export interface NewApiToken {
  name: string;
  scopes: Scope[];
  expiresAt?: Date | undefined;
}

export type ApiTokenServices = ReturnType<typeof createApiTokenServices>;

export interface ApiTokenDeps {
  store: ApiTokenStore;
  audit: Audit;
  /** The database's clock. */
  clock: Clock;
}

export function createApiTokenServices({ store, audit, clock }: ApiTokenDeps) {
  const note = (caller: Caller, verb: string, owner: TokenOwner, { id, name }: ApiToken, details = {}) =>
    audit.note(caller, `apiToken.${verb}`, {
      ...('projectId' in owner ? owner : {}),
      target: { type: 'apiToken', id, name },
      details,
    });

  return {
    /** Newest first. */
    list: store.of,

    /**
     * Creates a token. A repeat with the same key finds the same token, without its secret.
     * @throws IdempotencyConflictError; InvalidInputError for the scope `admin` of a project's token; ForbiddenError
     *   when an API token requests this scope
     */
    async create(
      caller: Caller,
      owner: TokenOwner,
      { name, scopes, expiresAt }: NewApiToken,
      idempotencyKey: string | undefined,
    ): Promise<{ record: ApiToken; token?: string }> {
      const principal = caller.principal!;
      if (scopes.includes('admin')) refuseUnlessGrantable(principal, owner);
      const thing = `apiToken of ${JSON.stringify(owner)}`;
      const { _id: id, creation } = creationOf(principal, thing, idempotencyKey, { name, scopes, expiresAt });
      const token = newToken('api');
      const record: ApiToken = {
        _id: hashOfToken(token),
        id,
        name,
        ...owner,
        scopes,
        createdAt: clock.now(),
        createdBy: principal.name,
        createdById: principal.userId,
        expiresAt,
        creation,
      };
      if (!(await store.insert(record))) {
        const earlier = await store.find(owner, id);
        if (earlier?.creation !== creation)
          throw new IdempotencyConflictError(
            'This Idempotency-Key was already used for a different request. Use a new key.',
          );
        return { record: earlier! };
      }
      await note(caller, 'create', owner, record, { scopes });
      return { record, token };
    },

    /** Takes effect on all servers before it returns. @throws NotFoundError */
    async revoke(caller: Caller, owner: TokenOwner, id: string) {
      const isNew = await store.revoke(owner, id);
      const record = await store.find(owner, id);
      if (!record) throw new NotFoundError(RESOURCE_NOT_FOUND);
      if (isNew) await note(caller, 'revoke', owner, record);
    },
  };
}

/** Only a signed-in person may grant the scope `admin`, to a personal token. @throws InvalidInputError, ForbiddenError */
function refuseUnlessGrantable({ via }: Principal, owner: TokenOwner): void {
  if ('projectId' in owner)
    throw invalidField('scopes', 'Project API tokens act as an editor and cannot have the scope "admin".');
  if (via !== 'session')
    throw new ForbiddenError('Only a signed-in person can grant the scope "admin". Sign in first.', 'session_required');
}
