import type { Collection, Filter } from 'mongodb';
import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import { coalesce } from '#src/db/query/coalesce.js';
import { idsOf } from '#src/db/query/ids-of.js';
import type { Collections } from '#src/db/schema/collections.js';

const MAX_TIME_MS = 1000;

/**
 * Whether a webhook token, API token or session exists; expiry and rights are not checked. Lookups are coalesced, so that
 * a flood of invalid credentials costs few queries, and malformed ones none.
 * @param expiresAt deadline of the lookup (performance.now(), ms)
 * @throws ExpiredError, or the driver's error
 */
export function createCredentialLookup(
  collections: Pick<Collections, 'webhookTokens' | 'apiTokens' | 'sessions'>,
): (credential: string, expiresAt: number) => Promise<boolean> {
  const lookup = <T extends { _id: string }>(collection: Collection<T>) =>
    coalesce(async (hashes: string[]) => {
      const filter = { _id: { $in: hashes } } as Filter<T>;
      const known = new Set(await idsOf(collection, filter, { maxTimeMS: MAX_TIME_MS }));
      return hashes.map((hash) => known.has(hash));
    });
  const lookups = {
    webhook: lookup(collections.webhookTokens),
    api: lookup(collections.apiTokens),
    session: lookup(collections.sessions),
  };
  const kinds = Object.keys(lookups) as (keyof typeof lookups)[];
  return async (credential, expiresAt) => {
    const kind = kinds.find((one) => looksLikeToken(one, credential));
    return kind !== undefined && lookups[kind](hashOfToken(credential), expiresAt);
  };
}
