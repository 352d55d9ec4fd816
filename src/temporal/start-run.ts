import {
  isGrpcServiceError,
  ServiceError,
  WorkflowExecutionAlreadyStartedError,
  type Client,
  type WorkflowStartOptions,
} from '@temporalio/client';
import type { SuiteDefinition, TestDefinition } from '#src/domain/targets/definitions.js';
import type { Run } from '#src/domain/runs/run.js';
import { preparationMsOf } from '#src/domain/targets/test-source.js';
import {
  memoOf,
  priorityOf,
  searchAttributesOf,
  summaryOf,
  workflowQueue,
  type SuitePlan,
  type TestPlan,
} from '#workflows/messages.js';
import type { suiteRun, testRun } from '#workflows/index.js';
import type { InstallationTemporal } from './connect.js';
import { withinDeadline } from './deadline.js';
import { describeRun } from './describe-run.js';

const START_DEADLINE_MS = 5000;

/** The fields of a run that a start needs. */
export type StartableRun = Pick<
  Run,
  '_id' | 'kind' | 'projectId' | 'targetId' | 'targetName' | 'triggeredBy' | 'definition'
>;

/** Limits of the installation that are passed to the workflow. */
export type StartLimits = Required<Pick<TestPlan, 'noRunnerMs' | 'heartbeatTimeoutMs'>>;

/** Picks the start limits from a configuration. */
export function startLimitsOf({ noRunnerMs, heartbeatTimeoutMs }: StartLimits): StartLimits {
  return { noRunnerMs, heartbeatTimeoutMs };
}

/** A workflow of another installation has the run's id: both share a namespace, a project and an idempotency key. */
export class WorkflowIdTakenError extends Error {
  override name = 'WorkflowIdTakenError';
}

/** Start options of all runs; also used by the benchmark. */
export function startOptionsOf({ installationId }: Pick<InstallationTemporal, 'installationId'>, run: StartableRun) {
  const taskQueue = workflowQueue(installationId);
  return {
    workflowId: run._id,
    taskQueue,
    ...memoOf(taskQueue),
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowIdConflictPolicy: 'FAIL',
    staticSummary: summaryOf(run.kind, run.targetName),
    typedSearchAttributes: searchAttributesOf({
      projectId: run.projectId,
      kind: run.kind,
      targetId: run.targetId,
      status: 'queued',
      trigger: run.triggeredBy.type,
    }),
    priority: priorityOf({
      projectId: run.projectId,
      trigger: run.triggeredBy.type,
      priority: 'priority' in run.definition ? run.definition.priority : undefined,
    }),
  } satisfies Omit<WorkflowStartOptions, 'args'>;
}

function testPlan(run: StartableRun, limits: Partial<StartLimits>): TestPlan {
  const definition = run.definition as TestDefinition;
  const { pool, timeoutMs, retries } = definition;
  const preparationMs = preparationMsOf(definition);
  return {
    runId: run._id,
    pool,
    timeoutMs,
    preparationMs: preparationMs || undefined,
    retries,
    keepsPlace: true,
    ...limits,
  };
}

function suitePlan(run: StartableRun, limits: Partial<StartLimits>): SuitePlan {
  // Definitions of runs triggered by earlier versions lack overlap and retryFailed.
  const { parallelism, onFailure, retryFailed = 0, timeoutMs, overlap = 'allow' } = run.definition as SuiteDefinition;
  return {
    runId: run._id,
    name: run.targetName,
    projectId: run.projectId,
    parallelism,
    onFailure,
    retryFailed,
    timeoutMs,
    ...(overlap === 'allow' ? {} : { overlap, suiteId: run.targetId }),
    ...limits,
  };
}

/** gRPC: invalid argument. */
const INVALID = 3;
/** How long starts omit search attributes after Temporal has rejected them. */
const UNLISTED_MS = 15_000;
const unlistedUntil = new WeakMap<Client, number>();

/** `isListed`: started with search attributes, which filters in the Temporal UI need. */
export interface StartedWorkflow {
  isListed: boolean;
}

/**
 * Starts the workflow of a run, with the run's id. Idempotent. If the search attributes are not registered, it starts
 * without them.
 * @throws WorkflowIdTakenError when the workflow with this ID belongs to another installation
 * @throws TemporalDeadlineError or the SDK's errors; the workflow may then be started or not, so repeat the call
 */
export async function startRun(
  temporal: InstallationTemporal,
  run: StartableRun,
  limits: Partial<StartLimits> = {},
): Promise<StartedWorkflow> {
  const { client } = temporal;
  if (performance.now() >= (unlistedUntil.get(client) ?? 0)) {
    try {
      await start(temporal, run, limits, true);
      return { isListed: true };
    } catch (error) {
      if (!lacksAttributes(error)) throw error;
      unlistedUntil.set(client, performance.now() + UNLISTED_MS);
    }
  }
  await start(temporal, run, limits, false);
  return { isListed: false };
}

async function start(
  temporal: InstallationTemporal,
  run: StartableRun,
  limits: Partial<StartLimits>,
  isListed: boolean,
): Promise<void> {
  const { typedSearchAttributes, ...others } = startOptionsOf(temporal, run);
  const options = isListed ? { ...others, typedSearchAttributes } : others;
  const more = isListed ? {} : { unlisted: true as const };
  const { workflow } = temporal.client;
  try {
    await withinDeadline(temporal.connection, START_DEADLINE_MS, async () => {
      if (run.kind === 'test')
        await workflow.start<typeof testRun>('testRun', { ...options, args: [{ ...testPlan(run, limits), ...more }] });
      else
        await workflow.start<typeof suiteRun>('suiteRun', {
          ...options,
          args: [{ ...suitePlan(run, limits), ...more }],
        });
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    if (await describeRun(temporal, run._id)) return;
    throw new WorkflowIdTakenError(`Workflow ${run._id} belongs to a different installation`, { cause: error });
  }
}

/** Temporal's message: "Namespace default has no mapping defined for search attribute RunhookProject". */
function lacksAttributes(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code as number) === INVALID && /search attribute/i.test(cause.details);
}
