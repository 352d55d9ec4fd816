import { networksOf } from './networks.js';
import type { WebhookToken } from '#src/domain/records.js';

export type TokenConditions = Pick<WebhookToken, 'expiresAt' | 'allowedNetworks'>;

/** Whether a token that is not revoked can be used from this address at this time. */
export function isOpenTo({ expiresAt, allowedNetworks }: TokenConditions, address: string, now: Date): boolean {
  if (expiresAt !== undefined && expiresAt <= now) return false;
  return allowedNetworks === undefined || networksOf(allowedNetworks).contains(address);
}
