import type { Collections } from '../db/collections.js';
import type { Clock } from '../domain/clock.js';
import type { InstanceLimits } from '../domain/limits.js';
import type { AccessControl } from './access.js';
import type { Audit } from './audit.js';

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
