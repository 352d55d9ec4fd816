import type { Creation } from '#src/domain/idempotent-creation.js';
import type { Role, Scope } from './rights.js';

/** The documents of people, their credentials and what they did (see db/, one file a collection). */

export interface User extends Creation {
  /** Lower case; unique. */
  email: string;
  name: string;
  /** `scrypt$N$r$p$salt$hash`; absent for who signs in by OpenID Connect only. */
  passwordHash?: string;
  /** At an OpenID Connect provider. */
  identity?: { issuer: string; subject: string };
  /** Of the instance: every project is open to him. */
  isAdmin: boolean;
  createdAt: Date;
  /**
   * Counts what ends all sessions: another or no password, a sign-in provider that is linked, a disabled account. Absent: 0.
   * A session is valid only with the same number.
   */
  credentialVersion?: number;
  /** From here on nothing opens for him. */
  disabledAt?: Date;
  lastSignInAt?: Date;
  /** Network addresses that signed in to it, the latest last: guesses from elsewhere do not lock these out. */
  knownAddresses?: string[];
}

/** A document without a role is no membership yet: it holds grants only (see db/memberships.ts). */
export interface Membership {
  /** `<project id>:<user id>`. */
  _id: string;
  projectId: string;
  userId: string;
  role: Role;
  createdAt: Date;
  /** Ids of accepted invitations that have not taken effect. */
  grants?: string[];
}

export interface Session {
  /** SHA-256 of the cookie's token. */
  _id: string;
  /** For lists and for its end: the hash is nobody's business. */
  id: string;
  userId: string;
  /** The user's when it began; absent (in old ones too): 0. */
  credentialVersion?: number;
  createdAt: Date;
  lastSeenAt: Date;
  /** Moves on while it is used, up to the longest lifetime. */
  expiresAt: Date;
  /** When the browser was given its cookie last; absent, at the beginning. */
  cookieAt?: Date;
  address: string;
  userAgent: string;
}

export interface ApiToken {
  /** SHA-256 of the token. */
  _id: string;
  /** UUID, for lists and for its end. */
  id: string;
  name: string;
  /** Exactly one of the two: whose it is. */
  userId?: string;
  projectId?: string;
  scopes: Scope[];
  createdAt: Date;
  /** Email of who made it. */
  createdBy: string;
  /** User id of who made it; absent in old ones. */
  createdById?: string;
  /** Of the content, when it was made with an Idempotency-Key. */
  creation?: string;
  expiresAt?: Date;
  revokedAt?: Date;
  /** Written now and then. */
  lastUsedAt?: Date;
}

export interface Invitation extends Creation {
  /** SHA-256 of the token in its link. */
  hash: string;
  projectId: string;
  role: Role;
  /** Only the person with this email address can accept it; absent: anyone with the link. */
  email?: string;
  /** The one email address that an account is created for with it, from the first attempt on. */
  newAccountEmail?: string;
  createdAt: Date;
  /** Email of who made it. */
  createdBy: string;
  /** User id of who made it; absent in old ones. */
  createdById?: string;
  expiresAt: Date;
  /** Of one that was made with an idempotency key: its link can be shown again to who made it. */
  encrypted?: string;
  acceptedAt?: Date;
  acceptedBy?: string;
  /** Names the acceptance in the membership until it takes effect (see services/people/accept-invitation.ts). */
  grant?: string;
  revokedAt?: Date;
}

export interface AuditEntry {
  _id: string;
  at: Date;
  /** Absent for what belongs to the instance. */
  projectId?: string;
  /** `name` is an email, or the name of a token. */
  actor: { type: 'user' | 'token' | 'system' | 'anonymous'; id?: string; name: string };
  /** As `webhookToken.rotate`. */
  action: string;
  target?: { type: string; id: string; name?: string };
  /** The caller's network address. */
  from?: string;
  /** Plain facts, never a secret. */
  details?: Record<string, string | number | boolean | string[]>;
}
