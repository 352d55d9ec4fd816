import { networksOf } from './networks.js';
import type { WebhookToken } from '#src/domain/records.js';

/** What decides whether a token that was found opens anything. */
export type TokenConditions = Pick<WebhookToken, 'expiresAt' | 'allowedNetworks'>;

/** Whether a token that is not revoked opens something for a call from this address at this moment. */
export function isOpenTo({ expiresAt, allowedNetworks }: TokenConditions, address: string, now: Date): boolean {
  if (expiresAt !== undefined && expiresAt <= now) return false;
  return allowedNetworks === undefined || networksOf(allowedNetworks).contains(address);
}
