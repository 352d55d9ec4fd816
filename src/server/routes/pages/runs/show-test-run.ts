import type Joi from 'joi';
import type { VNode } from 'preact';
import type { TestRun } from '../../../../domain/run.js';
import { RunPage } from '../../../../web/pages/run-page.js';
import type { RouteDeps } from '../../../context.js';
import type { RunPageRequest } from './show.js';

/** Fields that the page's address may have. */
export const testRunQuery: Joi.SchemaMap = {};
export type TestRunQuery = Record<never, never>;

/** The page of a test run. */
export async function showTestRun(
  { reader }: RouteDeps,
  run: TestRun,
  { page, temporalUrl }: RunPageRequest<TestRunQuery>,
): Promise<VNode> {
  const details = await reader.details(run._id);
  return RunPage({ ...details, temporalUrl, now: new Date(), page, isPaused: false });
}
