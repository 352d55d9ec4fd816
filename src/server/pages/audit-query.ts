import Joi from 'joi';
import type { PageRequest } from '#src/domain/page.js';
import type { AuditQuery } from '#src/web/components/audit-list.js';
import { paging } from '#src/server/api/shapes.js';

/** Query of a page of the audit: its filters and the place in the list. */
export const auditQuery = {
  ...paging,
  action: Joi.string().allow('').max(100),
  actor: Joi.string().trim().allow('').max(254),
};

export type AskedAudit = PageRequest & AuditQuery;

/** The filters of a query that say something. */
export function auditFilterOf({ action, actor }: AuditQuery): AuditQuery {
  return { ...(action ? { action } : {}), ...(actor ? { actor } : {}) };
}
