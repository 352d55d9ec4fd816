import type Joi from 'joi';
import type { VNode } from 'preact';
import type { SuiteRun } from '../../../../domain/run.js';
import { RunPage } from '../../../../web/pages/run-page.js';
import type { RouteDeps } from '../../../context.js';
import type { RunPageRequest } from '../runs/show.js';

/** Fields that the page's address may have. */
export const suiteRunQuery: Joi.SchemaMap = {};
export type SuiteRunQuery = Record<never, never>;

/** The page of a suite run. */
export async function showSuiteRun(
  { reader }: RouteDeps,
  run: SuiteRun,
  { page, temporalUrl }: RunPageRequest<SuiteRunQuery>,
): Promise<VNode> {
  const details = await reader.details(run._id);
  return RunPage({ ...details, temporalUrl, now: new Date(), page, isPaused: false });
}
