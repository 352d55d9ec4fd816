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

/** What a start needs of a run's record. */
export type StartableRun = Pick<
  Run,
  '_id' | 'kind' | 'projectId' | 'targetId' | 'targetName' | 'triggeredBy' | 'definition'
>;

/** Limits of this installation that a run takes with it. */
export type StartLimits = Required<Pick<TestPlan, 'noRunnerMs' | 'heartbeatTimeoutMs'>>;

/** Those among other settings. */
export function startLimitsOf({ noRunnerMs, heartbeatTimeoutMs }: StartLimits): StartLimits {
  return { noRunnerMs, heartbeatTimeoutMs };
}

/** The run's id is the id of a workflow of another installation: they share a namespace, a project and a key. */
export class WorkflowIdTakenError extends Error {
  override name = 'WorkflowIdTakenError';
}

/** The start options that every run shares; the benchmark uses the same. */
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
  const preparation = preparationMs > 0 ? { preparationMs } : {};
  return { runId: run._id, pool, timeoutMs, ...preparation, retries, keepsPlace: true, ...limits };
}

function suitePlan(run: StartableRun, limits: Partial<StartLimits>): SuitePlan {
  // A run that was triggered on an earlier version has no rule for overlaps and re-runs.
  const { parallelism, onFailure, retryFailed = 0, timeoutMs, overlap = 'allow' } = run.definition as SuiteDefinition;
  return {
    runId: run._id,
    name: run.targetName,
    projectId: run.projectId,
    parallelism,
    onFailure,
    retryFailed,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(overlap === 'allow' ? {} : { overlap, suiteId: run.targetId }),
    ...limits,
  };
}

/** gRPC: invalid argument. */
const INVALID = 3;
/** After a start that was refused for its search attributes the next ones do without, in ms. */
const UNLISTED_MS = 15_000;
const unlistedUntil = new WeakMap<Client, number>();

/** `isListed`: with our search attributes, by which lists in the Temporal UI are filtered. */
export interface StartedWorkflow {
  isListed: boolean;
}

/**
 * Starts the workflow of a run, whose ID is the run's id. Idempotent: already started is success. Where the namespace
 * lacks our search attributes, it starts without them.
 * @throws WorkflowIdTakenError when the workflow of this ID belongs to another installation
 * @throws TemporalDeadlineError or the SDK's errors; the start is then ambiguous and may be repeated
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

/** As Temporal says it: "Namespace default has no mapping defined for search attribute RunhookProject". */
function lacksAttributes(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && (cause.code as number) === INVALID && /search attribute/i.test(cause.details);
}
