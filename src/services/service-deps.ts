import type { Collections } from '#src/db/schema/collections.js';
import type { Clock } from '#src/domain/clock.js';
import type { InstanceLimits } from '#src/domain/limits.js';
import type { AccessControl } from './access/access-control.js';
import type { Audit } from './people/audit-log.js';

/** What the services behind the API and the web app are made of. */
export interface ServiceDeps {
  collections: Collections;
  /** The database's. */
  clock: Clock;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** Address under which people reach the server. No slash at the end. */
  publicUrl: string;
  /** As the environment says. */
  limits: InstanceLimits;
  audit: Audit;
  access: AccessControl;
}
