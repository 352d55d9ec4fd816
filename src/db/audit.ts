import type { AuditEntry } from '../domain/people.js';
import type { KeysetPage, KeysetRequest } from '../domain/keyset.js';
import type { Collections } from './collections.js';
import { keysetPage, type KeysetOrder } from './keyset.js';

const MAX_TIME_MS = 2000;
const MAX_COUNTED = 10_000;
const ORDER: KeysetOrder = [
  ['at', -1],
  ['_id', -1],
];

/** Who did what. Each call throws the driver's error when the database does not answer in time. */
export interface AuditStore {
  insert(entry: AuditEntry): Promise<void>;
  /** Newest first. @param projectId none, of the whole instance */
  page(projectId: string | undefined, request: KeysetRequest): Promise<KeysetPage<AuditEntry>>;
  /** At most 10,000 are counted. */
  count(projectId: string | undefined): Promise<number>;
}

export function createAuditStore({ audit }: Pick<Collections, 'audit'>): AuditStore {
  const options = { maxTimeMS: MAX_TIME_MS };
  const of = (projectId: string | undefined) => (projectId === undefined ? {} : { projectId });
  return {
    insert: async (entry) => void (await audit.insertOne(entry)),
    page: (projectId, request) => keysetPage(audit, of(projectId), ORDER, request, options),
    count: (projectId) => audit.countDocuments(of(projectId), { ...options, limit: MAX_COUNTED }),
  };
}
