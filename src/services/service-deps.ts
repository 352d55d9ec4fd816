import type { Collections } from '#src/db/schema/collections.js';
import type { Clock } from '#src/domain/clock.js';
import type { InstanceLimits } from '#src/domain/limits.js';
import type { AccessControl } from './access/access-control.js';
import type { Audit } from './people/audit-log.js';

/** Dependencies of the services behind the API and the web app. */
export interface ServiceDeps {
  collections: Collections;
  /** The database's clock. */
  clock: Clock;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** Base URL of the server for browsers, without a trailing slash. */
  publicUrl: string;
  /** From the environment. */
  limits: InstanceLimits;
  audit: Audit;
  access: AccessControl;
}
