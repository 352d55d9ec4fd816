import type { Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const PAGE = 1000;
const PAGE_DEADLINE_MS = 15_000;

/**
 * Ids of workflows that match a query, from Temporal's visibility: a moment behind the truth, and 1,000 a call.
 * @param onPage called after each page
 * @throws TemporalDeadlineError or the SDK's errors
 */
export async function listWorkflowIds(
  { connection, namespace }: Temporal,
  query: string,
  onPage: () => void = () => {},
): Promise<Set<string>> {
  const ids = new Set<string>();
  let nextPageToken: Uint8Array | undefined;
  do {
    const request = { namespace, query, pageSize: PAGE, ...(nextPageToken ? { nextPageToken } : {}) };
    const page = await withinDeadline(connection, PAGE_DEADLINE_MS, () =>
      connection.workflowService.listWorkflowExecutions(request),
    );
    for (const { execution } of page.executions) ids.add(execution!.workflowId!);
    nextPageToken = page.nextPageToken;
    onPage();
  } while (nextPageToken && nextPageToken.length > 0);
  return ids;
}

/** The runs whose workflow is open. */
export const OPEN_RUNS = "ExecutionStatus = 'Running' AND WorkflowType IN ('testRun', 'suiteRun')";

/** The workflows of a suite's tests, open or not. @param suiteRunId a UUID */
export const childrenOf = (suiteRunId: string) => `ParentWorkflowId = '${suiteRunId}'`;
