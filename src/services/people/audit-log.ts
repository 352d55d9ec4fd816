import type { AuditStore } from '#src/db/instance/audit-store.js';
import { randomId } from '#src/domain/ids.js';
import type { Clock } from '#src/domain/clock.js';
import type { AuditEntry } from '#src/domain/people/people.js';
import type { Principal } from '#src/domain/people/rights.js';

/** The person or token that makes a request, and its network address. */
export interface Caller {
  /** Absent: not authenticated. */
  principal?: Principal;
  /** Network address. */
  address: string;
}

export interface Audit {
  /**
   * Notes what a caller has done. Called behind the change itself, whose answer waits for it.
   * @throws the driver's error when the database does not answer
   */
  note(caller: Caller, action: string, about?: Pick<AuditEntry, 'projectId' | 'target' | 'details'>): Promise<void>;
}

export function createAudit(store: Pick<AuditStore, 'insert'>, clock: Clock): Audit {
  return {
    note: ({ principal, address }, action, about = {}) =>
      store.insert({ _id: randomId(), at: clock.now(), actor: actorOf(principal), action, from: address, ...about }),
  };
}

function actorOf(principal: Principal | undefined): AuditEntry['actor'] {
  if (!principal) return { type: 'anonymous', name: '' };
  const { userId, name, credentialId } = principal;
  return userId === undefined ? { type: 'token', id: credentialId, name } : { type: 'user', id: userId, name };
}
