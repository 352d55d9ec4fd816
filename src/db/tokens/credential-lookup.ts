import { hashOfToken, looksLikeToken } from '#src/domain/tokens/token-format.js';
import { coalesce } from '#src/db/query/coalesce.js';
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
  const options = { projection: { _id: 1 as const }, maxTimeMS: MAX_TIME_MS };
  const inOrder = (hashes: string[], found: { _id: string }[]) => {
    const known = new Set(found.map(({ _id }) => _id));
    return hashes.map((hash) => known.has(hash));
  };
  const webhook = coalesce(async (hashes: string[]) =>
    inOrder(hashes, await collections.webhookTokens.find({ _id: { $in: hashes } }, options).toArray()),
  );
  const api = coalesce(async (hashes: string[]) =>
    inOrder(hashes, await collections.apiTokens.find({ _id: { $in: hashes } }, options).toArray()),
  );
  const session = coalesce(async (hashes: string[]) =>
    inOrder(hashes, await collections.sessions.find({ _id: { $in: hashes } }, options).toArray()),
  );
  return async (credential, expiresAt) => {
    if (looksLikeToken('webhook', credential)) return webhook(hashOfToken(credential), expiresAt);
    if (looksLikeToken('api', credential)) return api(hashOfToken(credential), expiresAt);
    if (looksLikeToken('session', credential)) return session(hashOfToken(credential), expiresAt);
    return false;
  };
}
