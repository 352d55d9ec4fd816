import { LEGACY_QUEUE, workflowQueue } from '#workflows/messages.js';
import type { InstallationTemporal, Temporal } from './connect.js';
import { withinDeadline } from './deadline.js';

const PAGE = 1000;
const PAGE_DEADLINE_MS = 15_000;

/**
 * Ids of workflows that match a query, from Temporal's visibility, which is eventually consistent.
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
    const request = { namespace, query, pageSize: PAGE, nextPageToken };
    const page = await withinDeadline(connection, PAGE_DEADLINE_MS, () =>
      connection.workflowService.listWorkflowExecutions(request),
    );
    for (const { execution } of page.executions) ids.add(execution!.workflowId!);
    nextPageToken = page.nextPageToken;
    onPage();
  } while (nextPageToken && nextPageToken.length > 0);
  return ids;
}

type Names = Pick<InstallationTemporal, 'installationId' | 'hasLegacyNames'>;

/** Query for the installation's open workflows of runs. */
export const openRuns = (names: Names) =>
  `ExecutionStatus = 'Running' AND WorkflowType IN ('testRun', 'suiteRun') AND ${isOwn(names)}`;

/** Query for the workflows of a suite's test runs, open or closed. @param suiteRunId a UUID */
export const childrenOf = (names: Names, suiteRunId: string) =>
  `ParentWorkflowId = '${suiteRunId}' AND ${isOwn(names)}`;

function isOwn({ installationId, hasLegacyNames }: Names): string {
  const queues = [workflowQueue(installationId), ...(hasLegacyNames ? [LEGACY_QUEUE] : [])];
  return `TaskQueue IN (${queues.map((queue) => `'${queue}'`).join(', ')})`;
}
