import type { Creation } from '#src/domain/idempotent-creation.js';
import type { Role, Scope } from './rights.js';

/* Documents of people, their credentials and the audit log. */

export interface User extends Creation {
  /** Lower case; unique. */
  email: string;
  name: string;
  /** `scrypt$N$r$p$salt$hash`; absent for users who sign in only by OpenID Connect. */
  passwordHash?: string;
  /** At an OpenID Connect provider. */
  identity?: { issuer: string; subject: string };
  /** Admin of the instance, with access to every project. */
  isAdmin: boolean;
  createdAt: Date;
  /**
   * Incremented when all sessions must end: password changed or removed, identity linked, account disabled. A session is
   * valid only with the same number. Absent: 0.
   */
  credentialVersion?: number;
  disabledAt?: Date;
  lastSignInAt?: Date;
  /** Network addresses of sign-ins, latest last: failed sign-ins from elsewhere do not lock these out. */
  knownAddresses?: string[];
}

/** A document without a role is not a membership yet: it contains prepared grants only (see membership-store.ts). */
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
  /** Public id, for lists and to end it. */
  id: string;
  userId: string;
  /** The user's credential version at sign-in; absent: 0. */
  credentialVersion?: number;
  createdAt: Date;
  lastSeenAt: Date;
  /** Extended by use, up to the maximum lifetime. */
  expiresAt: Date;
  /** When the cookie was last sent; absent: at sign-in. */
  cookieAt?: Date;
  address: string;
  userAgent: string;
}

export interface ApiToken {
  /** SHA-256 of the token. */
  _id: string;
  /** UUID, for lists and to revoke it. */
  id: string;
  name: string;
  /** Exactly one of `userId` and `projectId` is set. */
  userId?: string;
  projectId?: string;
  scopes: Scope[];
  createdAt: Date;
  /** Email of the creator. */
  createdBy: string;
  /** User id of the creator; absent in older tokens. */
  createdById?: string;
  /** HMAC of the request with an Idempotency-Key. */
  creation?: string;
  expiresAt?: Date;
  revokedAt?: Date;
  /** Updated from time to time. */
  lastUsedAt?: Date;
}

export interface Invitation extends Creation {
  /** SHA-256 of the token in its link. */
  hash: string;
  projectId: string;
  role: Role;
  /** Only the person with this email address can accept it; absent: anyone with the link. */
  email?: string;
  /** The email address of the account to create, set by the first attempt. */
  newAccountEmail?: string;
  createdAt: Date;
  /** Email of the creator. */
  createdBy: string;
  /** User id of the creator; absent in older invitations. */
  createdById?: string;
  expiresAt: Date;
  /** The encrypted token of an invitation with an idempotency key, so that a repeated request returns the same link. */
  encrypted?: string;
  acceptedAt?: Date;
  acceptedBy?: string;
  /** Id of the grant prepared in the membership (see accept-invitation.ts). */
  grant?: string;
  revokedAt?: Date;
}

export interface AuditEntry {
  _id: string;
  at: Date;
  /** Absent for actions on the instance. */
  projectId?: string;
  /** `name` is an email, or the name of a token. */
  actor: { type: 'user' | 'token' | 'system' | 'anonymous'; id?: string; name: string };
  /** Such as `webhookToken.rotate`. */
  action: string;
  target?: { type: string; id: string; name?: string };
  /** The caller's network address. */
  from?: string;
  /** Never contains secrets. */
  details?: Record<string, string | number | boolean | string[]>;
}
