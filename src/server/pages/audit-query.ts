import Joi from 'joi';
import type { PageRequest } from '#src/domain/page.js';
import type { AuditQuery } from '#src/web/components/audit-list.js';
import { paging } from '#src/server/api/shapes.js';

/** Query of a page of the audit: its filters and the place in the list. */
export const auditQuery = {
  ...paging,
  action: Joi.string().empty('').max(100),
  actor: Joi.string().trim().empty('').max(254),
};

export type AskedAudit = PageRequest & AuditQuery;
