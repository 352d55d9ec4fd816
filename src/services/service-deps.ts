import type { Collections } from '../db/collections.js';
import type { AccessControl } from './access.js';
import type { Audit } from './audit.js';

/** What the services behind the API and the web app are made of. */
export interface ServiceDeps {
  collections: Collections;
  /** AES-256 keys, newest first. */
  secretKeys: Buffer[];
  /** Address under which people reach the server. No slash at the end. */
  publicUrl: string;
  audit: Audit;
  access: AccessControl;
}
